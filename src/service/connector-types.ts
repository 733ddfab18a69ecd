/** The catalog as callers see it. */
import { findConnector } from '../catalog/catalog.ts'
import type { Connector } from '../catalog/connector.ts'
import { type ConnectorType, describeConnector } from '../catalog/describe.ts'
import { didYouMean } from '../catalog/did-you-mean.ts'
import { ConexError } from '../errors.ts'
import type { Service } from './service.ts'

type Described = Pick<Service, 'catalog' | 'store'>

export function connectorTypes(service: Described): ConnectorType[] {
  return Object.values(service.catalog).map((connector) => descriptionOf(service, connector))
}

export function connectorType(service: Described, nameOrId: string): ConnectorType {
  const connector = findConnector(service.catalog, nameOrId)
  if (connector !== null) return descriptionOf(service, connector)
  const known = Object.keys(service.catalog)
  const guess = didYouMean(nameOrId, known) || `; there are ${known.join(', ')}.`
  throw new ConexError('not_found', `There is no such connector type${guess}`)
}

/** Descriptions are large and never change. */
const descriptions = new WeakMap<Connector, ConnectorType>()

function descriptionOf({ store }: Described, connector: Connector): ConnectorType {
  const known = descriptions.get(connector) ?? describeConnector(connector)
  descriptions.set(connector, known)
  return { ...known, sql: known.sql && { ...known.sql, dialect: store.copies.dialect } }
}
