/** The context of a call: its parameters, its caller, and the checks in the order of the real system. */
import type { Caller } from './access.ts'
import type { Events } from './events.ts'
import { filtered, type List, type Lists } from './lists.ts'
import { readOptFields } from './opt-fields.ts'
import { type Page, readPage, showPage } from './pages.ts'
import type { Params } from './params.ts'
import type { User } from './records.ts'
import { refuse } from './refusals.ts'
import { type Shape, type View, type Writer, writerFor } from './shapes.ts'
import type { Recorded } from './state.ts'
import type { Visibility } from './visibility.ts'
import type { Kind, World } from './world.ts'

/** Everything that routes use. */
export interface System {
  readonly world: World
  readonly lists: Lists
  readonly visibility: Visibility
  readonly events: Events
  readonly baseUrl: string
  readonly filesOrigin: string
}

export interface RequestContext {
  readonly system: System
  readonly params: Params
  /** The path below the base address, as sent. */
  readonly path: string
  /** The gid in the path; empty if the route has none. */
  readonly gid: string
  readonly person: User
  readonly view: View
  readonly now: number
}

export function createContext(
  system: System,
  caller: Caller,
  path: string,
  gid: string,
  params: Params,
  now: number,
): RequestContext {
  const { world, filesOrigin } = system
  const person = world.find('user', caller.user) as User
  return { system, params, path, gid, person, now, view: { world, person, oauth: caller.oauth, now, filesOrigin } }
}

/** The names of kinds in refusals. */
type Named =
  | 'task'
  | 'project'
  | 'workspace'
  | 'team'
  | 'user'
  | 'tag'
  | 'section'
  | 'attachment'
  | 'organization'
  | 'parent'
  | 'resource'

/** Refuses values that do not look like a gid. One of the parameter checks, which come before any look-up. */
export function gidForm(name: Named, value: string): string {
  if (!/^\d+$/.test(value)) refuse(400, `${name}: Not a recognized ID: ${value}`)
  return value
}

/** A person can also be `me` or an email address. */
export function personForm(value: string): string {
  return value === 'me' || value.includes('@') ? value : gidForm('user', value)
}

/** The record with this gid: 404 if there is none, 403 if the caller may not see it. */
export function lookUp<K extends Kind>(context: RequestContext, kind: K, gid: string, name: Named = kind as Named) {
  const record = context.system.world.find(kind, gid)
  if (record === undefined || context.system.world.isGone(record)) refuse(404, `${name}: Unknown object: ${gid}`)
  visible(context, record)
  return record
}

export function lookUpPerson(context: RequestContext, value: string): User {
  if (value === 'me') return context.person
  if (!value.includes('@')) return lookUp(context, 'user', value)
  const user = context.system.world.userByEmail(value)
  if (user === undefined || context.system.world.isGone(user)) refuse(404, `user: Unknown object: ${value}`)
  visible(context, user)
  return user
}

export function visible(context: RequestContext, record: Recorded): void {
  if (!context.system.visibility.sees(context.person, record))
    refuse(403, `You do not have access to this ${record.kind}.`)
}

export function pageOf(context: RequestContext): Page {
  return readPage(context.path, context.params, context.now)
}

const writers = new WeakMap<object, Map<string, Writer<never>>>()

/** Keeps writers, because the same fields are requested again and again. */
export function writerOf<R>(shape: Shape<R>, form: 'compact' | 'full', optFields: string | undefined): Writer<R> {
  let known = writers.get(shape)
  if (known === undefined) {
    known = new Map()
    writers.set(shape, known)
  }
  const key = optFields === undefined ? form : `${form}:${optFields}`
  let writer = known.get(key) as Writer<R> | undefined
  if (writer === undefined) {
    writer = writerFor(shape, readOptFields(optFields), form)
    if (known.size >= 200) known.clear()
    known.set(key, writer)
  }
  return writer
}

/** The part of a list that the caller may see, whole or as one page. */
export function showList<R extends Recorded>(
  context: RequestContext,
  page: Page,
  shape: Shape<R>,
  list: List<R>,
): unknown {
  const { system, person } = context
  return showSeen(
    context,
    page,
    shape,
    filtered(list, (record) => system.visibility.sees(person, record)),
  )
}

/** A list that the caller may see completely. */
export function showSeen<R extends Recorded>(
  context: RequestContext,
  page: Page,
  shape: Shape<R>,
  list: List<R>,
): unknown {
  const { system, params, path, view } = context
  const write = writerOf(shape, 'compact', params.get('opt_fields'))
  return showPage({ list, page, path, params, write, view, baseUrl: system.baseUrl })
}

/** One complete record. */
export function showOne<R>(context: RequestContext, shape: Shape<R>, record: R): unknown {
  return { data: writerOf(shape, 'full', context.params.get('opt_fields'))(record, context.view) }
}

/** Some records without pages. */
export function showAll<R>(context: RequestContext, shape: Shape<R>, records: readonly R[]): unknown {
  const write = writerOf(shape, 'compact', context.params.get('opt_fields'))
  return { data: records.map((record) => write(record, context.view)) }
}
