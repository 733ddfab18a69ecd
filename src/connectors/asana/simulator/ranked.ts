/** Lists in order of rank, and their pages: tokens with a position, valid for fifteen minutes and for one list. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type PageStyle, param, type Rows } from '../../../kit/simulator.ts'
import { afterAll } from './records.ts'
import { messages, refuse } from './refusals.ts'

/** Rows that tell the rank at each place, even where no record is. */
export interface Ranked<R> extends Rows<R> {
  rankAt(place: number): number
}

/** Records that are all known, in the given order. */
export const inOrder = <R>(records: readonly R[], rankOf = (_: R, place: number) => place): Ranked<R> => ({
  length: records.length,
  at: (place) => records[place],
  rankAt: (place) => rankOf(records[place] as R, place),
})

/** Rows in their places, between the records that were put first and those that were put last. */
export function around<R>(rows: Ranked<R>, moved: readonly R[], rankOf: (record: R) => number): Ranked<R> {
  const sorted = moved.toSorted((a, b) => rankOf(a) - rankOf(b))
  const first = sorted.filter((record) => rankOf(record) < 0)
  const last = sorted.filter((record) => rankOf(record) >= afterAll)
  const movedAt = (place: number) => first[place] ?? last[place - first.length - rows.length]
  return {
    length: first.length + rows.length + last.length,
    at: (place) => movedAt(place) ?? rows.at(place - first.length),
    rankAt(place) {
      const record = movedAt(place)
      return record === undefined ? rows.rankAt(place - first.length) : rankOf(record)
    },
  }
}

/** The rows of which `keep` holds, with gaps in place of the others. */
export const only = <R>(rows: Ranked<R>, keep: (record: R) => boolean): Ranked<R> => ({
  ...rows,
  at(place) {
    const record = rows.at(place)
    return record !== undefined && keep(record) ? record : undefined
  },
})

/** The records of a list, without the gaps. */
export const recordsOf = <R>(rows: Rows<R>): R[] =>
  Array.from({ length: rows.length }, (_, place) => rows.at(place)).filter((record) => record !== undefined)

/** The most records of an answer without pages. */
const unpagedCeiling = 1000
const life = 900
const head = Buffer.from('{"typ":"JWT","alg":"HS256"}').toString('base64url')

const sign = (claims: string, list: string): Buffer =>
  createHmac('sha256', `simulated page tokens ${list}`).update(`${head}.${claims}`).digest()

function writeOffset(rank: number, list: string, now: number): string {
  const issued = Math.floor(now / 1000)
  const text = JSON.stringify({ border_rank: JSON.stringify([rank]), iat: issued, exp: issued + life })
  const claims = Buffer.from(text).toString('base64url')
  return `${head}.${claims}.${sign(claims, list).toString('base64url')}`
}

/** The rank of the last record of the page before. */
function readOffset(token: string, list: string, now: number): number {
  const [header, claims = '', signature = ''] = token.split('.')
  const [given, right] = [Buffer.from(signature, 'base64url'), sign(claims, list)]
  if (header !== head || given.length !== right.length || !timingSafeEqual(given, right))
    refuse(400, messages.badOffset)
  const { border_rank, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  if (now / 1000 >= exp) refuse(400, messages.staleOffset)
  return JSON.parse(border_rank)[0]
}

function placeAfter({ length, rankAt }: Ranked<unknown>, rank: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (rankAt(middle) > rank) high = middle
    else low = middle + 1
  }
  return low
}

export const limit = param.integer({ least: 1, most: 100, fault: 'Must be a whole number from 1 to 100' })

/** `opt_fields` may differ from page to page, so it stands here and is no part of what a token is bound to. */
export const shownFields = { opt_fields: param.text() }

/** Whole without a limit; otherwise in pages, whose tokens name the position of their last record. */
export const offsetPages = <R>(): PageStyle<R> => ({
  params: { limit, offset: param.text(), ...shownFields },
  cut({ rows, keep, now }, args, bound) {
    const ranked = rows as Ranked<R>
    const size = args.limit as number | undefined
    const offset = args.offset as string | undefined
    if (offset !== undefined && size === undefined) refuse(400, messages.badOffset)
    const list = JSON.stringify(bound)
    const records: R[] = []
    let last = 0
    const first = offset === undefined ? 0 : placeAfter(ranked, readOffset(offset, list, now))
    const page = (next: string | null) => ({
      ...{ records, next, size: size ?? records.length, number: 1 },
      total: () => records.length,
    })
    for (let place = first; place < ranked.length; place++) {
      const record = ranked.at(place)
      if (record === undefined || !keep(record)) continue
      if (records.length === size) return page(writeOffset(ranked.rankAt(last), list, now))
      if (records.length === unpagedCeiling) refuse(400, messages.tooLarge)
      records.push(record)
      last = place
    }
    return page(null)
  },
})
