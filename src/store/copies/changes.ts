/** What passes have changed in a copy: counted with each page, and told in an event when a pass ends. */
import { writeEvents } from '../events.ts'
import type { Steps } from '../sql/steps.ts'
import type { Tenant } from '../tenant.ts'
import type { CopyToWrite } from './rows.ts'

/** The counts of a copy once they are told. */
export const toldChanges = { inserted: 0, updated: 0, deleted: 0 } as const

/** Writes the event of the changes that were not told yet. Comes last in its transaction. */
export function* tellChanges(tenant: Tenant, copy: CopyToWrite, at: string): Steps<void> {
  const { connectorId, externalUserId, connectorType, entity, inserted, updated, deleted } = copy
  if (inserted === 0 && updated === 0 && deleted === 0) return
  const details = { entity, inserted, updated, deleted }
  yield* writeEvents(tenant, { connectorId, externalUserId, connectorType }, { type: 'records.changed', at, details })
}
