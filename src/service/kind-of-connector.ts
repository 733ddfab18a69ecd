/** The kind of a stored connector. */
import type { Connector } from '../catalog/connector.ts'
import type { StoredConnector } from '../store/connectors.ts'
import { keepsCopy } from '../sync/entity-order.ts'
import type { Service } from './service.ts'

/** Throws if the catalog does not have the kind, which happens after a return to an older version. */
export function kindOfConnector(
  { catalog }: Pick<Service, 'catalog'>,
  { connectorType, id }: StoredConnector,
): Connector {
  const kind = Object.hasOwn(catalog, connectorType) ? catalog[connectorType] : undefined
  if (kind === undefined)
    throw new Error(`Connector ${id} is of the kind "${connectorType}", which this version does not have.`)
  return kind
}

/** Whether connectors of this kind have a copy to search. */
export const isCopied = (service: Pick<Service, 'catalog'>, connector: StoredConnector): boolean =>
  connector.sync.enabled && keepsCopy(kindOfConnector(service, connector))
