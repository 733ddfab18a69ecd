/** The kind of a stored connector. */
import type { Connector } from '../catalog/connector.ts'
import { ConexError } from '../errors.ts'
import type { StoredConnector } from '../store/connectors.ts'
import { keepsCopy } from '../sync/entity-order.ts'
import type { Service } from './service.ts'

/** Throws if the catalog does not have the kind, which can come from outside, or from a newer version. */
export function kindOfConnector({ catalog }: Pick<Service, 'catalog'>, { connectorType }: StoredConnector): Connector {
  const kind = Object.hasOwn(catalog, connectorType) ? catalog[connectorType] : undefined
  if (kind === undefined)
    throw new ConexError(
      'connector_unavailable',
      `This connector is of the type "${connectorType}", which the server does not load at present; its data is kept until its operator loads it again (CONEX_CONNECTORS).`,
    )
  return kind
}

/** Whether connectors of this kind have a copy to search. */
export const isCopied = (service: Pick<Service, 'catalog'>, connector: StoredConnector): boolean =>
  connector.sync.enabled && keepsCopy(kindOfConnector(service, connector))
