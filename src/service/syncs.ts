/** The syncs, as use cases and the server see them. */
import type { StoredConnector } from '../store/connectors.ts'
import type { Owner } from '../sync/fair-queue.ts'
import type { Wanted } from '../sync/run-sync.ts'
import type { SyncQueue, SyncRun } from '../sync/sync-queue.ts'

/** `startedAt` is null while the sync waits. */
export type StartedSync = Pick<SyncRun, 'id' | 'startedAt'>

/** How many syncs this node has. */
export type SyncLoad = SyncQueue['load']

export interface Syncs {
  /** Starts a sync now, or returns the waiting or running one, on any node. */
  start(connector: StoredConnector, wanted?: Wanted): Promise<StartedSync>
  /** The waiting or running sync of this connector, on any node. */
  running(connector: StoredConnector): Promise<StartedSync | null>
  /** Ends the sync of a connector on this node. On another node, the sync loses its lease with the connector. */
  end(connectorId: string): Promise<void>
  /** Ends the syncs of all connectors of an end user on this node. */
  endAllOf(owner: Owner): Promise<void>
  /** Starts the due syncs, and deletes the rest of removed copies. */
  look(): Promise<void>
  /** Waits until no sync is waiting or running on this node. */
  settled(): Promise<void>
  load(): SyncLoad
  close(graceMs: number): Promise<void>
}
