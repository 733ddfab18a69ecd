/** How the simulated Gong answers and refuses. */
import { createHash } from 'node:crypto'
import { type Reply, SimulatedRefusal } from '../../../kit/simulator.ts'

let answered = 0

/** 18 characters of base 36, also sent as `x-traceid`. */
function requestId(): string {
  answered += 1
  const digest = createHash('sha256').update(`request ${answered}`).digest()
  return BigInt(`0x${digest.subarray(0, 12).toString('hex')}`)
    .toString(36)
    .padStart(18, '0')
    .slice(0, 18)
}

function reply(status: number, type: string, id: string, body: unknown, more: Readonly<Record<string, string>>): Reply {
  return {
    status,
    headers: { 'content-type': type, 'x-traceid': id, 'x-gong-service-version': 'simulated', ...more },
    body: JSON.stringify(body),
  }
}

export function answerReply(body: object): Reply {
  const id = requestId()
  return reply(200, 'application/json;charset=UTF-8', id, { requestId: id, ...body }, {})
}

export function errorReply(status: number, message: string, more: Readonly<Record<string, string>> = {}): Reply {
  const id = requestId()
  return reply(status, 'application/json; charset=utf-8', id, { requestId: id, errors: [message] }, more)
}

export function refuse(status: number, message: string): never {
  throw new SimulatedRefusal(errorReply(status, message), message)
}

export const messages = {
  noRoute: 'Not Found',
  wrongMethod: 'Method Not Allowed',
  notJson: 'Unsupported Media Type',
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
