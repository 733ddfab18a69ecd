/** Turns an error answer of the service into the error for the caller. */
import { ConexError, type ErrorCode, errorKinds, type Issue, type UpstreamComplaint } from '../errors.ts'

/** The body of an error answer (RFC 9457); only the fields that are used here. */
interface Problem {
  readonly code: ErrorCode
  readonly detail: string
  readonly request_id?: string
  readonly errors?: readonly Issue[]
  readonly upstream?: UpstreamComplaint
  readonly retry_after?: number
  readonly existing_id?: string
}

export async function errorOf(response: Response): Promise<ConexError> {
  const problem = await readProblem(response)
  if (problem === null)
    return new ConexError(
      'internal',
      `What answers at ${new URL(response.url).origin} is not Conex, or is broken: it answered with status ${response.status}; check baseUrl.`,
    )
  const contentRange = response.headers.get('content-range')
  return new ConexError(problem.code, problem.detail, {
    ...(problem.errors && { issues: problem.errors.map(({ path, message }) => ({ path, message })) }),
    ...(problem.upstream && { upstream: problem.upstream }),
    ...(problem.retry_after !== undefined && { retryAfter: problem.retry_after }),
    ...(problem.existing_id !== undefined && { existingId: problem.existing_id }),
    ...(problem.request_id !== undefined && { requestId: problem.request_id }),
    ...(contentRange !== null && { contentRange }),
  })
}

/** The problem; null if the answer did not come from Conex. */
async function readProblem(response: Response): Promise<Problem | null> {
  const body = (await response.json().catch(() => null)) as Partial<Problem> | null
  if (typeof body?.detail !== 'string' || typeof body.code !== 'string') return null
  // A newer service may have codes that this client does not know.
  const code = Object.hasOwn(errorKinds, body.code) ? body.code : 'internal'
  return { ...body, code, detail: body.detail }
}
