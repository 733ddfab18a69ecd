/** Shows the requested fields of an object, without empty ones. */
import { Connection, Reference } from './record.ts'
import { invalidParameter, nonexistingField, refuse } from './replies.ts'
import type { Selected } from './selection.ts'
import { type Thing, typeOf } from './types.ts'

type Json = Readonly<Record<string, unknown>>

/** Always includes the id; without a selection, the default fields. */
export function show(thing: Thing, selection: readonly Selected[] = []): Json {
  const { name: type, record, usual, empty } = typeOf(thing.kind)
  const changes = 'changes' in thing ? thing.changes : {}
  if (changes.incomplete === true && selection.some(({ name }) => name !== 'id')) refuse(incompleteCreative)
  const fields = record(thing)
  const shown: Record<string, unknown> = {}
  for (const one of selection.length > 0 ? selection : usual.map((name): Selected => ({ name }))) {
    const { name } = one
    if (!Object.hasOwn(fields, name) && !empty.has(name)) refuse(nonexistingField(name, type))
    const value = Object.hasOwn(changes, name) ? changes[name] : fields[name]
    if (value !== undefined && value !== null) shown[name] = showInside(value, one)
  }
  return { ...shown, id: fields.id }
}

/** A creative that fails every answer that would contain it. */
const incompleteCreative = invalidParameter('Invalid parameter', {
  subcode: 2446289,
  userTitle: 'Ad Creative Is Incomplete',
  userMessage: 'The ad creative is incomplete, so it cannot be shown.',
})

function showInside(value: unknown, { inside, limit = 25 }: Selected): unknown {
  if (value instanceof Reference) return show(value.to, inside)
  if (value instanceof Connection) {
    const data = value.nodes(limit).map((node) => show(node, inside))
    return { data, paging: { cursors: { before: 'MAZDZD', after: 'MQZDZD' } } }
  }
  if (inside === undefined || typeof value !== 'object' || Array.isArray(value)) return value
  const names = inside.map(({ name }) => name)
  return Object.fromEntries(Object.entries(value as Json).filter(([name]) => name === 'id' || names.includes(name)))
}
