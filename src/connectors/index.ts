/** The catalog of all connector kinds, one line each. */
import { defineCatalog } from '../catalog/catalog.ts'
import { asana } from './asana/connector.ts'
import { hubspot } from './hubspot/connector.ts'
import { slack } from './slack/connector.ts'

export const catalog = defineCatalog({ slack, hubspot, asana })

export type ConnectorKind = keyof typeof catalog
