/** Reads one record, as the catalog declares it. */
import type { GetOperation } from '../../catalog/operation.ts'
import { ConexError } from '../../errors.ts'
import { valueAt } from '../http/value-at.ts'
import { type Answer, answerOf } from './call.ts'
import type { CallContext } from './call-context.ts'
import { coercionOf } from './coerce.ts'
import { withFewerFields } from './fewer-fields.ts'
import { type Asked, prepare, requestOf, reshape } from './prepare.ts'
import { sendWithRetries } from './send-with-retries.ts'

export async function getRecord(context: CallContext, asked: Asked<GetOperation>): Promise<Answer> {
  const get = await prepare(context, asked)
  const { title } = context.connector
  const { value: body, warnings } = await withFewerFields(get, (without) =>
    sendWithRetries(context, requestOf(get, without)),
  )
  const record = valueAt(body, get.operation.recordsAt)
  if (record === undefined)
    throw new ConexError(
      'upstream_invalid_response',
      `${title} gave an answer without the record; repeat the call later.`,
    )
  const [found] = await reshape(get, [record], body)
  if (found === undefined)
    throw new ConexError('record_not_found', `${title} has no such record that may be shown; check the id.`)
  const coercion = coercionOf(get.operation)(get.selected?.fields)
  return answerOf(coercion.record(found), {}, [...warnings, ...coercion.warnings()])
}
