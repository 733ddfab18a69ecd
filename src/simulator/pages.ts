/** How simulated systems cut lists into pages: a closed set of styles, each with its own params. */
import { createHash } from 'node:crypto'
import type { Rows } from './collection.ts'
import { integer, type ParamSet, text } from './params.ts'
import { firstPlace } from './rows.ts'

/** One page of a list. */
export interface Page<R> {
  readonly records: readonly R[]
  /** The token, offset or number of the next page; null on the last one. */
  readonly next: string | null
  /** All records of the list, for systems that tell. Counted only when read. */
  total(): number
  /** The size in use, and the number of this page from 1. */
  readonly size: number
  readonly number: number
}

export interface CutList<R> {
  readonly rows: Rows<R>
  readonly keep: (record: R) => boolean
  /** Drops records of a page that is already cut, as systems do that filter late: such a page is short. */
  readonly drop?: (record: R) => boolean
  /** The size in use for one that was asked for, as systems do that lower it at times. */
  readonly size?: (asked: number) => number
  /** Milliseconds since 1970. */
  readonly now: number
}

export type CursorFault = 'invalid' | 'expired'

export interface PageStyle<R = never> {
  readonly params: ParamSet
  /** `bound` is the rest of the request; a token of another request is refused with `refuse`. */
  cut(list: CutList<R>, args: Readonly<Record<string, unknown>>, bound: unknown, refuse: RefuseCursor): Page<R>
}

type RefuseCursor = (fault: CursorFault) => never

interface Sizes {
  /** The param with the page size. */
  readonly size?: string
  readonly usual: number
  /** The largest page. */
  readonly most?: number
  /** Whether a larger or a smaller size is refused, with this word, or cut to what is possible. */
  readonly over?: 'refused' | 'capped'
  readonly fault?: string
}

const sizeParams = ({ size, most, over = 'refused', fault }: Sizes): ParamSet =>
  size === undefined
    ? {}
    : {
        [size]: integer({
          ...(over === 'refused' && { least: 1, ...(most !== undefined && { most }) }),
          ...(fault !== undefined && { fault }),
        }),
      }

function sizeIn<R>(sizes: Sizes, args: Readonly<Record<string, unknown>>, { size }: CutList<R>): number {
  const asked = sizes.size === undefined ? undefined : (args[sizes.size] as number | undefined)
  const wanted = Math.min(asked === undefined || asked < 1 ? sizes.usual : asked, sizes.most ?? Number.MAX_SAFE_INTEGER)
  return size?.(wanted) ?? wanted
}

/** The page that begins at `from`, and the place of the first record after it (-1: none). */
function cutAt<R>(
  { rows, keep, drop }: Omit<CutList<R>, 'now'>,
  from: number,
  size: number,
): { records: R[]; next: number } {
  const records: R[] = []
  for (let place = from; place < rows.length; place++) {
    const record = rows.at(place)
    if (record === undefined || !keep(record)) continue
    if (records.length === size) return { records: without(records, drop), next: place }
    records.push(record)
  }
  return { records: without(records, drop), next: -1 }
}

const without = <R>(records: R[], drop: CutList<R>['drop']): R[] =>
  drop === undefined ? records : records.filter((record) => !drop(record))

function count<R>({ rows, keep }: CutList<R>): number {
  let total = 0
  for (let place = 0; place < rows.length; place++) {
    const record = rows.at(place)
    if (record !== undefined && keep(record)) total += 1
  }
  return total
}

const digestOf = (bound: unknown): string =>
  createHash('sha256').update(JSON.stringify(bound)).digest('base64url').slice(0, 10)

export interface CursorStyle<R> extends Sizes {
  /** The param with the token. */
  readonly cursor: string
  /** Where a record stands among the rows, which are in this order: its text in a token stays right when others go. */
  readonly position: (record: R) => string
  /** Whether the rows stand in ascending or descending order of their positions. */
  readonly order?: 'ascending' | 'descending'
  /** The word before the position in a token. */
  readonly label?: string
  /** How long tokens are good, in seconds: all of a walk from its first page, or each from its own page. */
  readonly life?: { readonly seconds: number; readonly from: 'first page' | 'each page' }
}

/** What a token says: the position of the next record, the number of its page, and when the token ends. */
interface Mark {
  readonly position: string
  readonly number: number
  readonly ends: number | ''
}

/** Opaque tokens, good only for the same request. They name the next record, so none is repeated or lost. */
export function cursorPages<R>(style: CursorStyle<R>): PageStyle<R> {
  const { cursor, position, label = 'next', order = 'ascending', life } = style
  const reaches = (record: R, wanted: string) =>
    order === 'ascending' ? position(record) >= wanted : position(record) <= wanted

  const placeOf = ({ rows }: CutList<R>, wanted: string): number =>
    firstPlace(0, rows.length, (place) => {
      const record = rows.at(place)
      return record !== undefined && reaches(record, wanted)
    })

  function write({ position, number, ends }: Mark, bound: unknown): string {
    const text = `${label}:${position}#${number}.${ends}`
    return Buffer.from(`${text}#${digestOf([bound, text])}`).toString('base64')
  }

  /** Only tokens that were written for this request, letter for letter. */
  function read(token: string, bound: unknown): Mark | null {
    const [, position, number, ends] =
      /^[a-z_]+:(.*)#(\d+)\.(\d*)#[\w-]{10}$/s.exec(Buffer.from(token, 'base64').toString()) ?? []
    if (position === undefined || ends === undefined) return null
    const mark: Mark = { position, number: Number(number), ends: ends === '' ? '' : Number(ends) }
    return write(mark, bound) === token ? mark : null
  }

  return {
    params: { [cursor]: text(), ...sizeParams(style) },
    cut(list, args, bound, refuse) {
      const size = sizeIn(style, args, list)
      const token = args[cursor] as string | undefined
      const mark = token === undefined ? undefined : (read(token, bound) ?? refuse('invalid'))
      if (mark !== undefined && mark.ends !== '' && list.now >= mark.ends) refuse('expired')
      const number = mark?.number ?? 1
      const { records, next } = cutAt(list, mark === undefined ? 0 : placeOf(list, mark.position), size)
      const following = next < 0 ? undefined : list.rows.at(next)
      const ends =
        life === undefined ? '' : life.from === 'first page' && mark ? mark.ends : list.now + life.seconds * 1000
      return {
        records,
        next:
          following === undefined ? null : write({ position: position(following), number: number + 1, ends }, bound),
        total: () => count(list),
        size,
        number,
      }
    },
  }
}

/** The number of the next page, from 1. */
export function numberedPages<R>(style: Sizes & { readonly page: string; readonly mostPages?: number }): PageStyle<R> {
  const most = style.mostPages === undefined ? {} : { most: style.mostPages }
  return {
    params: { [style.page]: integer({ least: 1, ...most }), ...sizeParams(style) },
    cut(list, args) {
      const size = sizeIn(style, args, list)
      const number = (args[style.page] as number | undefined) ?? 1
      const matching = { rows: kept(list), keep: () => true, ...(list.drop && { drop: list.drop }) }
      const { records, next } = cutAt(matching, (number - 1) * size, size)
      return { records, next: next < 0 ? null : String(number + 1), total: () => matching.rows.length, size, number }
    },
  }
}

/** The number of records before the page. */
export function offsetPages<R>(style: Sizes & { readonly offset: string; readonly mostOffset?: number }): PageStyle<R> {
  const most = style.mostOffset === undefined ? {} : { most: style.mostOffset }
  return {
    params: { [style.offset]: integer({ least: 0, ...most }), ...sizeParams(style) },
    cut(list, args) {
      const size = sizeIn(style, args, list)
      const offset = (args[style.offset] as number | undefined) ?? 0
      const rows = kept(list)
      const { records, next } = cutAt({ rows, keep: () => true, ...(list.drop && { drop: list.drop }) }, offset, size)
      return {
        records,
        next: next < 0 ? null : String(next),
        total: () => rows.length,
        size,
        number: Math.floor(offset / size) + 1,
      }
    },
  }
}

/** Everything at once. */
export const wholePages = <R>(): PageStyle<R> => ({
  params: {},
  cut(list) {
    const records = cutAt(list, 0, Number.MAX_SAFE_INTEGER).records
    return { records, next: null, total: () => records.length, size: records.length, number: 1 }
  },
})

function kept<R>({ rows, keep }: CutList<R>): R[] {
  const found: R[] = []
  for (let place = 0; place < rows.length; place++) {
    const record = rows.at(place)
    if (record !== undefined && keep(record)) found.push(record)
  }
  return found
}
