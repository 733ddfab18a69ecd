/** The catalog: all connector kinds, and how they, their entities and their operations are found by name. */
import { ConexError } from '../errors.ts'
import type { Connector } from './connector.ts'
import { didYouMean } from './did-you-mean.ts'
import type { Entity } from './entity.ts'
import type { Operation } from './operation.ts'
import { truncate } from './truncate.ts'

export type Catalog = Readonly<Record<string, Connector>>

/** Declares the catalog; keeps the exact type of every kind. */
export const defineCatalog = <const C extends Catalog>(catalog: C): C => catalog

/** What a connector can do that is not an operation of its own: search reads the copy. */
export type Action = Operation['action'] | 'search'

/** Every action, in the order in which they are always shown. */
export const actionNames = ['list', 'get', 'download', 'search'] as const satisfies readonly Action[]

/** The kind with this name or definition id, without regard to case, spaces, `_` and `-`; null when there is none. */
export function findConnector(catalog: Catalog, nameOrId: string): Connector | null {
  const wanted = foldName(nameOrId)
  for (const connector of Object.values(catalog))
    if (foldName(connector.kind) === wanted || foldName(connector.definitionId) === wanted) return connector
  return null
}

const foldName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/** The actions that an entity has, in the order in which they are always shown. */
export function actionsOf(entity: Entity): Action[] {
  return actionNames.filter((action) => (action === 'search' ? entity.searchable : entity[action]) !== undefined)
}

/** The entity of this name; a 422 with the nearest known name when there is none. */
export function findEntity(connector: Connector, name: string): Entity {
  if (Object.hasOwn(connector.entities, name)) return connector.entities[name]!
  const known = Object.keys(connector.entities)
  const detail =
    known.length === 0
      ? `The ${connector.kind} connector has no entities yet.`
      : `The ${connector.kind} connector has no entity "${truncate(name)}"${didYouMean(name, known) || `; its entities are ${known.join(', ')}`}.`
  throw new ConexError('unknown_entity', sentence(detail), {
    issues: [{ path: '/entity', message: `is not an entity of ${connector.kind}${didYouMean(name, known)}` }],
  })
}

/** Whether the entity has the action; a 422 with the actions it has when it has not. */
export function findAction(connector: Connector, entityName: string, actionName: string): Action {
  const entity = findEntity(connector, entityName)
  const actions = actionsOf(entity)
  const found = actions.find((action) => action === actionName)
  if (found !== undefined) return found
  throw new ConexError(
    'unknown_action',
    `The entity "${entityName}" has no action "${truncate(actionName)}"; it has ${actions.join(', ')}.`,
    { issues: [{ path: '/action', message: `is not an action of ${entityName}; use ${actions.join(', ')}` }] },
  )
}

const sentence = (text: string): string => (text.endsWith('?.') ? text.slice(0, -1) : text)
