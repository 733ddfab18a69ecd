/** The parts that every use case works with. */
import type { Catalog } from '../catalog/catalog.ts'
import type { Engine } from '../engine/engine.ts'
import type { PlatformApplication } from '../engine/settings.ts'
import type { Log } from '../log.ts'
import type { SyncChoice } from '../store/connectors.ts'
import type { Store } from '../store/store.ts'
import type { Events } from './create-events.ts'
import type { Measures } from './measures.ts'
import type { Renewals } from './renewals.ts'
import type { Sealer } from './sealing.ts'
import type { Syncs } from './syncs.ts'
import type { Unsaved } from './unsaved.ts'

export interface ServiceSettings {
  /** Addresses of systems that the operator chose, by connector kind. */
  readonly baseUrls: Readonly<Record<string, string>>
  /** The applications that are registered with systems, by connector kind. */
  readonly applications: Readonly<Record<string, PlatformApplication>>
  /** The address at which browsers reach the service. */
  readonly publicUrl: () => string
  /** The settings of a connector's copy, unless its creator sets others. */
  readonly sync: SyncChoice
  /** False if syncs run only on request. */
  readonly syncsByItself: boolean
  /** Whether webhooks may have private addresses and plain http. */
  readonly allowPrivateNetwork: boolean
  /** Whether callers may send requests of their own, if their token allows it. */
  readonly rawRequests: boolean
  /** How many downloads of one connector, and of one end user, may run at the same time. */
  readonly downloadsAtOnce: { readonly connector: number; readonly endUser: number }
}

export interface Service {
  readonly catalog: Catalog
  readonly engine: Engine
  readonly store: Store
  readonly sealer: Sealer
  readonly renewals: Renewals
  readonly unsaved: Unsaved
  readonly syncs: Syncs
  readonly events: Events
  readonly settings: ServiceSettings
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Log
  /** Learns how work went. */
  readonly measures: Measures
}

/** The time in its stored and displayed form. */
export const timestamp = (service: Pick<Service, 'now'>): string => new Date(service.now()).toISOString()
