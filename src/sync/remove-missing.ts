/** At the end of a full pass: finds out about the records that it did not meet, and removes those that are gone. */
import type { Stream } from '../catalog/stream.ts'
import { ConexError, type ErrorCode } from '../errors.ts'
import { parseQuery } from '../search/parse-query.ts'
import type { Condition } from '../search/query.ts'
import { hitsIn, type Pass } from '../store/copy.ts'
import { mostSkipped, type Skipped } from './skipped.ts'
import { keyOf, type SyncContext } from './sync-context.ts'
import { oldestOf } from './time-windows.ts'

/** More are left to the next full pass, which costs nothing more. */
const mostAsked = 1000
const askedTogether = 100
/** Where so many of a large entity are missing at once, the lists are doubted rather than the records. */
const fewestToDoubt = 20

/** Refusals that are about one record and do not tell whether it is there: it goes with the second pass that does not meet it. */
const leftOpen: ReadonlySet<ErrorCode> = new Set([
  'upstream_forbidden',
  'upstream_plan_required',
  // An id that the system itself does not take, or that no address can carry.
  'upstream_refused',
  'invalid_params',
])

/** Of a copy of more, most may go with the next full pass that does not meet them either. */
const fewestToLookAgain = 100

/** Sentences for the operator: why the pass fails, since too much would have gone, or why the next one looks again. */
interface Removal {
  readonly refused: string | null
  readonly doubt: string | null
}

/** `doubted` says that the last full pass left it to this one to remove most of the copy. */
export async function removeMissing(
  run: SyncContext,
  entity: string,
  stream: Stream,
  pass: Pass,
  skipped: readonly Skipped[],
  doubted: boolean,
): Promise<Removal> {
  // So many lists were refused that nothing is known about the rest.
  if (skipped.length > mostSkipped) return { refused: null, doubt: null }
  const filter = covered(run, stream, pass, skipped)
  await askForMissing(run, entity, stream, filter)
  await run.betweenPages()
  const searchable = run.kind.entities[entity]!.searchable!
  const within: Condition | null = filter === null ? null : parseQuery(searchable, { query: { filter } }).filter
  const swept = await run.copies.sweep(run.tenant, keyOf(run, entity), run.lease, {
    ...(within !== null && { within }),
    evenMost: doubted,
  })
  if (swept.outcome === 'refused' && swept.records <= fewestToLookAgain) return { refused: swept.reason, doubt: null }
  const records = swept.outcome === 'refused' ? swept.records : await recordsOf(run, entity)
  const missing = swept.outcome === 'refused' ? swept.wouldRemove : swept.missing
  const doubt =
    records > fewestToLookAgain && missing * 2 > records
      ? `${missing} of ${records} records were not met; none of them was removed, and the next sync looks once more before it removes them. Check what the credentials may see.`
      : null
  return { refused: null, doubt }
}

const recordsOf = async (run: SyncContext, entity: string): Promise<number> =>
  (await run.copies.states(run.tenant, run.connectorId)).find((state) => state.entity === entity)?.records ?? 0

/** The filter that finds what the pass read about; null for everything. */
function covered(run: SyncContext, stream: Stream, pass: Pass, skipped: readonly Skipped[]): object | null {
  const filters: object[] = []
  const startedAt = Date.parse(pass.startedAt)
  for (const { windows, over } of stream.listings) {
    if (windows !== undefined) {
      const { field, margin, write } = windows
      filters.push(
        {
          gte: {
            [field]: write(oldestOf(windows, { startedAt, startDate: run.startDate }, undefined) + margin * 1000),
          },
        },
        { lt: { [field]: write(startedAt - margin * 1000) } },
      )
    }
    // A list that could not be read says nothing about what it would have held.
    for (const { parent, span } of skipped) {
      const about: object[] = parent === null || over === undefined ? [] : [over.children({ id: parent, data: {} })]
      if (span !== null && windows !== undefined) {
        const { field, margin, write } = windows
        about.push({ gte: { [field]: write(span.from - margin * 1000) } })
        if (span.to !== null) about.push({ lt: { [field]: write(span.to + margin * 1000) } })
      }
      if (about.length > 0) filters.push({ not: { and: about } })
    }
  }
  return filters.length === 0 ? null : { and: filters }
}

/** Asks for the missing records one by one, where the system can be asked. */
async function askForMissing(run: SyncContext, entity: string, stream: Stream, filter: object | null): Promise<void> {
  const { confirm } = stream
  if (confirm === undefined) return
  const { tenant, copies, lease } = run
  const key = keyOf(run, entity)
  const missing = await copies.unmetIds(tenant, key, mostAsked + 1, null)
  if (missing.length === 0 || missing.length > mostAsked) return
  const records = await recordsOf(run, entity)
  if (records >= fewestToDoubt && missing.length * 2 > records) return
  for (let first = 0; first < missing.length; first += askedTogether)
    for (const id of await amongCovered(missing.slice(first, first + askedTogether))) {
      await run.betweenPages()
      const asked = await ask(id)
      if (asked !== null) await copies.commit(tenant, key, lease, asked, null)
    }

  /** Null where the answer leaves it open. */
  async function ask(id: string) {
    try {
      const record = await run.reader.record(confirm!.get, { [confirm!.param]: id })
      return { records: [{ id, data: record }] }
    } catch (error) {
      if (!(error instanceof ConexError)) throw error
      if (error.code === 'record_not_found') return { records: [], gone: [id] }
      if (leftOpen.has(error.code)) return null
      throw error
    }
  }

  async function amongCovered(ids: readonly string[]): Promise<readonly string[]> {
    if (filter === null) return ids
    const searchable = run.kind.entities[entity]!.searchable!
    const values = searchable[confirm!.field] === 'integer' ? ids.map(BigInt) : ids
    const query = parseQuery(searchable, {
      query: { filter: { and: [filter, { in: { [confirm!.field]: values } }] } },
      fields: [],
      limit: askedTogether,
    })
    return hitsIn(await copies.search(tenant, key, query)).map(({ id }) => id)
  }
}
