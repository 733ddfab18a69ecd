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

/** The usual words of a refusal. */
const byStatus: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Failed to authenticate: invalid credentials',
  403: 'Forbidden: this access key cannot be used from your address',
  404: 'Not Found',
  405: 'Method Not Allowed',
  415: 'Unsupported Media Type',
  429: 'API rate limit exceeded',
  500: 'Internal server error occurred',
}

export function errorReply(
  status: number,
  message = byStatus[status] ?? byStatus[500]!,
  more?: Readonly<Record<string, string>>,
): Reply {
  return reply(status, 'application/json; charset=utf-8', { errors: [message] }, more)
}

export function refuse(status: number, message?: string): never {
  throw new SimulatedRefusal(errorReply(status, message), String(status))
}

export const noCalls = 'No calls found corresponding to the provided filters'

export const scopeMissing = (scope: string): string => `You don't have permission to use '${scope}' in your app.`

/** For faults that name only the status. */
export const refusalFor = (status: number): Reply => errorReply(status, status === 404 ? noCalls : undefined)
