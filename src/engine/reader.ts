/** What a kind's own functions may ask for while a call runs. */
import type { Reader } from '../catalog/operation.ts'
import { ask, type Conversation } from './ask.ts'
import { encode, type SystemRequest } from './request.ts'

export function readerOf(conversation: Conversation): Reader {
  return {
    read({ method = 'GET', path, query = {}, body }) {
      const text = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`)
      const request: SystemRequest = { method, path: text.length === 0 ? path : `${path}?${text.join('&')}` }
      return ask(conversation, body === undefined ? request : { ...request, body })
    },
    now: () => conversation.settings.clock.now(),
    privateRecords: conversation.settings.privateRecords,
  }
}
