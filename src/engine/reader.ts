/** What a connector's own functions are given to ask for more: requests and waits within the running call. */
import type { Reader } from '../catalog/operation.ts'
import { ask, type Conversation } from './ask.ts'
import { queryOf, type SystemRequest } from './request.ts'

/** Less than this is not worth waking up for. */
const timeToAnswer = 3000

export function readerOf(conversation: Conversation): Reader {
  const { settings, signal, endsAt } = conversation
  return {
    read({ method = 'GET', path, query = {}, body, form }) {
      const text = queryOf(query)
      const request: SystemRequest = { method, path: text === '' ? path : `${path}?${text}` }
      if (form !== undefined) return ask(conversation, { ...request, form: queryOf(form) })
      return ask(conversation, body === undefined ? request : { ...request, body })
    },
    now: () => settings.clock.now(),
    privateRecords: settings.privateRecords,
    async wait(milliseconds) {
      if (settings.clock.now() + milliseconds + timeToAnswer >= endsAt) return false
      await settings.clock.sleep(milliseconds, signal)
      return true
    },
  }
}
