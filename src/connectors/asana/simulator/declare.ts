/** The language of the addresses here: their params, how they look records up, and how they show them. */
import { type PageStyle, param, type Ranked, readQuery, routesOver } from '../../../kit/simulator.ts'
import { offsetPages, shownFields } from './pages.ts'
import { type AnyRecord, type Kind, type Of, timeOf, type User } from './records.ts'
import { refuse } from './refusals.ts'
import { shown } from './show.ts'
import type { Ask, Caller, System } from './system.ts'

export const { route, list } = routesOver<System, Caller>()

export const prefix = '/api/1.0'

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

/** A date or date-time in UTC. */
function readTime(value: string): string | undefined {
  const isReal = param.isDate(value.slice(0, 10)) && clockForm.test(value.slice(10)) && !Number.isNaN(Date.parse(value))
  return isReal ? timeOf(Date.parse(value)) : undefined
}

/** A moment. `now` stays that word, because page tokens are bound to it. */
export const time = param.custom((given) => (given === 'now' ? given : readTime(String(given))), badDate)
export const momentOf = (value: string, { now }: Ask): string => (value === 'now' ? timeOf(now) : value)
export const date = param.custom((given) => (param.isDate(given) ? given : undefined), badDate)

/** The record with this gid: 404 if there is none, 403 if the caller may not see it. */
export function lookUp<K extends Kind>(ask: Ask, kind: K, gid: string, name: string = kind): Of<K> {
  if (!gidForm.test(gid)) refuse(400, `${name}: Not a recognized ID: ${gid}`)
  return admitted(ask, ask.world.find(kind, gid), name, gid)
}

export function admitted<R extends AnyRecord>(
  { world, caller }: Ask,
  record: R | undefined,
  name: string,
  gid: string,
) {
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

/** A param that narrows a list, and the records that it keeps. */
export interface Filter<R> {
  readonly read: param.Param
  readonly keeps: (record: R, value: never, ask: Ask) => boolean
}

export const filter = <R, T>(read: param.Param<T>, keeps: (record: R, value: T, ask: Ask) => boolean): Filter<R> => ({
  read,
  keeps,
})

interface Listing<R, P extends param.ParamSet> {
  readonly params?: P
  readonly filters?: Readonly<Record<string, Filter<R>>>
  readonly pages?: PageStyle<R>
}

/** The records of a list that the caller may see. */
export function records<K extends Kind, const P extends param.ParamSet = Record<never, never>>(
  path: string,
  kind: K,
  rows: (ask: Ask<param.ArgsOf<P>>) => Ranked<Of<K>>,
  { params, filters = {}, pages = offsetPages() }: Listing<Of<K>, P> = {},
) {
  const each = <T>(of: (filter: Filter<Of<K>>, name: string) => T) =>
    Object.fromEntries(Object.entries(filters).map(([name, one]) => [name, of(one, name)]))
  return list<Of<K>, param.ParamSet>({
    ...{ path, pages, params: { ...params, ...each(({ read }) => read) } },
    rows: (ask) => rows(ask as Ask<param.ArgsOf<P>>),
    filters: each(
      ({ keeps }, name) =>
        (record: Of<K>, ask: Ask) =>
          keeps(record, ask.args[name] as never, ask),
    ),
    visible: (record, { world, caller }) => !world.isGone(record) && world.sees(caller.person, record),
    show: (record, ask) => shown(record, ask, kind, 'compact', ask.args.opt_fields as string | undefined),
    body: (data, { next }, ask) =>
      'offset' in pages.params && ask.args.limit !== undefined
        ? { data, next_page: next === null ? null : pointer(ask, next) }
        : { data },
  })
}

/** The pointer to the next page repeats the query, limit and offset last. */
function pointer({ call, args, world }: Ask, offset: string) {
  const kept = readQuery(call.query).filter(({ name }) => name !== 'limit' && name !== 'offset')
  const query = [...kept.map(({ raw }) => raw), `limit=${args.limit}`, `offset=${offset}`].join('&')
  const path = `${call.path.slice(prefix.length)}?${query}`
  return { offset, path, uri: `${world.baseUrl}${path}` }
}
