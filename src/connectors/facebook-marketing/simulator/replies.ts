/** How the simulated Graph API answers and refuses. */
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
  const { code, message, status = 400, type = 'OAuthException', subcode, transient, userTitle, userMessage } = error
  const body = {
    error: {
      message,
      type,
      code,
      ...(subcode === undefined ? {} : { error_subcode: subcode }),
      ...(transient === undefined ? {} : { is_transient: transient }),
      ...(userTitle === undefined ? {} : { error_user_title: userTitle }),
      ...(userMessage === undefined ? {} : { error_user_msg: userMessage }),
      fbtrace_id: nextTrace(),
    },
  }
  const challenge =
    status === 400 || status === 401
      ? {
          'www-authenticate': `OAuth "Facebook Platform" "invalid_request" "${message.replaceAll(/[^\x20-\x7e]|"/g, '')}"`,
        }
      : {}
  return jsonReply(status, body, { ...challenge, ...headers })
}

export function refuse(error: GraphError, headers: Readonly<Record<string, string>> = {}): never {
  throw new SimulatedRefusal(errorReply(error, headers), error.message)
}

export const missingObject = (id: string): GraphError => ({
  code: 100,
  subcode: 33,
  type: 'GraphMethodException',
  message: `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
})

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

/** The default words for a status, for faults that name only the status. */
const byStatus: Readonly<Record<number, GraphError>> = {
  400: invalidParameter('Invalid parameter'),
  401: { code: 190, message: 'Invalid OAuth access token.' },
  403: { code: 200, message: '(#200) Requires ads_read permission to manage the object' },
  404: missingObject('0'),
  429: {
    code: 80004,
    subcode: 2446079,
    message:
      '(#80004) There have been too many calls to this ad-account. Wait a bit and try again. For more info, please refer to https://developers.facebook.com/docs/graph-api/overview/rate-limiting.',
  },
  500: { code: 1, message: 'An unknown error has occurred.' },
  503: { code: 2, transient: true, message: 'Service temporarily unavailable' },
}

export const refusalFor = (status: number): Reply =>
  errorReply({ ...(byStatus[status] ?? { code: 1, message: 'An unknown error has occurred.' }), status })
