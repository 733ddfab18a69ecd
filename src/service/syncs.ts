/** The syncs of this node, as use cases and the server see them. */
import type { StoredConnector } from '../store/connectors.ts'
import type { Owner } from '../sync/fair-queue.ts'
import type { Wanted } from '../sync/run-sync.ts'
import type { SyncRun } from '../sync/sync-queue.ts'

/** `startedAt` is null while the sync waits. */
export type StartedSync = Pick<SyncRun, 'id' | 'startedAt'>

export interface Syncs {
  /** Starts a sync now, or gives the one that runs or waits, on whatever node. */
  start(connector: StoredConnector, wanted?: Wanted): Promise<StartedSync>
  /** What runs or waits for this connector, on whatever node. */
  running(connector: StoredConnector): Promise<StartedSync | null>
  /** Ends the sync of a connector that runs or waits here; one on another node loses its lease with the connector. */
  end(connectorId: string): Promise<void>
  /** The same for all connectors of an end user. */
  endAllOf(owner: Owner): Promise<void>
  /** Starts what is due, and deletes what is left of removed copies. */
  look(): Promise<void>
  settled(): Promise<void>
  close(graceMs: number): Promise<void>
}
