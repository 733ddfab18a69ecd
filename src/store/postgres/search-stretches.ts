/** Takes an order apart into stretches, one after the other, each of which an index can give from its beginning. */
import type { Position } from '../../search/cursor.ts'
import type { Scalar } from '../../search/query.ts'
import { Bindings } from './bindings.ts'
import type { Column } from './copy-table.ts'
import { isOfCopy, type Search } from './search-asked.ts'
import { keyOf } from './search-columns.ts'
import { afterPosition, beside, orderBy, type SortColumn, startOfOrder } from './search-order.ts'

export interface Stretch {
  /** What the records of the stretch meet. */
  where(bind: Bindings): readonly string[]
  readonly order: string
}

type Part = (bind: Bindings) => string

/** What is left of an order where the first fields have the values that `within` says. */
interface Rest {
  readonly sort: readonly SortColumn[]
  readonly after: Position | null
  readonly within: readonly Part[]
}

/**
 * Nulls are last in both directions, which no walk along an index gives: first come the values, then the nulls. Within one
 * value an index has the ids upwards, and nothing of the other fields of the sort: what half of a million records have
 * would take seconds to sort, so that such values are stretches of their own.
 */
export async function* stretchesOf(search: Search, { sort, after, within }: Rest): AsyncGenerator<Stretch> {
  const place: Part = (bind) => afterPosition(bind, sort, after)
  const [first, ...others] = sort
  if (first === undefined) {
    yield { where: (bind) => [...within, place].map((part) => part(bind)), order: 't._id' }
    return
  }
  const key = keyOf(first.column)
  const inside = (value: Part, isAfter: boolean) =>
    stretchesOf(search, {
      sort: others,
      after: isAfter ? { ...after!, keys: after!.keys.slice(1) } : null,
      within: [...within, value],
    })
  if (after === null || after.keys[0] !== null) {
    let begin: Part = (bind) => startOfOrder(bind, sort, after)
    while (first.descending || others.length > 0) {
      const top = await frequentTop(search, first, begin)
      if (top === null) break
      yield* inside((bind) => beside(bind, first.column, 'eq', top), after !== null && after.keys[0] === top)
      begin = (bind) => beside(bind, first.column, first.descending ? 'lt' : 'gt', top)
    }
    const values: Part = (bind) => `${key} is not null and ${begin(bind)}`
    yield { where: (bind) => [...within, values, place].map((part) => part(bind)), order: orderBy(sort, 'values') }
  }
  yield* inside(() => `${key} is null`, after !== null && after.keys[0] === null)
}

/** Up to so many records are sorted in a millisecond. Counting them takes half as long. */
const mostToSort = 500

/** The first value of the order, when so many records have it that they are better walked along by themselves; else null. */
async function frequentTop(search: Search, first: SortColumn, begin: Part): Promise<Scalar | null> {
  const bind = new Bindings()
  const [row] = await search.kept.rows(selectTop(search, first, bind, begin(bind)), bind.values)
  return row?.[1] ? scalarOf(first.column, row[0]) : null
}

/** Selects the first value of an order as `key`, and whether it is `frequent`; nothing where there is no value. */
export function selectTop(search: Search, { column, descending }: SortColumn, bind: Bindings, begin: string): string {
  const from = `${search.table.name} as t where ${isOfCopy(search, bind)}`
  const key = keyOf(column)
  return `select top.key, exists (select 1 from ${from} and ${key} = top.key offset ${mostToSort}) as frequent from (
      select ${key} as key from ${from} and ${key} is not null and ${begin}
      order by ${key}${descending ? ' desc' : ''} limit 1
    ) as top`
}

function scalarOf({ type }: Column, key: unknown): Scalar {
  if (type !== 'integer') return key as Scalar
  const number = Number(key)
  return Number.isSafeInteger(number) ? number : BigInt(key as string)
}
