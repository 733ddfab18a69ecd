/** Runs a connector's own functions, with what they are given to ask for more: requests and waits within the running call. */
import type { GetOperation, ListOperation, Operation, Reader } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'
import { queryOf, type SystemRequest } from '../request/request.ts'
import { askedFields } from '../request/selection.ts'
import type { Conversation } from './call-context.ts'
import { ask } from './send-with-retries.ts'

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

/** The params that an operation's requests are made of. */
export async function prepare(conversation: Conversation, operation: Operation, params: Params): Promise<Params> {
  return operation.prepare === undefined ? params : operation.prepare(params, readerOf(conversation))
}

/** The records in the shape that the catalog describes, where the system gives them in another. */
export async function reshaped(
  conversation: Conversation,
  operation: ListOperation | GetOperation,
  records: readonly unknown[],
  answer: unknown,
  params: Params,
): Promise<readonly unknown[]> {
  if (operation.reshape === undefined) return records
  const asked = askedFields(operation, params)
  return operation.reshape(records, { ...readerOf(conversation), answer, params, asked })
}
