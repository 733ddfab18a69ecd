/** The catalog of all connector kinds, one line each. */
import { defineCatalog } from '../catalog/catalog.ts'
import { asana } from './asana/connector.ts'
import { gong } from './gong/connector.ts'

export const catalog = defineCatalog({ asana, gong })

export type ConnectorKind = keyof typeof catalog
