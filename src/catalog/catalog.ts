/** The catalog of all connector kinds, and how to find kinds, entities and actions by name. */
import { ConexError } from '../errors.ts'
import type { Connector } from './connector.ts'
import { didYouMean } from './did-you-mean.ts'
import type { Entity } from './entity.ts'
import type { Operation } from './operation.ts'
import { truncate } from './truncate.ts'

export type Catalog = Readonly<Record<string, Connector>>

/** Declares the catalog; keeps the exact type of every kind. */
export const defineCatalog = <const C extends Catalog>(catalog: C): C => catalog

/** The actions of an entity. Unlike the others, search is not an operation: it reads the copy. */
export type Action = Operation['action'] | 'search'

/** Every action, in display order. */
export const actionNames = ['list', 'get', 'download', 'search'] as const satisfies readonly Action[]

/** The kind with this name or definition id, ignoring case, spaces, `_` and `-`; null if there is none. */
export function findConnector(catalog: Catalog, nameOrId: string): Connector | null {
  const wanted = foldName(nameOrId)
  for (const connector of Object.values(catalog))
    if (foldName(connector.kind) === wanted || foldName(connector.definitionId) === wanted) return connector
  return null
}

const foldName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/** The actions of an entity, in display order. */
export function actionsOf(entity: Entity): Action[] {
  return actionNames.filter((action) => (action === 'search' ? entity.searchable : entity[action]) !== undefined)
}

/** The entity with this name. If there is none, a 422 with the nearest known name. */
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

/** An action and the entity that has it. */
export interface Found {
  readonly entity: string
  readonly action: Action
}

/** The action with this name, or of this alias. If the entity does not have it, a 422 with the actions that it has. */
export function findAction(connector: Connector, entityName: string, actionName: string): Found {
  const entity = findEntity(connector, entityName)
  const actions = actionsOf(entity)
  const action = actions.find((one) => one === actionName)
  if (action !== undefined) return { entity: entityName, action }
  for (const [name, { alias }] of Object.entries(connector.entities))
    if (alias?.entity === entityName && alias.action === actionName) return { entity: name, action: 'list' }
  throw new ConexError(
    'unknown_action',
    `The entity "${entityName}" has no action "${truncate(actionName)}"; it has ${actions.join(', ')}.`,
    { issues: [{ path: '/action', message: `is not an action of ${entityName}; use ${actions.join(', ')}` }] },
  )
}

const sentence = (text: string): string => (text.endsWith('?.') ? text.slice(0, -1) : text)
