/** Answers of a Conex service over HTTP: how to ask for one, and how to judge it. */
import assert from 'node:assert/strict'
import { type ErrorCode, errorKinds } from '../errors.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: checks look into answers of every shape
  readonly body: any
}

export interface Ask {
  readonly token?: string | undefined
  /** An object is sent as JSON, a text or bytes as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export const connectors = '/v1/integrations/connectors'
export const executePath = (id: string): string => `/api/v1/connectors/sources/${id}/execute`

/** The answer, with its body still on the way. */
export const request = (url: string, method: string, { token, body, headers = {}, signal }: Ask): Promise<Response> =>
  fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  })

/** The whole answer, with its body read as JSON if it is JSON. */
export async function call(url: string, method: string, ask: Ask = {}): Promise<Answer> {
  const response = await request(url, method, ask)
  const { status, headers } = response
  const text = await response.text()
  const isJson = /json/.test(headers.get('content-type') ?? '') && text !== ''
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined }
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

/** Judges that an answer is exactly a problem of this code, told in one useful sentence. */
export function isProblem(answer: Answer, code: ErrorCode, path?: string): void {
  assert.equal(answer.body?.code, code, `${answer.status} ${answer.text}`)
  const { type, title, status, detail, request_id, errors, upstream, retry_after, code: _, ...rest } = answer.body
  assert.equal(answer.status, errorKinds[code].status)
  assert.match(answer.headers.get('content-type')!, /^application\/problem\+json/)
  assert.equal(status, answer.status)
  assert.equal(title, errorKinds[code].title)
  assert.equal(type, `urn:conex:error:${code}`)
  assert.match(detail, /^\S.{15,}/s)
  assert.doesNotMatch(answer.text, /\bat .+\.ts|node_modules|undefined|\[object/)
  assert.equal(request_id, answer.headers.get('x-request-id'))
  assert.deepEqual(Object.keys(rest), [])
  for (const [place, fault] of (errors ?? []).entries()) {
    assert.match(fault.userPresentableMessage, /^\S.{5,}[.?]$/s)
    if (place === 0) assert.equal(fault.userPresentableMessage, detail)
  }
  if (retry_after !== undefined) assert.equal(answer.headers.get('retry-after'), String(retry_after))
  if (upstream !== undefined) assert.deepEqual(Object.keys(upstream), ['status', 'code', 'message'])
  if (path !== undefined)
    assert.ok(
      errors?.some((issue: { path: string }) => issue.path === path),
      `no fault at ${path}: ${answer.text}`,
    )
}

/** Judges that an answer is a success, and gives its body. */
// biome-ignore lint/suspicious/noExplicitAny: checks look into answers of every shape
export function isFine(answer: Answer): any {
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
