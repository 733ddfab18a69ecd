/** At the end of a full pass, asks the system for the records that it did not meet, and removes those that are gone. */
import { UnsoundList } from '../engine/paging/progress.ts'
import { ConexError, type ErrorCode } from '../errors.ts'
import { parseQuery } from '../search/parse-query.ts'
import { passOver, sweep } from '../store/copies/sweeps.ts'
import type { SyncedPage } from '../store/copy.ts'
import { mostSkipped, type Skipped } from './skipped.ts'
import { countRecords, type PassContext } from './sync-context.ts'
import { oldestOf } from './time-windows.ts'

/** More missing records are left to the next full pass, which costs nothing more. */
const mostAsked = 1000
/** When most of a copy of at least this many records is missing, the lists are more likely at fault than the records gone. */
const fewestToDoubt = 20
/** Of a copy of this many, most may go with the second full pass that does not meet them. Of a smaller one, most never go. */
const fewestToLookAgain = 101

/** Refusals that do not tell whether a record exists. It goes with the second full pass that does not meet it. */
const leftOpen: ReadonlySet<ErrorCode> = new Set([
  'upstream_forbidden',
  'upstream_plan_required',
  // An id that the system does not take, or that no URL can carry.
  'upstream_refused',
  'invalid_params',
])

/** Returns a warning for the operator if most records are missing, so that the next pass must read everything again. */
export async function removeMissing(context: PassContext, skipped: readonly Skipped[]): Promise<string | null> {
  // The state cannot name everything that was skipped, so a missing record may be one of those.
  if (skipped.length > mostSkipped) return null
  const { tenant, copies, copy, lease, searchable, last } = context
  const covered = filterOfCovered(context, skipped)
  const within = covered === null ? undefined : parseQuery(searchable, { query: { filter: covered } }).filter
  if (within !== undefined) await passOver(copies, tenant, copy, lease, within)
  await askForMissing(context)
  await context.betweenPages()
  const swept = await sweep(copies, tenant, copy, lease, last.doubted)
  const records = await countRecords(context, context.entity)
  if (swept.outcome === 'refused' && records < fewestToLookAgain) throw new UnsoundList(swept.reason)
  const missing = swept.outcome === 'refused' ? swept.wouldRemove : swept.missing
  return isMost(missing, records, fewestToLookAgain)
    ? `${missing} of ${records} records were not met; none of them was removed, and the next sync looks once more before it removes them. Check what the credentials may see.`
    : null
}

const isMost = (missing: number, records: number, fewest: number): boolean => records >= fewest && missing * 2 > records

/** The filter of the records that the pass has read about; null for all. */
function filterOfCovered({ stream, reach, closed }: PassContext, skipped: readonly Skipped[]): object | null {
  const filters: object[] = closed?.size ? [{ not: { in: { [stream.closed!.field]: [...closed] } } }] : []
  for (const { windows, over } of stream.listings) {
    const within = (from: number, to: number | null, margin: number): object[] => {
      const at = (moment: number) => ({ [windows!.field]: windows!.write(moment) })
      return [{ gte: at(from - margin) }, ...(to === null ? [] : [{ lt: at(to + margin) }])]
    }
    const margin = (windows?.margin ?? 0) * 1000
    if (windows !== undefined) filters.push(...within(oldestOf(windows, reach), reach.startedAt, -margin))
    // A list that could not be read says nothing about its records.
    for (const { parent, window } of skipped) {
      const about: object[] = parent === null || over === undefined ? [] : [over.children({ id: parent, data: {} })]
      if (window !== null && windows !== undefined) about.push(...within(window.from, window.to, margin))
      if (about.length > 0) filters.push({ not: { and: about } })
    }
  }
  return filters.length === 0 ? null : { and: filters }
}

/** Asks for the missing records one by one, where the system can be asked. */
async function askForMissing(context: PassContext): Promise<void> {
  const { stream, tenant, copies, copy, lease } = context
  const { confirm } = stream
  if (confirm === undefined) return
  const missing = await copies.unmetIds(tenant, copy, mostAsked + 1)
  if (missing.length === 0 || missing.length > mostAsked) return
  if (isMost(missing.length, await countRecords(context, context.entity), fewestToDoubt)) return
  for (const id of missing) {
    await context.betweenPages()
    const page = await ask(id)
    if (page !== null) await copies.commit(tenant, copy, lease, page)
  }

  /** Null where the answer does not tell. */
  async function ask(id: string): Promise<SyncedPage | null> {
    try {
      return { records: [{ id, data: await context.reader.record(confirm!.get, { [confirm!.param]: id }) }] }
    } catch (error) {
      if (!(error instanceof ConexError)) throw error
      if (error.code === 'record_not_found') return { records: [], gone: [id] }
      if (leftOpen.has(error.code)) return null
      throw error
    }
  }
}
