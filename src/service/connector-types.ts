/** The catalog as callers see it. */
import { findConnector } from '../catalog/catalog.ts'
import { type ConnectorType, describeConnector } from '../catalog/describe.ts'
import { didYouMean } from '../catalog/did-you-mean.ts'
import { ConexError } from '../errors.ts'
import type { Service } from './service.ts'

export function connectorTypes({ catalog }: Pick<Service, 'catalog'>): ConnectorType[] {
  return Object.values(catalog).map(describeConnector)
}

export function connectorType({ catalog }: Pick<Service, 'catalog'>, nameOrId: string): ConnectorType {
  const connector = findConnector(catalog, nameOrId)
  if (connector !== null) return describeConnector(connector)
  const known = Object.keys(catalog)
  const guess = didYouMean(nameOrId, known) || `; there are ${known.join(', ')}.`
  throw new ConexError('not_found', `There is no such connector type${guess}`)
}
