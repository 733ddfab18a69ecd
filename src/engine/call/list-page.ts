/** Reads one page of a list: by the operation's paging style, past refused fields, and with its records as declared. */

import { setImmediate } from 'node:timers/promises'
import type { AnswerPage, ListOperation } from '../../catalog/operation.ts'
import { plainText } from '../../catalog/plain-value.ts'
import type { Params } from '../../catalog/rules.ts'
import { truncate } from '../../catalog/truncate.ts'
import { ConexError } from '../../errors.ts'
import { valueAt } from '../http/value-at.ts'
import { cursorPage, numberedPage, walkedPage } from '../paging/cursor.ts'
import type { Fetch, Page } from '../paging/page.ts'
import type { PageSize } from '../paging/page-size.ts'
import { identityIn } from '../paging/progress.ts'
import { timePage } from '../paging/time.ts'
import { wholePage } from '../paging/whole.ts'
import { askedFields } from '../request/selection.ts'
import { askList } from './ask-list.ts'
import type { StreamPage } from './call.ts'
import type { Conversation } from './call-context.ts'
import { withFewerFields } from './fewer-fields.ts'
import { listNotFound } from './list-not-found.ts'
import { coercionOf, identityOf, requestFor } from './operation-cache.ts'
import { prepare, readerOf, reshaped } from './reader.ts'
import { PageTooLarge, RecordBroken } from './recoverable-refusal.ts'

/** One page with its records as declared. */
export function listPage(
  conversation: Conversation,
  operation: ListOperation,
  params: Params,
  size?: PageSize,
): Promise<StreamPage> {
  return readPage(conversation, operation, params, size).catch((error: unknown) => {
    if (error instanceof ConexError && error.code === 'record_not_found')
      throw listNotFound(conversation.connector, operation, params, error)
    throw error
  })
}

async function readPage(
  conversation: Conversation,
  operation: ListOperation,
  params: Params,
  size: PageSize | undefined,
): Promise<StreamPage> {
  const prepared = await prepare(conversation, operation, params)
  const asked = askedFields(operation, params)
  const { value: found, warnings: narrowed } = await withFewerFields(operation, asked, (without) =>
    pageOf(conversation, operation, prepared, without, size),
  )
  // Every declared field that a record lacks is given as null: empty records grow.
  const fields = asked?.size ?? Object.keys(operation.record.properties).length
  if (found.records.length > mostUsual)
    await conversation.room.take(found.records.length * fields * weightOfNull, conversation.signal)
  const coercion = coercionOf(operation)(asked)
  const records: unknown[] = []
  for (const record of found.records) {
    if (records.length % mostUsual === mostUsual - 1) await setImmediate()
    records.push(coercion.record(record, records.length))
  }
  return {
    records: records as StreamPage['records'],
    block: found.block,
    next: found.next,
    total: found.total ?? null,
    listed: found.listed ?? found.records.length,
    warnings: [...narrowed, ...(found.warnings ?? []), ...coercion.warnings()],
  }
}

/** Pages of more records are looked at for what they come to, and leave room for other work after every so many. */
const mostUsual = 1_000

/** What a field takes in a record and in its JSON, with its name. */
const weightOfNull = 32

/**
 * One page: by the operation's detour where the usual way is too narrow for even the smallest page, and past a record that
 * fails every page it is on.
 */
function pageOf(
  conversation: Conversation,
  operation: ListOperation,
  params: Params,
  without: ReadonlySet<string>,
  size: PageSize | undefined,
): Promise<Page> {
  const { paging, detour, stepOver } = operation
  const requested = (sent: Params) => requestFor(conversation, operation, sent, without)
  const usual = (): Promise<Page> => {
    const answerTo: AnswerTo = (sent, canShrink = false) =>
      askList(conversation, operation, sent, { ...requested(sent), canShrink })
    return pageBy(operation, params, fetchWith(conversation, operation, answerTo), size)
  }
  // Another way takes pages of its own sizes.
  const by = (answer: AnswerPage): Promise<Page> => {
    const answerTo: AnswerTo = (sent) => {
      const [, query = ''] = requested(sent).path.split('?')
      const carried = Object.fromEntries(new URLSearchParams(query))
      return answer({ ...readerOf(conversation), params: sent, query: carried })
    }
    return pageBy(operation, params, fetchWith(conversation, operation, answerTo))
  }
  if (detour?.owns(params)) return by(detour.answer)
  // A page token belongs to the way that gave it out, so only a first page can still go another way.
  const isFirst = paging.style !== 'cursor' || params[paging.cursor] === undefined
  return usual().catch((error: unknown) => {
    if (error instanceof RecordBroken && stepOver !== undefined) {
      size?.steppedOver()
      return by(stepOver).then(toldAsBroken(operation))
    }
    if (error instanceof PageTooLarge && detour !== undefined && isFirst) return by(detour.answer)
    throw error
  })
}

/** Says of the records of a page that they are not whole. */
const toldAsBroken =
  ({ record }: ListOperation) =>
  (page: Page): Page => {
    const identity = identityOf(record)
    const warnings = page.records.map((one, index) => ({
      path: `/result/${index}/${identity ?? ''}`,
      message: `is all that the third-party system gives of a record which fails every page it is on${
        identity === undefined ? '' : ` (record ${truncate(plainText(valueAt(one, [identity])))})`
      }`,
    }))
    return { ...page, warnings: [...(page.warnings ?? []), ...warnings] }
  }

type AnswerTo = (params: Params, canShrink?: boolean) => Promise<unknown>

function fetchWith(conversation: Conversation, operation: ListOperation, answerTo: AnswerTo): Fetch {
  return async (params, canShrink) => {
    const body = await answerTo(params, canShrink)
    const records = valueAt(body, operation.recordsAt)
    if (!Array.isArray(records))
      throw new ConexError(
        'upstream_invalid_response',
        `${conversation.connector.title} gave an answer without its list of records; repeat the call later.`,
      )
    return { body, records: await reshaped(conversation, operation, records, body, params), listed: records.length }
  }
}

function pageBy({ paging, record }: ListOperation, params: Params, fetch: Fetch, size?: PageSize): Promise<Page> {
  switch (paging.style) {
    case 'none':
      return fetch(params).then(({ records }) => ({ records, block: {}, next: null }))
    case 'cursor':
      return cursorPage(paging, params, fetch, size)
    case 'page number':
      return numberedPage(paging, params, fetch)
    case 'walk':
      return walkedPage(paging, identityIn(record), params, fetch)
    case 'whole':
      return wholePage(paging, params, fetch)
    case 'time':
      return timePage(paging, params, fetch)
  }
}
