/** Types for callers who name a built-in kind, or pass a connector from outside of Conex. */
import type { Connector } from '../catalog/connector.ts'
import type { Connected, CredentialsFor } from './connector-types.ts'
import type { ConnectorKind, KindCredentials, Kinds } from './kinds.ts'
import type { KindName, LoadedKind } from './loaded-kinds.ts'

/** The name of a kind, or a connector itself. */
export type KindOrConnector = KindName | Connector

/** The client for it; for a connector inferred from its declaration. */
export type ClientOf<K extends KindOrConnector> = K extends ConnectorKind
  ? Kinds[K]
  : K extends Connector
    ? Connected<K>
    : Connected<LoadedKind<K>>

/** The credentials that it takes. */
export type CredentialsTaken<K extends KindOrConnector> = K extends ConnectorKind
  ? KindCredentials[K]
  : K extends Connector
    ? CredentialsFor<K>
    : CredentialsFor<LoadedKind<K>>

/** Its name. */
export const kindName = (kind: KindOrConnector): string => (typeof kind === 'string' ? kind : kind.kind)
