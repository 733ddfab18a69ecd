/** How the simulated Graph API refuses. */
import { jsonReply, type Reply, SimulatedRefusal } from '../../../kit/simulator.ts'

export interface GraphError {
  readonly code: number
  readonly message: string
  readonly status?: number
  readonly type?: string
  readonly subcode?: number
  readonly transient?: boolean
  readonly userTitle?: string
  readonly userMessage?: string
}

let traces = 0

/** Letters as in Meta's traces, different for each error. */
function nextTrace(): string {
  traces += 1
  return `A${Buffer.from(`conex-${traces}`).toString('base64url').padEnd(16, '_')}x`
}

/** An error with its fields in Graph's own order. */
export function errorReply(error: GraphError, headers: Readonly<Record<string, string>> = {}): Reply {
  const { message, status = 400, type = 'OAuthException' } = error
  const body = {
    message,
    type,
    code: error.code,
    error_subcode: error.subcode,
    is_transient: error.transient,
    error_user_title: error.userTitle,
    error_user_msg: error.userMessage,
    fbtrace_id: nextTrace(),
  }
  const text = message.replaceAll(/[^\x20-\x7e]|"/g, '')
  const challenge = { 'www-authenticate': `OAuth "Facebook Platform" "invalid_request" "${text}"` }
  return jsonReply(status, { error: body }, { ...((status === 400 || status === 401) && challenge), ...headers })
}

export function refuse(error: GraphError): never {
  throw new SimulatedRefusal(errorReply(error), error.message)
}

export const missingObject = (id: string): GraphError => ({
  code: 100,
  subcode: 33,
  type: 'GraphMethodException',
  message: `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
})

export const unknownPath = (path: string): GraphError => ({ code: 2500, message: `Unknown path components: ${path}` })

export const reduceData: GraphError = {
  status: 500,
  code: 1,
  message: "Please reduce the amount of data you're asking for, then retry your request",
}

export const invalidParameter = (message: string, more: Partial<GraphError> = {}): GraphError => ({
  code: 100,
  message: `(#100) ${message}`,
  ...more,
})

export const nonexistingField = (field: string, type: string): GraphError =>
  invalidParameter(`Tried accessing nonexisting field (${field}) on node type (${type})`)

/** Graph gives this the status 403. */
export const permissionMissing = (message: string): GraphError => ({
  status: 403,
  code: 200,
  message: `(#200) ${message}`,
})

export const readingMissing = permissionMissing('Requires ads_read permission to manage the object')

export const tooManyCalls = (code: 80000 | 80004): GraphError => ({
  code,
  subcode: 2446079,
  message: `(#${code}) There have been too many calls to this ad-account. Wait a bit and try again. For more info, please refer to https://developers.facebook.com/docs/graph-api/overview/rate-limiting.`,
})

const unknown: GraphError = { code: 1, message: 'An unknown error has occurred.' }

/** The default words for a status, for faults that name only the status. */
const byStatus: Readonly<Record<number, GraphError>> = {
  400: invalidParameter('Invalid parameter'),
  401: { code: 190, message: 'Invalid OAuth access token.' },
  403: readingMissing,
  404: missingObject('0'),
  429: tooManyCalls(80004),
  503: { code: 2, transient: true, message: 'Service temporarily unavailable' },
}

export const refusalFor = (status: number): Reply => errorReply({ ...(byStatus[status] ?? unknown), status })
