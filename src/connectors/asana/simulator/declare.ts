/** The language of the addresses here: their params and pages, how they look records up, and how they show them. */
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
import { readToken, writeToken } from './tokens.ts'
import { type Ask, apiPath, type Caller, type World } from './world.ts'

export const { route, list, filter } = routesOver<World, Caller>()

const gidForm = /^\d+$/
const notGid = { fault: 'Not a recognized ID: %' }
export const gid = param.text({ pattern: gidForm, ...notGid })
/** People are known by their gid, as `me`, and by their address. */
const personForm = /^(me|\d+|.*@.*)$/s
export const person = param.text({ pattern: personForm, ...notGid })
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

/** A date or date-time in UTC; `now` stays that word, to which page tokens are bound, and which sorts after all times. */
export const time = param.custom((given) => {
  const text = String(given)
  if (text === 'now') return text
  const isReal = param.isDate(text.slice(0, 10)) && clockForm.test(text.slice(10)) && !Number.isNaN(Date.parse(text))
  return isReal ? timeOf(Date.parse(text)) : undefined
}, badDate)
export const date = param.custom((given) => (param.isDate(given) ? given : undefined), badDate)

/** The most records of an answer without pages. */
const unpagedCeiling = 1000
const life = 900

/** The rank of the last record of the page before. */
function readOffset(token: string, list: string, now: number): number {
  const claims = readToken(token, list)
  if (claims === undefined) refuse(400, messages.badOffset)
  if (now / 1000 >= claims.exp) refuse(400, 'offset: Your pagination token has expired.')
  return JSON.parse(String(claims.border_rank))[0]
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
    if (found.length <= most) return onePage(records)
    const border_rank = JSON.stringify([rankAt(found[most - 1]!.place)])
    return onePage(records, writeToken({ border_rank }, list, now, life))
  },
})

/** The person that a text other than a gid names. */
export const personNamed = ({ world, caller }: Ask, text: string): User | undefined =>
  text === 'me' ? caller.person : world.userAt(text)

/** The record with this gid, or this name of a person: 404 if there is none, 403 if the caller may not see it. */
export function lookUp<K extends Kind>(ask: Ask, kind: K, id: string, name: string = kind): Of<K> {
  if (!(kind === 'user' ? personForm : gidForm).test(id)) refuse(400, `${name}: Not a recognized ID: ${id}`)
  const named = kind === 'user' ? personNamed(ask, id) : undefined
  return admitted(ask, (named as Of<K> | undefined) ?? ask.world.find(kind, id), name, id)
}

export function admitted<R extends AnyRecord>(ask: Ask, record: R | undefined, name: string, gid: string): R {
  const { world, caller } = ask
  if (record === undefined || world.isGone(record)) refuse(404, `${name}: Unknown object: ${gid}`)
  if (!world.sees(caller.person, record)) refuse(403, `You do not have access to this ${record.resource_type}.`)
  return record
}

/** The record that the path names. */
export const own = <K extends Kind>(ask: Ask, kind: K): Of<K> => lookUp(ask, kind, ask.path.gid ?? '')

/** One whole record. */
export const one = (path: string, kind: Kind) =>
  route({
    path,
    params: shownFields,
    answer: (ask) => ({ data: shown(own(ask, kind), ask, kind, 'whole', ask.args.opt_fields) }),
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
