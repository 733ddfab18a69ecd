/** The language of the addresses here: their params and pages, how they look records up, and how they show them. */
import { createHmac } from 'node:crypto'
import {
  type Filter,
  firstKept,
  firstPlace,
  onePage,
  type PageStyle,
  param,
  type Ranked,
  readQuery,
  routesOver,
} from '../../../kit/simulator.ts'
import { shown } from './fields.ts'
import { type AnyRecord, type Kind, type Of, timeOf, type User } from './records.ts'
import { messages, refuse } from './refusals.ts'
import { type Ask, apiPath, type Caller, type World } from './world.ts'

export const { route, list, filter } = routesOver<World, Caller>()

const gidForm = /^\d+$/
const notGid = { fault: 'Not a recognized ID: %' }
export const gid = param.text({ pattern: gidForm, ...notGid })
/** People are known by their gid, as `me`, and by their address. */
export const person = param.text({ pattern: /^(me|\d+|.*@.*)$/s, ...notGid })
/** Alternatives, among them nobody. */
export const persons = param.custom((given) => {
  const values = String(given).split(',')
  return values.every((value) => value === 'null' || person.read(value)) ? values : undefined
}, notGid)
export const flag = param.custom((given) => ({ true: true, false: false })[String(given)], {
  fault: 'Value must be true or false, not: %',
})

const clockForm = /^(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/
const badDate = { fault: 'Date must be in ISO-8601 (yyyy-mm-dd) format, not: %' }

/** A date or date-time in UTC; `now` stays that word, because page tokens are bound to it. */
export const time = param.custom((given) => {
  const text = String(given)
  if (text === 'now') return text
  const isReal = param.isDate(text.slice(0, 10)) && clockForm.test(text.slice(10)) && !Number.isNaN(Date.parse(text))
  return isReal ? timeOf(Date.parse(text)) : undefined
}, badDate)
export const momentOf = (value: string, { now }: Ask): string => (value === 'now' ? timeOf(now) : value)
export const date = param.custom((given) => (param.isDate(given) ? given : undefined), badDate)

/** The most records of an answer without pages. */
const unpagedCeiling = 1000
const life = 900
const head = Buffer.from('{"typ":"JWT","alg":"HS256"}').toString('base64url')

function signed(claims: string, list: string): string {
  const text = `${head}.${claims}`
  return `${text}.${createHmac('sha256', `simulated page tokens ${list}`).update(text).digest('base64url')}`
}

function writeOffset(rank: number, list: string, now: number): string {
  const issued = Math.floor(now / 1000)
  const claims = JSON.stringify({ border_rank: JSON.stringify([rank]), iat: issued, exp: issued + life })
  return signed(Buffer.from(claims).toString('base64url'), list)
}

/** The rank of the last record of the page before. */
function readOffset(token: string, list: string, now: number): number {
  const claims = token.split('.')[1] ?? ''
  if (token !== signed(claims, list)) refuse(400, messages.badOffset)
  const { border_rank, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  if (now / 1000 >= exp) refuse(400, 'offset: Your pagination token has expired.')
  return JSON.parse(border_rank)[0]
}

export const limit = param.integer({ least: 1, most: 100, fault: 'Must be a whole number from 1 to 100' })

/** `opt_fields` may differ from page to page, so it stands here and is no part of what a token is bound to. */
export const shownFields = { opt_fields: param.text() }

/** Whole without a limit; otherwise in pages, whose tokens name the position of their last record. */
export const offsetPages = <R>(): PageStyle<R> => ({
  params: { limit, offset: param.text(), ...shownFields },
  cut({ rows, keep, now }, args, bound) {
    const { rankAt, length } = rows as Ranked<R>
    const { limit: size, offset } = args as { limit?: number; offset?: string }
    if (offset !== undefined && size === undefined) refuse(400, messages.badOffset)
    const list = JSON.stringify(bound)
    const last = offset === undefined ? Number.NEGATIVE_INFINITY : readOffset(offset, list, now)
    const first = firstPlace(0, length, (place) => rankAt(place) > last)
    const most = size ?? unpagedCeiling
    const found = firstKept(rows, keep, first, most + 1)
    if (size === undefined && found.length > most) refuse(400, messages.tooLarge)
    const records = found.slice(0, most).map(({ record }) => record)
    return onePage(records, found.length > most ? writeOffset(rankAt(found[most - 1]!.place), list, now) : null)
  },
})

/** The record with this gid: 404 if there is none, 403 if the caller may not see it. */
export function lookUp<K extends Kind>(ask: Ask, kind: K, gid: string, name: string = kind): Of<K> {
  if (!gidForm.test(gid)) refuse(400, `${name}: Not a recognized ID: ${gid}`)
  return admitted(ask, ask.world.find(kind, gid), name, gid)
}

export function admitted<R extends AnyRecord>(ask: Ask, record: R | undefined, name: string, gid: string): R {
  const { world, caller } = ask
  if (record === undefined || world.isGone(record)) refuse(404, `${name}: Unknown object: ${gid}`)
  if (!world.sees(caller.person, record)) refuse(403, `You do not have access to this ${record.resource_type}.`)
  return record
}

/** The record that the path names. */
export const own = <K extends Kind>(ask: Ask, kind: K): Of<K> => lookUp(ask, kind, ask.path.gid ?? '')

export function lookUpPerson(ask: Ask, value: string): User {
  if (value === 'me') return ask.caller.person
  return value.includes('@') ? admitted(ask, ask.world.userAt(value), 'user', value) : lookUp(ask, 'user', value)
}

/** One whole record. */
export const one = <K extends Kind>(path: string, kind: K, find: (ask: Ask) => Of<K> = (ask) => own(ask, kind)) =>
  route({
    path,
    params: shownFields,
    answer: (ask) => ({ data: shown(find(ask), ask, kind, 'whole', ask.args.opt_fields) }),
  })

interface Listing<R, P, V> {
  readonly params?: P
  readonly filters?: { readonly [N in keyof V]: Filter<R, Ask, V[N]> }
  readonly pages?: PageStyle<R>
}

/** The records of a list that the caller may see. */
export const records = <
  K extends Kind,
  const P extends param.ParamSet = Record<never, never>,
  V = Record<never, never>,
>(
  path: string,
  kind: K,
  rows: (ask: Ask<param.ArgsOf<P>>) => Ranked<Of<K>>,
  { params, filters, pages = offsetPages() }: Listing<Of<K>, P, V> = {},
) =>
  list<Of<K>, P, V>({
    ...{ path, rows, pages, ...(params && { params }), ...(filters && { filters }) },
    visible: (record, { world, caller }) => !world.isGone(record) && world.sees(caller.person, record),
    show: (record, ask) => shown(record, ask, kind, 'compact', (ask as Ask).args.opt_fields as string | undefined),
    body: (data, { next }, ask) =>
      'offset' in pages.params && (ask as Ask).args.limit !== undefined
        ? { data, next_page: next === null ? null : pointer(ask as Ask, next) }
        : { data },
  })

/** The pointer to the next page repeats the query, limit and offset last. */
function pointer({ call, args, world }: Ask, offset: string) {
  const kept = readQuery(call.query).filter(({ name }) => name !== 'limit' && name !== 'offset')
  const query = [...kept.map(({ raw }) => raw), `limit=${args.limit}`, `offset=${offset}`].join('&')
  const path = `${call.path.slice(apiPath.length)}?${query}`
  return { offset, path, uri: `${world.baseUrl}${path}` }
}
