/** Options for local mode. */
import type { EngineSettings } from '../engine/settings.ts'
import type { CredentialsTaken, KindOrConnector } from './kind-or-connector.ts'
import type { KindName } from './loaded-kinds.ts'

export interface LocalOptions<K extends KindOrConnector = KindName> {
  /** The fields of one of the kind's auth methods. */
  readonly credentials: CredentialsTaken<K>
  /** Another address for the system, for example a simulator's. */
  readonly baseUrl?: string
  /** Allow private addresses and plain http; needed for a simulator. */
  readonly allowPrivateNetwork?: boolean
  /** Milliseconds for a whole call, including retries; 60,000 by default. */
  readonly timeout?: number
  /** Called with all credentials whenever they were renewed, before they are used. Save them. */
  readonly onCredentialsRenewed?: (credentials: CredentialsTaken<K>) => void | Promise<void>
  /** Further settings of the engine. */
  readonly engine?: Partial<EngineSettings>
}
