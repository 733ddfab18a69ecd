/** Checks a call against the catalog before anything is sent. */
import { findAction } from '../../catalog/catalog.ts'
import { checkOf, checkParams } from '../../catalog/check.ts'
import { type FieldChoice, fieldChoiceSchema } from '../../catalog/choose-fields.ts'
import { normalizeTimes } from '../../catalog/normalize-times.ts'
import type { Operation } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'
import { searchParams } from '../../catalog/search-params.ts'
import { ConexError, sentenceOf } from '../../errors.ts'
import type { Call } from './call.ts'

/** The operation of a call (null for a search), and its checked params. */
export interface CheckedCall {
  readonly action: Operation['action'] | 'search'
  readonly operation: Operation | null
  readonly params: Params
  readonly fields: FieldChoice
}

export function checkCall({
  connector,
  entity: entityName,
  action: actionName,
  params = {},
  fields = {},
}: Pick<Call, 'connector' | 'entity' | 'action' | 'params' | 'fields'>): CheckedCall {
  const { entity, action } = findAction(connector, entityName, actionName)
  const operation = action === 'search' ? null : connector.entities[entity]![action]!
  const issues = [
    ...checkParams(operation?.params ?? searchParams, operation?.rules, params, '/params'),
    ...checkOf(fieldChoiceSchema, '')(fields),
  ]
  if (issues.length > 0) {
    const detail = `${entity}.${action} cannot run with these params: ${sentenceOf(issues[0]!)}`
    throw new ConexError('invalid_params', detail, { issues })
  }
  return {
    action,
    operation,
    params: operation === null ? (params as Params) : normalizeTimes(operation.params, params as Params),
    fields,
  }
}
