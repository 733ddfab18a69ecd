/** Follows the pages of an operation, using the paging in its description. */
import type { FieldChoice } from '../catalog/choose-fields.ts'
import type { ConnectorType } from '../catalog/describe.ts'
import type { Params } from '../catalog/rules.ts'
import type { Answer } from '../engine/call/call.ts'
import { identifierIn, identityIn, watchProgress } from '../engine/paging/progress.ts'
import type { Mode, Operation, Signal } from './mode.ts'

/** All answers of an operation. Ends with an error if its pages stop bringing anything new. */
export async function* followPages(
  operation: Operation,
  signal: Signal,
  execute: Mode['execute'],
  describe: Mode['describe'],
): AsyncGenerator<Answer, void, undefined> {
  const type = await describe(signal)
  const record = (actionOf(type, operation)?.record as object | null | undefined) ?? null
  const { fields, added } = withIdentifier(operation.fields ?? {}, record)
  const watch = watchProgress(identityIn(record))
  for (let params: Params = operation.params; ; ) {
    const answer = await execute({ ...operation, params, fields }, signal)
    yield added === null ? answer : { ...answer, result: (answer.result as object[]).map(without(added)) }
    const next = nextParams(type, { ...operation, params }, answer)
    if (next === null) return
    const problem = watch({
      records: Array.isArray(answer.result) ? answer.result : [answer.result],
      next: JSON.stringify(next),
    })
    if (problem !== null) throw problem
    params = next
  }
}

/** The chosen fields with the identifier, without which different records may look alike; `added` if it was not chosen. */
function withIdentifier(fields: FieldChoice, record: object | null): { fields: FieldChoice; added: string | null } {
  const [identifier] = (record && identifierIn(record, 1)) ?? []
  const { select_fields: select = [], exclude_fields: exclude = [] } = fields
  if (identifier === undefined) return { fields, added: null }
  if (select.length > 0)
    return select.includes(identifier)
      ? { fields, added: null }
      : { fields: { select_fields: [...select, identifier] }, added: identifier }
  return exclude.includes(identifier)
    ? { fields: { exclude_fields: exclude.filter((path) => path !== identifier) }, added: identifier }
    : { fields, added: null }
}

const without =
  (field: string) =>
  (record: object): object =>
    Object.fromEntries(Object.entries(record).filter(([name]) => name !== field))

/** The params for the page after this answer; null after the last one. */
export function nextParams(type: ConnectorType, operation: Operation, answer: Answer): Params | null {
  const { params } = operation
  const described = actionOf(type, operation)
  if (!described?.paging) return null
  const { param, next } = described.paging
  const token = valueAt(answer, next)
  if (token === undefined || token === null) return null
  const { properties } = described.params as { readonly properties?: Readonly<Record<string, { type?: string }>> }
  return { ...params, [param]: properties?.[param]?.type === 'integer' ? Number(token) : token }
}

const actionOf = (type: ConnectorType, { entity, action }: Operation) =>
  type.entities.find(({ name }) => name === entity)?.actions.find(({ name }) => name === action)

/** The value at a JSON Pointer. */
function valueAt(answer: unknown, pointer: string): unknown {
  let found = answer
  for (const step of pointer.split('/').slice(1)) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}
