/** The catalog of all connector kinds, one line each. */
import { defineCatalog } from '../catalog/catalog.ts'
import { asana } from './asana/connector.ts'
import { facebookMarketing } from './facebook-marketing/connector.ts'
import { gong } from './gong/connector.ts'

export const catalog = defineCatalog({ asana, 'facebook-marketing': facebookMarketing, gong })

export type ConnectorKind = keyof typeof catalog
