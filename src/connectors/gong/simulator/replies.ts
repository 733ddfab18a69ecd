/** How the simulated Gong answers and refuses. */
import { jsonReply, type Reply, SimulatedRefusal } from '../../../kit/simulator.ts'

let answered = 0n

/** 18 characters of base 36, also sent as `x-traceid`. */
function requestId(): string {
  answered += 1n
  return (36n ** 17n + ((answered * 0x9e3779b97f4a7c15n) % 36n ** 17n)).toString(36)
}

function reply(status: number, type: string, body: object, more: Readonly<Record<string, string>> = {}): Reply {
  const id = requestId()
  const headers = { 'content-type': type, 'x-traceid': id, 'x-gong-service-version': 'simulated', ...more }
  return jsonReply(status, { requestId: id, ...body }, headers)
}

export const answerReply = (body: object): Reply => reply(200, 'application/json;charset=UTF-8', body)

export const errorReply = (status: number, message: string, more?: Readonly<Record<string, string>>): Reply =>
  reply(status, 'application/json; charset=utf-8', { errors: [message] }, more)

export function refuse(status: number, message: string): never {
  throw new SimulatedRefusal(errorReply(status, message), message)
}

export const messages = {
  noRoute: 'Not Found',
  wrongMethod: 'Method Not Allowed',
  notJson: 'Unsupported Media Type',
  badBody: 'Failed to read the request body: malformed JSON',
  badRequest: 'Bad request',
  unauthorized: 'Failed to authenticate: invalid credentials',
  wrongHost: 'Unauthorized: access token has been revoked',
  inactive: 'Company is inactive',
  wrongAddress: 'Forbidden: this access key cannot be used from your address',
  limited: 'API rate limit exceeded',
  noCalls: 'No calls found corresponding to the provided filters',
  staleCursor: 'cursor has expired',
  badCursor: 'Invalid cursor',
} as const

export const scopeMissing = (scope: string): string => `You don't have permission to use '${scope}' in your app.`

/** The default words for a status, for faults that name only the status. */
const byStatus: Readonly<Record<number, string>> = {
  400: messages.badRequest,
  401: messages.unauthorized,
  403: 'Forbidden',
  404: messages.noCalls,
  405: messages.wrongMethod,
  415: messages.notJson,
  429: messages.limited,
}

export const refusalFor = (status: number): Reply =>
  errorReply(status, byStatus[status] ?? 'Internal server error occurred')
