/** Pages of lists in order of rank: tokens with a position, valid for fifteen minutes and for one list. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { firstPlace, type PageStyle, param, type Ranked } from '../../../kit/simulator.ts'
import { messages, refuse } from './refusals.ts'

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
    const rank = offset === undefined ? Number.NEGATIVE_INFINITY : readOffset(offset, list, now)
    const first = firstPlace(0, ranked.length, (place) => ranked.rankAt(place) > rank)
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
