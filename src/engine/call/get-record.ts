/** Gets one record as the catalog declares it. */
import type { GetOperation } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'
import { ConexError } from '../../errors.ts'
import { valueAt } from '../http/value-at.ts'
import { askedFields } from '../request/selection.ts'
import { type Answer, answerOf } from './call.ts'
import type { Conversation } from './call-context.ts'
import { withFewerFields } from './fewer-fields.ts'
import { coercionOf, requestFor } from './operation-cache.ts'
import { prepare, reshaped } from './reader.ts'
import { ask } from './send-with-retries.ts'

export async function getRecord(conversation: Conversation, operation: GetOperation, params: Params): Promise<Answer> {
  const prepared = await prepare(conversation, operation, params)
  const asked = askedFields(operation, params)
  const { value: body, warnings } = await withFewerFields(operation, asked, (without) =>
    ask(conversation, requestFor(conversation, operation, prepared, without)),
  )
  const record = valueAt(body, operation.recordsAt)
  const { title } = conversation.connector
  if (record === undefined)
    throw new ConexError(
      'upstream_invalid_response',
      `${title} gave an answer without the record; repeat the call later.`,
    )
  const [found] = await reshaped(conversation, operation, [record], body, prepared)
  if (found === undefined)
    throw new ConexError('record_not_found', `${title} has no such record that may be shown; check the id.`)
  const coercion = coercionOf(operation)(asked)
  return answerOf(coercion.record(found), {}, [...warnings, ...coercion.warnings()])
}
