/** The port through which use cases tell how their work went, for metrics. It names kinds, never tenants. */

export type SyncOutcome = 'finished' | 'failed' | 'stopped' | 'lost'
export type RenewalOutcome = 'renewed' | 'refused' | 'failed'

export interface Measures {
  synced(kind: string, outcome: SyncOutcome, milliseconds: number): void
  renewed(kind: string, outcome: RenewalOutcome): void
}
