/** The catalog of all connector kinds, one line each. */
import { defineCatalog } from '../catalog/catalog.ts'
import { asana } from './asana/connector.ts'
import { facebookMarketing } from './facebook-marketing/connector.ts'
import { gong } from './gong/connector.ts'
import { hubspot } from './hubspot/connector.ts'
import { slack } from './slack/connector.ts'

export const catalog = defineCatalog({ slack, hubspot, 'facebook-marketing': facebookMarketing, gong, asana })

export type ConnectorKind = keyof typeof catalog
