/** The live operations of a kind. */
import { actionsOf } from '../catalog/catalog.ts'
import type { Connector } from '../catalog/connector.ts'
import type { Operation } from '../catalog/operation.ts'

/** One operation of a kind, by name. */
export interface Named {
  readonly entity: string
  readonly action: Operation['action']
  readonly operation: Operation
}

/** Every live operation of a kind, in the order of the catalog. */
export const operationsOf = (connector: Connector): Named[] =>
  Object.entries(connector.entities).flatMap(([entity, declared]) =>
    actionsOf(declared)
      .filter((action) => action !== 'search')
      .map((action) => ({ entity, action, operation: declared[action]! })),
  )
