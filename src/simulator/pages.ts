/** How simulated systems cut lists into pages: a closed set of styles, each with its own params. */
import { createHash } from 'node:crypto'
import type { Rows } from './collection.ts'
import { integer, type ParamSet, text } from './params.ts'
import { firstKept, firstPlace, recordsOf } from './rows.ts'

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

const without = <R>(records: R[], drop: CutList<R>['drop']): R[] =>
  drop === undefined ? records : records.filter((record) => !drop(record))

const kept = <R>({ rows, keep }: CutList<R>): R[] => recordsOf(rows, keep)

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
      const from = mark === undefined ? 0 : placeOf(list, mark.position)
      const found = firstKept(list.rows, list.keep, from, size + 1).map(({ record }) => record)
      const following = found[size]
      const ends =
        life === undefined ? '' : life.from === 'first page' && mark ? mark.ends : list.now + life.seconds * 1000
      return {
        records: without(found.slice(0, size), list.drop),
        next:
          following === undefined ? null : write({ position: position(following), number: number + 1, ends }, bound),
        total: () => kept(list).length,
        size,
        number,
      }
    },
  }
}

/** The number of the next page, from 1. */
export const numberedPages = <R>(style: Sizes & { readonly page: string; readonly mostPages?: number }) =>
  countedPages<R>(style, { param: style.page, first: 1, most: style.mostPages, pages: true })

/** The number of records before the page. */
export const offsetPages = <R>(style: Sizes & { readonly offset: string; readonly mostOffset?: number }) =>
  countedPages<R>(style, { param: style.offset, first: 0, most: style.mostOffset, pages: false })

interface Counted {
  readonly param: string
  /** The count on the first page. */
  readonly first: number
  readonly most: number | undefined
  /** Whether pages or records are counted. */
  readonly pages: boolean
}

function countedPages<R>(sizes: Sizes, { param, first, most, pages }: Counted): PageStyle<R> {
  const bounds = { least: first, ...(most !== undefined && { most }) }
  return {
    params: { [param]: integer(bounds), ...sizeParams(sizes) },
    cut(list, args) {
      const size = sizeIn(sizes, args, list)
      const count = (args[param] as number | undefined) ?? first
      const from = pages ? (count - first) * size : count
      const all = kept(list)
      return {
        records: without(all.slice(from, from + size), list.drop),
        next: from + size < all.length ? String(count + (pages ? 1 : size)) : null,
        total: () => all.length,
        size,
        number: Math.floor(from / size) + 1,
      }
    },
  }
}

/** Everything at once. */
export const wholePages = <R>(): PageStyle<R> => ({
  params: {},
  cut: (list) => onePage(without(kept(list), list.drop)),
})

/** A page for styles that number none. */
export const onePage = <R>(records: readonly R[], next: string | null = null): Page<R> => ({
  ...{ records, next, size: records.length, number: 1 },
  total: () => records.length,
})
