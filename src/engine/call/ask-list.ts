/** Asks for a list, whose refusals may mean something else than those of other operations. */
import type { ListOperation } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'
import { ConexError } from '../../errors.ts'
import type { SystemRequest } from '../request/request.ts'
import type { Conversation } from './call-context.ts'
import { ask } from './send-with-retries.ts'

/** The answer to a list; a refusal may stand for one. */
export function askList(
  conversation: Conversation,
  { readRefusal }: ListOperation,
  params: Params,
  request: SystemRequest,
): Promise<unknown> {
  const answer = ask(conversation, request)
  if (readRefusal === undefined) return answer
  return answer.catch((error: unknown) => {
    if (!(error instanceof ConexError) || error.upstream === undefined) throw error
    const { status, message } = error.upstream
    const read = readRefusal({ code: error.code, status: status ?? 0, message: message ?? '' }, params)
    if (read === null) throw error
    if ('answer' in read) return read.answer
    const said = error.upstream.message ? ` It said: ${error.upstream.message}` : ''
    throw new ConexError(read.code, read.detail + said, { upstream: error.upstream })
  })
}
