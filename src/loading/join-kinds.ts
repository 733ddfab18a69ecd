/** Joins the kinds from outside with those of Conex. No two kinds may have a name in common. */
import type { Catalog } from '../catalog/catalog.ts'
import type { Connector } from '../catalog/connector.ts'
import { ConexError } from '../errors.ts'
import type { LoadedKind } from './load-kinds.ts'

/** One catalog of all. Throws one sentence if a kind has the name or id of another. */
export function joinKinds(own: Catalog, loaded: readonly LoadedKind[]): Catalog {
  const catalog: Record<string, Connector> = { ...own }
  const taken = new Map(Object.values(own).flatMap((connector) => namesOf(connector).map((name) => [name, connector])))
  for (const { connector, from } of loaded) {
    for (const name of namesOf(connector)) {
      const other = taken.get(name)
      if (other !== undefined)
        throw new ConexError('invalid_request', `${from}: ${meeting(connector, other)}; choose another one.`)
      taken.set(name, connector)
    }
    catalog[connector.kind] = connector
  }
  return catalog
}

function meeting(connector: Connector, other: Connector): string {
  if (fold(connector.kind) === fold(other.kind)) return `kind "${connector.kind}" is the name of ${other.title}`
  if (fold(connector.definitionId) === fold(other.definitionId))
    return `definitionId "${connector.definitionId}" is the id of ${other.title}`
  return `kind "${connector.kind}" and one of its entities together make a name of ${other.title}`
}

/** Callers find kinds by name and id; tools and views of copies are named for kind and entity together. */
const namesOf = ({ kind, definitionId, entities }: Connector): string[] => [
  `kind ${fold(kind)}`,
  `kind ${fold(definitionId)}`,
  ...Object.keys(entities).map((entity) => `entity ${kind.replaceAll('-', '_')}_${entity}`),
]

const fold = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
