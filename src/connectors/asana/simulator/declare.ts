/** The language of the addresses here: their params, how they look records up, and how they show them. */
import { type Ask as AskOf, type PageStyle, param, readQuery, routesOver } from '../../../kit/simulator.ts'
import type { Events } from './events.ts'
import { offsetPages, type Ranked, shownFields } from './ranked.ts'
import type { AnyRecord, Kind, Of, User } from './records.ts'
import { refuse } from './refusals.ts'
import { shown } from './show.ts'
import type { World } from './world.ts'

export interface Caller {
  readonly person: User
  /** Whether an application acts for the person. */
  readonly oauth: boolean
}

/** Everything that answers are made from. */
export interface System extends World {
  readonly baseUrl: string
  readonly filesOrigin: string
  readonly events: Events
}

export type Ask<Args = Readonly<Record<string, unknown>>> = AskOf<System, Caller, Args>

export const { route, list } = routesOver<System, Caller>()

export const prefix = '/api/1.0'

const gidForm = /^\d+$/
const notGid = 'Not a recognized ID: %'
export const gid = param.text({ pattern: gidForm, fault: notGid })
/** People are known by their gid, as `me`, and by their address. */
const personForm = /^(me|\d+|.*@.*)$/s
export const person = param.text({ pattern: personForm, fault: notGid })
export const people = param.custom(
  (given) => {
    const values = String(given).split(',')
    return values.every((value) => value === 'null' || personForm.test(value.trim()))
      ? values.map((value) => value.trim())
      : undefined
  },
  { fault: notGid },
)
export const gids = param.custom((given) =>
  String(given)
    .split(',')
    .map((value) => value.trim()),
)
export const flag = param.custom((given) => (given === 'true' || given === 'false' ? given === 'true' : undefined), {
  fault: 'Value must be true or false, not: %',
})

const dateTimeForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/
const badDate = { fault: 'Date must be in ISO-8601 (yyyy-mm-dd) format, not: %' }

/** Whether this day exists; JavaScript would turn 30 February into a day of March. */
function isRealDay(value: string): boolean {
  const ms = Date.parse(`${value.slice(0, 10)}T00:00:00.000Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value.slice(0, 10))
}

/** A date-time or a date, as a moment in UTC, or `now`. */
export const time = param.custom((given) => {
  const value = String(given)
  if (value === 'now') return value
  const ms = dateTimeForm.test(value) && isRealDay(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}, badDate)
export const date = param.custom((given) => {
  const value = String(given)
  return /^\d{4}-\d\d-\d\d$/.test(value) && isRealDay(value) ? value : undefined
}, badDate)

/** The moment of a `time`. It stays `now` until here, so that a page token is bound to the word. */
export const momentOf = (value: unknown, now: number): string =>
  value === 'now' ? new Date(now).toISOString() : String(value)

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
  if (!value.includes('@')) return lookUp(ask, 'user', value)
  return admitted(ask, ask.world.collections.user.by('email', value.toLowerCase())[0], 'user', value)
}

/** One whole record. */
export const one = <K extends Kind>(path: string, kind: K, find: (ask: Ask) => Of<K> = (ask) => own(ask, kind)) =>
  route({
    path,
    params: shownFields,
    answer: (ask) => ({ data: shown(find(ask), ask, kind, 'whole', ask.args.opt_fields) }),
  })

interface Listing<K extends Kind, P extends param.ParamSet> {
  readonly params?: P
  readonly filters?: { readonly [N in keyof P]?: (record: Of<K>, ask: Ask<param.ArgsOf<P>>) => boolean }
  readonly pages?: PageStyle<Of<K>>
}

/** The records of a list that the caller may see. */
export const records = <K extends Kind, const P extends param.ParamSet = Record<never, never>>(
  path: string,
  kind: K,
  rows: (ask: Ask<param.ArgsOf<P>>) => Ranked<Of<K>>,
  { pages = offsetPages(), ...more }: Listing<K, P> = {},
) =>
  list<Of<K>, P>({
    ...{ path, rows, pages, ...more },
    visible: (record, { world, caller }) => !world.isGone(record) && world.sees(caller.person, record),
    show: (record, ask) => shown(record, ask, kind, 'compact', (ask as Ask).args.opt_fields as string | undefined),
    body: (data, { next }, ask) =>
      (ask as Ask).args.limit === undefined || !('offset' in pages.params)
        ? { data }
        : { data, next_page: next && pointer(ask as Ask, next) },
  })

/** The pointer to the next page repeats the query, limit and offset last. */
function pointer({ call, args, world }: Ask, offset: string) {
  const kept = readQuery(call.query).filter(({ name }) => name !== 'limit' && name !== 'offset')
  const query = [...kept.map(({ raw }) => raw), `limit=${args.limit}`, `offset=${offset}`].join('&')
  const path = `${call.path.slice(prefix.length)}?${query}`
  return { offset, path, uri: `${world.baseUrl}${path}` }
}
