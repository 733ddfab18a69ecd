/** Says why there is nothing to search yet, so that the copy is not mistaken for an empty system. */
import { ConexError } from '../errors.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { EntityState } from '../store/copy.ts'
import type { Tenant } from '../store/tenant.ts'
import { nextDue } from '../sync/due.ts'
import { streamedEntities } from '../sync/entity-order.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import type { Service } from './service.ts'

/** The error of a search while nothing of the entity has been copied. */
export async function nothingToSearch(
  service: Service,
  tenant: Tenant,
  connector: StoredConnector,
  entity: string,
): Promise<ConexError> {
  const kind = kindOfConnector(service, connector)
  const nothing = `Nothing of ${entity} has been copied yet`
  if (connector.status === 'reauthorization_required')
    return new ConexError(
      'reauthorization_required',
      `${nothing}, and ${kind.title} rejects the credentials of this connector; let the end user consent again, or replace the credentials (PATCH with {"credentials": {…}}).`,
    )
  const [states, run] = await Promise.all([
    service.store.copies.states(tenant, connector.id),
    service.syncs.running(connector),
  ])
  const names = streamedEntities(kind).map((streamed) => streamed.entity)
  const state = states.find((known) => known.entity === entity)
  const why = run === null || state?.status === 'failed' ? waiting() : underWay(run.startedAt === null)
  return new ConexError('search_unavailable', `${nothing}: ${why}.`)

  function underWay(waits: boolean): string {
    if (waits) return 'the first sync waits for its turn; try again in a minute'
    const done = states.filter(({ syncedAt }) => syncedAt !== null).length
    return `the first sync is under way, with ${done} of ${names.length} entities finished${progressOf(state)}; try again in a minute`
  }

  function waiting(): string {
    const due = nextDue(connector, states, [entity], service.now())
    const isDue = run !== null || due === null || due <= service.now()
    const failed = state?.lastError ?? null
    if (failed === null)
      return isDue
        ? 'the first sync is about to start; try again in a minute'
        : `the first sync starts at ${timeOf(due)}; try again then`
    // The detail is already a sentence.
    const reason = `the last sync of it failed with ${failed.code} (${failed.detail.replace(/\.$/, '')})`
    return isDue
      ? `${reason}, and is about to be tried again; search again in a minute`
      : `${reason}, and is tried again at ${timeOf(due)}; search again then`
  }
}

const timeOf = (moment: number): string => new Date(moment).toISOString()

/** The progress of the first pass over the entity. */
function progressOf(state: EntityState | undefined): string {
  if (state?.status !== 'running' || state.progress === null) return ''
  const { records, total, partsDone, parts } = state.progress
  const of = total === null ? '' : ` of ${total}`
  return `, and ${records}${of} records${parts === null ? '' : ` in ${partsDone} of ${parts} parts`} of this one read`
}
