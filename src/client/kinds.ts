/**
 * The connector kinds as callers see them, inferred from the catalog. The published package replaces the declarations
 * of this file with printed ones (`src/cli/docs/kinds-declarations.ts`), so that editors describe each param and field.
 */
import type { catalog } from '../connectors/index.ts'
import type { Connected, CredentialsFor } from './connector-types.ts'

export type ConnectorKind = keyof typeof catalog

/** The client for each kind. */
export type Kinds = { readonly [K in ConnectorKind]: Connected<(typeof catalog)[K]> }

/** The credentials for each kind: the fields of one of its auth methods. */
export type KindCredentials = { readonly [K in ConnectorKind]: CredentialsFor<(typeof catalog)[K]> }
