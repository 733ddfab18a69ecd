/**
 * The connector kinds as callers see them, inferred from the catalog. In the published package the declarations of this file are
 * printed from the catalog instead (`src/cli/docs/kinds-declarations.ts`), so that editors show what each param and field is.
 */
import type { catalog } from '../connectors/index.ts'
import type { Connected, CredentialsFor } from './connector-types.ts'

export type ConnectorKind = keyof typeof catalog

/** What a connection to a system of each kind offers. */
export type Kinds = { readonly [K in ConnectorKind]: Connected<(typeof catalog)[K]> }

/** The credentials that each kind takes: the fields of one of its auth methods. */
export type KindCredentials = { readonly [K in ConnectorKind]: CredentialsFor<(typeof catalog)[K]> }
