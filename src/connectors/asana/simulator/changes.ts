/** Changes on demand: what people do in the real system while someone else reads. */
import type { Change, ChangeSet, Clock } from '../../../kit/simulator.ts'
import type { Access } from './access.ts'
import { people, user, workspaceGids } from './company.ts'
import type { System } from './declare.ts'
import type { Action } from './events.ts'
import { gidOf, indexOf } from './gids.ts'
import { blankProject } from './projects.ts'
import {
  type AnyRecord,
  afterAll,
  type Kind,
  type Membership,
  placed,
  type Task,
  timeOf,
  type User,
} from './records.ts'
import { blankFile, blankTask } from './tasks.ts'

const anyTask = gidOf('task', 0)
const anyProject = gidOf('project', 100)

/** A new record of each kind, before what a change says of it. */
const blanks = {
  task: { ...blankTask, created_by: user(people.one), followers: [user(people.one)] },
  project: { ...blankProject, owner: user(people.one), members: [user(people.one)], due_on: null },
  section: { project: '' },
  tag: { color: null, notes: '', followers: [] },
  user: { email: undefined, photo: false },
  attachment: { ...blankFile, parent: '' },
} as const

const times: readonly string[] = ['created_at', 'modified_at', 'completed_at', 'due_at']
/** Fields that a change sets in ways of their own. */
const notPlain: readonly string[] = ['memberships', 'projects', 'workspace', 'project', 'parent', 'resource_type']

/** The given fields that a record of this kind has, as it keeps them; values are not checked. */
function fieldsOf(record: object, given: Readonly<Record<string, unknown>>, now: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given))
    if (Object.hasOwn(record, name) && !notPlain.includes(name))
      fields[name] = times.includes(name) && value !== null ? timeOf(Date.parse(String(value))) : value
  if (given.completed === true) fields.completed_at ??= now
  if (given.completed === false) fields.completed_at = null
  return fields
}

/** A required text of a change. */
function need(change: Change, name: string): string {
  const value = change[name]
  if (typeof value !== 'string' || value === '') throw new Error(`The change "${change.change}" needs "${name}".`)
  return value
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The given person, or everyone who has a token. */
const personsOf = (change: Change): readonly string[] =>
  typeof change.user === 'string' ? [change.user] : [people.one, people.two, people.volunteer].map(user)

export function changesOf(
  world: System,
  access: Access,
  clock: Clock,
  limits: { perMinute: number | null | undefined },
): ChangeSet {
  const now = () => timeOf(clock.now())
  const kinds = Object.keys(world.collections) as Kind[]

  /** The record with this gid, trashed or not. */
  function must(gid: string, among: readonly Kind[] = kinds, what = 'record'): AnyRecord {
    for (const kind of among) {
      const record = world.find(kind, gid)
      if (record !== undefined) return record
    }
    throw new Error(`There is no ${what} ${gid}.`)
  }

  /** Tells of what happened to some records. */
  function noted(action: Action, gids: readonly string[]) {
    for (const gid of gids) world.events.note(action, must(gid), now())
    return { gid: gids[0] }
  }

  /** The project and section of a change; by default, a project's first section. */
  function placeOf(change: Change): Membership | undefined {
    const section = text(change.section)
    if (section !== undefined) return { project: String(must(section, ['section'], 'section').project), section }
    const project = text(change.project) ?? text(change.to)
    if (project === undefined) return undefined
    must(project, ['project'], 'project')
    return { project, section: gidOf('section', indexOf(project) * 8) }
  }

  /** What a record is part of. */
  function placeFor(what: keyof typeof blanks, change: Change): object {
    const workspace = text(change.workspace) ?? workspaceGids.company
    if (what === 'user') return { workspaces: [workspace] }
    if (what === 'section') return { project: must(text(change.project) ?? '', ['project'], 'project').gid }
    const above = text(change.parent)
    if (what === 'attachment')
      return { parent: must(above ?? '', ['task', 'project', 'project_brief'], 'task, project or brief').gid }
    if (what !== 'task') return { workspace }
    const parent = above === undefined ? undefined : must(above, ['task'], 'task')
    const place = placeOf(change)
    const holder = place === undefined ? parent : must(place.project)
    return {
      workspace: holder?.workspace ?? workspace,
      parent: parent?.gid ?? null,
      ...placed(...(place === undefined ? [] : [place])),
    }
  }

  function make(what: keyof typeof blanks, change: Change, name: string): string {
    const index = world.nextIndex()
    const gid = gidOf(what === 'attachment' ? 'file' : what, index)
    const blank = blanks[what]
    const bytes = text(change.text) === undefined ? undefined : Buffer.from(String(change.text)).toString('latin1')
    world.put({
      ...{ ...blank, created_at: now(), modified_at: now() },
      ...fieldsOf(blank, change, now()),
      ...placeFor(what, change),
      ...(change.private === true && { privacy_setting: 'private' }),
      ...(bytes !== undefined && { lead: bytes, size: change.size ?? bytes.length }),
      ...{ gid, resource_type: what, name, rank: change.at === 'first' ? -index : afterAll + index },
    } as unknown as AnyRecord)
    if (what === 'project') {
      const section = { gid: gidOf('section', index * 8), resource_type: 'section', name: 'Untitled section' } as const
      world.put({ ...section, project: gid, created_at: now(), rank: 0 })
    }
    return gid
  }

  /** Several records have a number at the end of their names. */
  function create(change: Change) {
    const what = text(change.what) ?? ''
    if (!Object.hasOwn(blanks, what)) throw new Error(`Give "what" as one of ${Object.keys(blanks).join(', ')}.`)
    const [name, count] = [text(change.name) ?? 'New', typeof change.count === 'number' ? change.count : 1]
    const gids = Array.from({ length: count }, (_, nth) =>
      make(what as keyof typeof blanks, change, count === 1 ? name : `${name} ${nth + 1}`),
    )
    return { ...noted('added', gids), gids }
  }

  function taskOf(change: Change, otherwise: string): Task {
    const record = must(need(change, 'gid'))
    if (record.resource_type !== 'task') throw new Error(otherwise)
    return record
  }

  function membership(change: Change, joins: boolean) {
    const [person, workspace] = [need(change, 'user'), need(change, 'workspace')]
    const found = must(person, ['user'], 'person') as User
    const others = found.workspaces.filter((gid) => gid !== must(workspace, ['workspace'], 'workspace').gid)
    const workspaces = joins ? [...others, workspace] : others
    world.put({ ...found, workspaces })
    return { user: person, workspaces }
  }

  return {
    create: {
      does: 'Makes records: what = task, project, section, tag, user or attachment; count makes many (the name gets a number). Tasks take project, section, parent, assignee, workspace, notes, due_on, tags, external, at ("first" or "last") and more; attachments take parent, host, size, content_type, text.',
      example: { what: 'task', name: 'Order tent pegs', project: anyProject, count: 3 },
      make: create,
    },
    edit: {
      does: 'Changes fields of a record and moves its modified_at; modified_at may be given instead.',
      example: { gid: anyTask, fields: { name: 'Order more tent pegs', completed: true } },
      make(change) {
        const record = must(need(change, 'gid'))
        const fields = fieldsOf(record, (change.fields ?? {}) as Readonly<Record<string, unknown>>, now())
        world.put({ ...record, ...('modified_at' in record && { modified_at: now() }), ...fields } as AnyRecord)
        return noted('changed', [record.gid])
      },
    },
    move: {
      does: 'Moves a task to another project, or adds it there with keep: true; its modified_at stays.',
      example: { gid: anyTask, to: anyProject, keep: false },
      make(change) {
        const task = taskOf(change, 'Only tasks move between projects.')
        const place = placeOf(change)
        if (place === undefined) throw new Error('Say where: "to" (a project) or "section".')
        const others = task.memberships.filter(({ project }) => project !== place.project)
        const rank = afterAll + world.nextIndex()
        world.put({ ...task, ...placed(...(change.keep === true ? others : []), { ...place, rank }) })
        return noted('added', [task.gid])
      },
    },
    reorder: {
      does: 'Puts a task or project at the "first" or "last" place of its lists; its modified_at stays.',
      example: { gid: anyTask, to: 'first' },
      make(change) {
        const record = must(need(change, 'gid'))
        const rank = change.to === 'first' ? -world.nextIndex() : afterAll + world.nextIndex()
        if (record.resource_type === 'project') world.put({ ...record, rank })
        else {
          const task = taskOf(change, `A ${record.resource_type} has no place to be changed.`)
          world.put({ ...task, rank, ...placed(...task.memberships.map((place) => ({ ...place, rank }))) })
        }
        return { gid: record.gid }
      },
    },
    trash: {
      does: 'Takes a record away: gone from lists, 404 in get.',
      example: { gid: anyTask },
      make(change) {
        const { gid } = must(need(change, 'gid'))
        world.gone.add(gid)
        return noted('deleted', [gid])
      },
    },
    restore: {
      does: 'Brings a trashed record back.',
      example: { gid: anyTask },
      make(change) {
        const { gid } = must(need(change, 'gid'))
        world.gone.delete(gid)
        return noted('undeleted', [gid])
      },
    },
    subtask: {
      does: 'Adds a subtask; the parent stays as it is.',
      example: { parent: anyTask, name: 'Count the pegs' },
      make: (change) => create({ ...change, what: 'task', parent: need(change, 'parent') }),
    },
    revoke: {
      does: 'Closes a project to a person (all persons with a token when none is named): 403.',
      example: { project: anyProject },
      make(change) {
        for (const person of personsOf(change)) world.revoked.add(`${person}/${need(change, 'project')}`)
      },
    },
    grant: {
      does: 'Undoes revoke.',
      example: { project: anyProject },
      make(change) {
        for (const person of personsOf(change)) world.revoked.delete(`${person}/${need(change, 'project')}`)
      },
    },
    join: {
      does: 'Makes a person a member of a workspace.',
      example: { user: user(people.one), workspace: workspaceGids.volunteers },
      make: (change) => membership(change, true),
    },
    leave: {
      does: 'Ends a membership.',
      example: { user: user(people.two), workspace: workspaceGids.volunteers },
      make: (change) => membership(change, false),
    },
    settings: {
      does: 'Sets rotate_refresh_tokens, access_token_seconds, calls_per_minute (null: no limit).',
      example: { rotate_refresh_tokens: true, calls_per_minute: null },
      make(change) {
        if (typeof change.rotate_refresh_tokens === 'boolean') access.settings.rotates = change.rotate_refresh_tokens
        if (typeof change.access_token_seconds === 'number') access.settings.seconds = change.access_token_seconds
        if (change.calls_per_minute !== undefined) limits.perMinute = change.calls_per_minute as number | null
        return { ...access.settings, calls_per_minute: limits.perMinute ?? null }
      },
    },
    expire_access_tokens: { does: 'Ends all access tokens at once.', make: () => access.expireAll() },
    revoke_grant: {
      does: 'Ends a refresh token and its access tokens.',
      example: { refresh_token: '…' },
      make: (change) => access.revoke(need(change, 'refresh_token')),
    },
  }
}
