/** Checks a call against the catalog before anything is sent. */
import { findAction } from '../../catalog/catalog.ts'
import { checkParams } from '../../catalog/check.ts'
import { normalizeTimes } from '../../catalog/normalize-times.ts'
import type { Operation } from '../../catalog/operation.ts'
import type { Params } from '../../catalog/rules.ts'
import { searchParams } from '../../catalog/search-params.ts'
import { asSentence, ConexError, type Issue } from '../../errors.ts'
import type { Call } from './call.ts'

/** The operation that a call names and its params, checked; a null operation stands for search. */
export function checkCall({
  connector,
  entity: entityName,
  action: actionName,
  params = {},
}: Pick<Call, 'connector' | 'entity' | 'action' | 'params'>): {
  action: Operation['action']
  operation: Operation | null
  params: Params
} {
  const action = findAction(connector, entityName, actionName)
  const operation = action === 'search' ? null : connector.entities[entityName]![action]!
  const issues = checkParams(operation?.params ?? searchParams, operation?.rules, params, '/params')
  if (issues.length > 0) {
    const detail = `${entityName}.${action} cannot run with these params: ${described(issues[0]!)}`
    throw new ConexError('invalid_params', detail, { issues })
  }
  if (operation === null) return { action: 'list', operation, params: params as Params }
  return { action: operation.action, operation, params: normalizeTimes(operation.params, params as Params) }
}

/** A fault as the end of a sentence: a rule is a sentence already, any other fault names its param. */
function described({ path, message }: Issue): string {
  if (message.endsWith('.')) return message
  const name = path.replace(/^\/params\//, '').replace(/^\//, '')
  return asSentence(`${name} ${message}`)
}
