/** The catalog as callers see it. */
import { findConnector } from '../catalog/catalog.ts'
import type { Connector } from '../catalog/connector.ts'
import { type ConnectorType, describeConnector } from '../catalog/describe.ts'
import { didYouMean } from '../catalog/did-you-mean.ts'
import { ConexError } from '../errors.ts'
import type { Service } from './service.ts'

export function connectorTypes({ catalog }: Pick<Service, 'catalog'>): ConnectorType[] {
  return Object.values(catalog).map(descriptionOf)
}

export function connectorType({ catalog }: Pick<Service, 'catalog'>, nameOrId: string): ConnectorType {
  const connector = findConnector(catalog, nameOrId)
  if (connector !== null) return descriptionOf(connector)
  const known = Object.keys(catalog)
  const guess = didYouMean(nameOrId, known) || `; there are ${known.join(', ')}.`
  throw new ConexError('not_found', `There is no such connector type${guess}`)
}

/** Descriptions are large and never change. */
const descriptions = new WeakMap<Connector, ConnectorType>()

function descriptionOf(connector: Connector): ConnectorType {
  const known = descriptions.get(connector) ?? describeConnector(connector)
  descriptions.set(connector, known)
  return known
}
