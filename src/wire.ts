/** What the hosted interface gives, as types: its JSON bodies, with the names they have on the wire. */
import type { ErrorCode, UpstreamComplaint } from './errors.ts'

/** A connector as callers see it. Credentials are not part of it, in any form. */
export interface ConnectorRecord {
  readonly id: string
  readonly name: string
  readonly connector_type: string
  readonly definition_id: string
  readonly external_user_id: string
  readonly auth_method: string
  readonly status: string
  readonly created_at: string
  readonly updated_at: string
  readonly sync: { readonly enabled: boolean; readonly interval_seconds: number }
}

export interface ConnectorList {
  readonly connectors: readonly ConnectorRecord[]
  readonly next_cursor: string | null
}

/** What a check of credentials found: one cheap live call, and why it failed. */
export interface Health {
  readonly status: 'healthy' | 'unhealthy'
  readonly checked: { readonly entity: string; readonly action: string }
  readonly error?: {
    readonly code: ErrorCode
    readonly title: string
    readonly detail: string
    readonly upstream?: UpstreamComplaint
  }
}

/** A sync that waits or runs. */
export interface RunRecord {
  readonly id: string
  readonly status: 'queued' | 'running'
  readonly started_at: string | null
}

/** How the copy of one entity is. */
export interface EntitySync {
  readonly entity: string
  /** `waiting` before the first pass; `failed` also when a pass was given up half-way. */
  readonly status: 'waiting' | 'running' | 'finished' | 'failed'
  readonly records: number
  /** A full pass has been finished, and no later one has failed. */
  readonly complete: boolean
  readonly synced_at: string | null
  readonly last_finished_at: string | null
  readonly next_due_at: string | null
  readonly progress: {
    readonly records: number
    readonly total: number | null
    readonly parts_done: number
    readonly parts: number | null
  } | null
  readonly last_error: { readonly code: string; readonly detail: string; readonly at: string } | null
  /** Parents whose records could not be read by the last finished pass. */
  readonly skipped: readonly { readonly parent: string; readonly code: string; readonly detail: string }[]
  readonly warnings: readonly string[]
}

/** How the copy of a connector is. */
export interface SyncRecord {
  readonly enabled: boolean
  readonly interval_seconds: number
  /** The sync that waits or runs now. */
  readonly run: RunRecord | null
  readonly next_due_at: string | null
  readonly budget: { readonly remaining: number; readonly resets_at: string } | null
  readonly entities: readonly EntitySync[]
}

/** One entry of the audit log. */
export interface AuditRecord {
  readonly id: string
  readonly event: string
  readonly at: string
  readonly client_id: string | null
  readonly external_user_id: string | null
  readonly connector_id: string | null
  readonly details: Readonly<Record<string, string | number | boolean | null>>
}

export interface AuditList {
  readonly entries: readonly AuditRecord[]
  readonly next_cursor: string | null
}

/** What became of the grant of a deleted connector at its third-party system. */
export type RevocationOutcome = 'revoked' | 'failed' | 'unsupported'

export interface DeletedEndUser {
  readonly external_user_id: string
  readonly connectors_deleted: number
  readonly grants: Readonly<Record<RevocationOutcome, number>>
}
