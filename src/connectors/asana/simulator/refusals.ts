/** How the simulated Asana refuses. */
import { jsonReply, type Reply, SimulatedRefusal } from '../../../kit/simulator.ts'

const help =
  'For more information on API status codes and how to handle them, read the docs on errors: https://developers.asana.com/docs/errors'

export const errorBody = (status: number, message: string) => ({
  errors: [{ message, help, ...(status === 500 && { phrase: '6 sad squid snuggle softly' }) }],
})

export const errorReply = (status: number, message: string, headers?: Readonly<Record<string, string>>): Reply =>
  jsonReply(status, errorBody(status, message), headers)

export function refuse(status: number, message: string): never {
  throw new SimulatedRefusal(errorReply(status, message), message)
}

export const messages = {
  noRoute: 'No matching route for request',
  notAuthorized: 'Not Authorized',
  expired: 'The bearer token has expired. Use a refresh token to get a new one.',
  tooLarge: 'The result is too large. You should use pagination (may require specifying a workspace)!',
  paidSearch: 'Search is only available to premium users.',
  rateLimited: "You've made too many requests and hit a rate limit. Please retry after the given amount of time.",
  badOffset: 'offset: Your pagination token is invalid.',
  staleSync: 'Sync token invalid or too old. Read everything again, then go on with the new token.',
} as const

/** The default words for a status, for faults that name only the status. */
const byStatus: Readonly<Record<number, string>> = {
  400: messages.tooLarge,
  401: messages.notAuthorized,
  402: messages.paidSearch,
  403: 'You do not have access to this task.',
  404: 'task: Unknown object: 1',
  412: messages.staleSync,
  424: messages.rateLimited,
  429: messages.rateLimited,
  451: 'Unavailable For Legal Reasons',
}

export const refusalFor = (status: number): Reply => errorReply(status, byStatus[status] ?? 'Server Error')
