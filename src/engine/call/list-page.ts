/** Reads one page of a list in five steps: prepare, request, send, page, coerce. */
import { setImmediate } from 'node:timers/promises'
import type { AnswerPage, ListOperation } from '../../catalog/operation.ts'
import { plainText } from '../../catalog/plain-value.ts'
import { truncate } from '../../catalog/truncate.ts'
import { ConexError } from '../../errors.ts'
import { valueAt } from '../http/value-at.ts'
import type { Fetch, Page, Query } from '../paging/page.ts'
import type { PageSize } from '../paging/page-size.ts'
import { pageByStyle } from '../paging/paging.ts'
import { PageTooLarge, RecordBroken } from '../recoverable-refusal.ts'
import type { Warning } from '../warning.ts'
import type { StreamPage } from './call.ts'
import type { CallContext } from './call-context.ts'
import { coercionOf, identityOf } from './coerce.ts'
import { withFewerFields } from './fewer-fields.ts'
import { listNotFound, sendList } from './list-refusals.ts'
import { type Asked, type Prepared, prepare, requestOf, reshape } from './prepare.ts'

export async function listPage(
  context: CallContext,
  asked: Asked<ListOperation>,
  size?: PageSize,
): Promise<StreamPage> {
  try {
    const list = await prepare(context, asked)
    const { value: page, warnings } = await withFewerFields(list, (without) => pageOf(list, without, size))
    const coerced = await coerce(list, page.records)
    return { ...page, ...coerced, warnings: [...warnings, ...(page.warnings ?? []), ...coerced.warnings] }
  } catch (error) {
    if (!(error instanceof ConexError) || error.code !== 'record_not_found') throw error
    throw listNotFound(context.connector.title, asked, error)
  }
}

/** Returns the answer to a query. */
type Ask = (query: Query, canShrink: boolean) => Promise<unknown>

/**
 * One page: by the operation's detour if even the smallest page is too large for the usual way, and past a record
 * that fails every page it is on.
 */
async function pageOf(
  list: Prepared<ListOperation>,
  without: ReadonlySet<string>,
  size: PageSize | undefined,
): Promise<Page> {
  const { operation, params: query, reader } = list
  const { paging, detour, stepOver } = operation
  const page = (ask: Ask, ofSize?: PageSize) => pageByStyle(operation, query, fetchWith(list, ask), ofSize)
  const usual: Ask = (sent, canShrink) => sendList(list, requestOf(list, without, sent), sent, canShrink)
  // A detour has its own page sizes.
  const by = (answer: AnswerPage) =>
    page((sent) => answer({ ...reader, params: sent, query: requestOf(list, without, sent).query ?? {} }))
  if (detour?.owns(query)) return by(detour.answer)
  try {
    return await page(usual, size)
  } catch (error) {
    if (error instanceof RecordBroken && stepOver !== undefined) {
      size?.steppedOver()
      const broken = await by(stepOver)
      return { ...broken, warnings: [...(broken.warnings ?? []), ...warningsOfBroken(operation, broken.records)] }
    }
    // A page token belongs to the way that issued it, so only a first page can still take the detour.
    const isFirst = paging.style !== 'cursor' || query[paging.cursor] === undefined
    if (error instanceof PageTooLarge && detour !== undefined && isFirst) return by(detour.answer)
    throw error
  }
}

/** Warns that the records of a page are incomplete. */
function warningsOfBroken({ record }: ListOperation, records: readonly unknown[]): Warning[] {
  const identity = identityOf(record)
  return records.map((one, index) => ({
    path: `/result/${index}/${identity ?? ''}`,
    message: `is all that the third-party system gives of a record which fails every page it is on${
      identity === undefined ? '' : ` (record ${truncate(plainText(valueAt(one, [identity])))})`
    }`,
  }))
}

const fetchWith =
  (list: Prepared<ListOperation>, ask: Ask): Fetch =>
  async (query, canShrink = false) => {
    const body = await ask(query, canShrink)
    const { recordsAt, entriesAs } = list.operation
    const found = valueAt(body, recordsAt)
    const records = entriesAs === undefined ? found : recordsOf(found, entriesAs)
    if (!Array.isArray(records))
      throw new ConexError(
        'upstream_invalid_response',
        `${list.context.connector.title} gave an answer without its list of records; repeat the call later.`,
      )
    return { body, records: await reshape(list, records, body, query), listed: records.length }
  }

/** The entries of an object as records. */
function recordsOf(found: unknown, [key, value]: NonNullable<ListOperation['entriesAs']>): unknown {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined
  return Object.entries(found).map(([name, held]) => ({ [key]: name, [value]: held }))
}

/** On longer pages, the weight of the records is checked, and other work runs after this many. */
const mostUsual = 1_000

/** The weight of a field in a record and in its JSON, with its name. */
const weightOfNull = 32

/** The records with their declared types. */
async function coerce(
  { context: { room, signal }, operation, selected }: Prepared<ListOperation>,
  found: readonly unknown[],
): Promise<Pick<StreamPage, 'records' | 'warnings'>> {
  // Every required field that a record lacks becomes null, so empty records grow.
  const fields = selected?.fields.size ?? operation.record.required?.length ?? 0
  if (found.length > mostUsual) await room.take(found.length * fields * weightOfNull, signal)
  const coercion = coercionOf(operation)(selected?.fields)
  const records: unknown[] = []
  for (const record of found) {
    if (records.length % mostUsual === mostUsual - 1) await setImmediate()
    records.push(coercion.record(record, records.length))
  }
  return { records: records as StreamPage['records'], warnings: coercion.warnings() }
}
