/** Finds the kind that a command names. */
import { type Catalog, findConnector } from '../catalog/catalog.ts'
import type { Connector } from '../catalog/connector.ts'
import { didYouMean } from '../catalog/did-you-mean.ts'
import { ConexError } from '../errors.ts'

/** The kind of the catalog with this name; if there is none, an error with the nearest known name. */
export function findKind(catalog: Catalog, name: string): Connector {
  const found = findConnector(catalog, name)
  if (found !== null) return found
  const kinds = Object.keys(catalog)
  const hint = didYouMean(name, kinds) || `; use one of ${kinds.join(', ')}.`
  throw new ConexError('invalid_request', `There is no connector kind "${name}"${hint}`)
}
