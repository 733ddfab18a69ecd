/** What local mode is given. */
import type { EngineSettings } from '../engine/settings.ts'
import type { ConnectorKind, KindCredentials } from './kinds.ts'

export interface LocalOptions<K extends ConnectorKind = ConnectorKind> {
  /** The fields of one of the kind's auth methods. */
  readonly credentials: KindCredentials[K]
  /** Another address for the system, for example a simulator's. */
  readonly baseUrl?: string
  /** Lets calls reach private addresses and plain http; needed for a simulator. */
  readonly allowPrivateNetwork?: boolean
  /** Milliseconds for a whole call, all tries included; 60,000 when left out. */
  readonly timeout?: number
  /** Called with the whole new set whenever credentials were renewed, before they are used; keep it. */
  readonly onCredentialsRenewed?: (credentials: KindCredentials[K]) => void | Promise<void>
  /** Finer settings of the engine. */
  readonly engine?: Partial<EngineSettings>
}
