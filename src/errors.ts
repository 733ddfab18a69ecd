/** The table of error codes, and the error class that carries them. */

/** The meaning of a code for callers: its HTTP status, whether the same call can succeed later, and its title. */
export interface ErrorKind {
  readonly status: number
  readonly retry: boolean
  readonly title: string
}

export const errorKinds = {
  invalid_json: { status: 400, retry: false, title: 'The body is not valid JSON' },
  unauthenticated: { status: 401, retry: false, title: 'A valid token is needed' },
  forbidden: { status: 403, retry: false, title: 'The token does not allow this' },
  not_found: { status: 404, retry: false, title: 'There is nothing at this address' },
  record_not_found: { status: 404, retry: false, title: 'The third-party system has no such record' },
  file_unavailable: { status: 404, retry: false, title: 'The record has no file to download' },
  method_not_allowed: { status: 405, retry: false, title: 'The address does not support this method' },
  conflict: { status: 409, retry: false, title: 'It already exists' },
  payload_too_large: { status: 413, retry: false, title: 'The body is too large' },
  unsupported_media_type: {
    status: 415,
    retry: false,
    title: 'The body has another content type than the address takes',
  },
  range_not_satisfiable: { status: 416, retry: false, title: 'The file has no such range' },
  invalid_request: { status: 422, retry: false, title: 'The request is not valid' },
  unknown_entity: { status: 422, retry: false, title: 'The connector has no such entity' },
  unknown_action: { status: 422, retry: false, title: 'The entity has no such action' },
  invalid_params: { status: 422, retry: false, title: 'The params do not fit the operation' },
  invalid_query: { status: 422, retry: false, title: 'The query does not fit the entity' },
  invalid_credentials: { status: 422, retry: false, title: 'The credentials do not fit the connector type' },
  invalid_cursor: { status: 422, retry: false, title: 'The page token is not valid here' },
  upstream_refused: { status: 422, retry: false, title: 'The third-party system refused the request' },
  search_unavailable: { status: 422, retry: false, title: 'There is no copy to search' },
  reauthorization_required: { status: 424, retry: false, title: 'The third-party system rejects the credentials' },
  upstream_forbidden: { status: 424, retry: false, title: 'The third-party system denies access' },
  upstream_plan_required: { status: 424, retry: false, title: 'The third-party system requires a paid plan' },
  rate_limited: { status: 429, retry: true, title: 'Too many requests' },
  upstream_rate_limited: { status: 429, retry: true, title: 'The third-party system asks to wait' },
  internal: { status: 500, retry: true, title: 'Something went wrong inside Conex' },
  connector_unavailable: { status: 503, retry: true, title: 'The connector type is not loaded' },
  storage_full: { status: 507, retry: true, title: 'The storage is full' },
  upstream_error: { status: 502, retry: true, title: 'The third-party system failed' },
  upstream_invalid_response: { status: 502, retry: true, title: 'The third-party system sent an unusable answer' },
  upstream_timeout: { status: 504, retry: true, title: 'The third-party system did not answer in time' },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorKinds

export const errorCodes = Object.keys(errorKinds) as [ErrorCode, ...ErrorCode[]]

/** A fault in the caller's input: its place (a JSON Pointer into the request), and what to do about it. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** The text with a full stop, unless it already ends as a sentence. */
export const asSentence = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`)

/** A fault as a sentence: a rule is already one; any other fault names its param. */
export function sentenceOf({ path, message }: Issue): string {
  if (message.endsWith('.')) return message
  const name = path.replace(/^\/params\//, '').replace(/^\//, '')
  return asSentence(`${name} ${message}`)
}

/** The message of the third-party system, shortened and without secrets. */
export interface UpstreamComplaint {
  readonly status: number | null
  readonly code: string | null
  readonly message: string | null
}

export interface ErrorDetails {
  readonly issues?: readonly Issue[]
  readonly upstream?: UpstreamComplaint
  /** Seconds to wait before repeating the call. */
  readonly retryAfter?: number
  /** For `range_not_satisfiable`: the file host's Content-Range. */
  readonly contentRange?: string
  /** For `method_not_allowed`: the allowed methods. */
  readonly allow?: readonly string[]
  /** For `forbidden`: the scopes that the token needs, with spaces between them. */
  readonly missingScope?: string
  /** For `conflict`: the id of the existing resource. */
  readonly existingId?: string
  /** The id of the failed hosted call; the operator finds it in the log. */
  readonly requestId?: string
  readonly cause?: unknown
}

/** The only error that Conex throws on purpose: a code, and a sentence that tells the caller what to do. */
export class ConexError extends Error {
  override readonly name = 'ConexError'
  readonly code: ErrorCode
  readonly issues: readonly Issue[] | undefined
  readonly upstream: UpstreamComplaint | undefined
  readonly retryAfter: number | undefined
  readonly contentRange: string | undefined
  readonly allow: readonly string[] | undefined
  readonly missingScope: string | undefined
  readonly existingId: string | undefined
  readonly requestId: string | undefined

  constructor(code: ErrorCode, detail: string, details: ErrorDetails = {}) {
    super(detail, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.issues = details.issues
    this.upstream = details.upstream
    this.retryAfter = details.retryAfter
    this.contentRange = details.contentRange
    this.allow = details.allow
    this.missingScope = details.missingScope
    this.existingId = details.existingId
    this.requestId = details.requestId
  }

  /** The HTTP status of this code. */
  get status(): number {
    return errorKinds[this.code].status
  }
}
