/** Shows the requested fields of a node, without empty ones. */
import type { Account } from './accounts.ts'
import { Connection, Reference } from './field-table.ts'
import { accountType, type NodeType, nodeTypes } from './node-types.ts'
import { invalidParameter, refuse } from './replies.ts'
import type { Selected } from './selection.ts'
import type { Node, World } from './world.ts'

type Json = Record<string, unknown>

export function showNode(node: Node, selection: readonly Selected[] | undefined, world: World): Json {
  const changes = world.changesOf(node)
  if (changes.incomplete === true && selection?.some(({ name }) => name !== 'id')) refuse(incompleteCreative)
  return show(node, nodeTypes[node.kind], selection, world, changes)
}

/** A creative that fails every answer that would contain it. */
const incompleteCreative = invalidParameter('Invalid parameter', {
  subcode: 2446289,
  userTitle: 'Ad Creative Is Incomplete',
  userMessage: 'The ad creative is incomplete, so it cannot be shown.',
})

export function showAccount(account: Account, selection: readonly Selected[] | undefined, world: World): Json {
  return show(account, accountType, selection, world, {})
}

/** Any node; always includes the id. */
export function show<T>(
  node: T,
  type: NodeType<T>,
  selection: readonly Selected[] | undefined,
  world: World,
  changes: Readonly<Json>,
): Json {
  const asked = selection ?? type.usual.map((name): Selected => ({ name }))
  const shown: Json = {}
  for (const one of asked) {
    const field = Object.hasOwn(type.fields, one.name) ? type.fields[one.name] : undefined
    if (field === undefined)
      refuse(invalidParameter(`Tried accessing nonexisting field (${one.name}) on node type (${type.name})`))
    const value = Object.hasOwn(changes, one.name) ? changes[one.name] : field(node, world)
    if (value !== undefined && value !== null) shown[one.name] = shape(value, one, world)
  }
  if (shown.id === undefined) shown.id = type.fields.id!(node, world)
  return shown
}

function shape(value: unknown, { inside, limit }: Selected, world: World): unknown {
  if (value instanceof Reference) return showReference(value, inside, world)
  if (value instanceof Connection) {
    const data = value.nodes(limit ?? 25).map((node) => showNode(node, inside, world))
    return { data, paging: { cursors: { before: 'MAZDZD', after: 'MQZDZD' } } }
  }
  if (inside === undefined || typeof value !== 'object' || Array.isArray(value)) return value
  const names = inside.map(({ name }) => name)
  return Object.fromEntries(Object.entries(value as Json).filter(([name]) => name === 'id' || names.includes(name)))
}

function showReference({ to }: Reference, inside: readonly Selected[] | undefined, world: World): Json {
  const idAlone: readonly Selected[] = [{ name: 'id' }]
  return 'kind' in to ? showNode(to, inside ?? idAlone, world) : showAccount(to, inside, world)
}
