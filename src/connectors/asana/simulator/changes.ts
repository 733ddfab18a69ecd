/** Changes on demand: what people do in the real system while someone else reads. */
import {
  afterAll,
  type Change,
  type ChangeSet,
  type Clock,
  plain,
  setting,
  settingsChange,
} from '../../../kit/simulator.ts'
import type { Access } from './access.ts'
import { people, user, workspaceGids } from './company.ts'
import type { Action } from './events.ts'
import { gidOf, indexOf } from './gids.ts'
import { landmarks } from './landmarks.ts'
import { blankProject } from './projects.ts'
import { type AnyRecord, type Kind, type Membership, type Of, placed, type Row, timeOf } from './records.ts'
import type { System } from './system.ts'
import { blankFile, blankTask } from './tasks.ts'

const me = user(people.one)
const anyTask = { gid: landmarks.task }
const times: readonly unknown[] = ['created_at', 'modified_at', 'completed_at', 'due_at']
/** Fields with a meaning of their own in changes. */
const notPlain: readonly unknown[] = [
  ...['gid', 'rank', 'resource_type', 'memberships', 'projects', 'workspace', 'project', 'parent'],
]

/** The given fields that a record has, as it keeps them; values are not checked. */
function fieldsOf(record: object, given: Row, now: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given))
    if (Object.hasOwn(record, name) && !notPlain.includes(name))
      fields[name] = times.includes(name) && value !== null ? timeOf(Date.parse(String(value))) : value
  if (given.completed === true) fields.completed_at ??= now
  if (given.completed === false) fields.completed_at = null
  return fields
}

export function changesOf(
  world: System,
  access: Access,
  clock: Clock,
  limits: { perMinute: number | null | undefined },
): ChangeSet {
  const now = () => timeOf(clock.now())

  /** The record with this gid, trashed or not, with all fields of its own. */
  function must<K extends Kind>(gid: unknown, ...among: readonly K[]): Of<K> {
    for (const kind of among) {
      const record = world.find(kind, String(gid))
      if (record !== undefined) return plain(record)
    }
    throw new Error(`There is no ${among.length > 3 ? 'record' : among.join(' or ')} ${gid}.`)
  }

  const anyRecord = ({ gid }: Change): AnyRecord => must(gid, ...(Object.keys(world.collections) as Kind[]))

  /** Tells of what happened to some records. */
  function noted(action: Action, records: readonly AnyRecord[]) {
    for (const record of records) world.events.note(action, record, now())
    return { gid: records[0]?.gid }
  }

  /** The project and section of a change; by default, a project's first section. */
  function placeOf({ section, project, to = project }: Change): Membership | undefined {
    if (section !== undefined) return { project: must(section, 'section').project, section: String(section) }
    if (to === undefined) return undefined
    const { gid } = must(to, 'project')
    return { project: gid, section: gidOf('section', indexOf(gid) * 8) }
  }

  /** A new record of each kind, and what it is part of. */
  const made = {
    task(change: Change) {
      const parent = change.parent === undefined ? undefined : must(change.parent, 'task')
      const place = placeOf(change)
      const { workspace } = (place === undefined ? parent : must(place.project, 'project')) ?? change
      return {
        ...{ ...blankTask, created_by: me, followers: [me], parent: parent?.gid ?? null },
        ...{ workspace: workspace ?? workspaceGids.company, ...placed(...(place === undefined ? [] : [place])) },
      }
    },
    project: ({ workspace = workspaceGids.company, private: isPrivate }: Change) => ({
      ...{ ...blankProject, workspace, owner: me, members: [me] },
      ...(isPrivate === true && { privacy_setting: 'private' }),
    }),
    section: ({ project }: Change) => ({ project: must(project, 'project').gid }),
    tag: ({ workspace = workspaceGids.company }: Change) => ({ color: null, notes: '', followers: [], workspace }),
    user: ({ workspace = workspaceGids.company }: Change) => ({
      ...{ email: undefined, photo: false, workspaces: [workspace] },
    }),
    attachment({ parent, text }: Change) {
      const lead = typeof text === 'string' ? Buffer.from(text).toString('latin1') : undefined
      const contents = lead === undefined ? {} : { lead, size: lead.length }
      return { ...blankFile, ...contents, parent: must(parent, 'task', 'project', 'project_brief').gid }
    },
  } as const

  function add(what: keyof typeof made, change: Change, name: unknown): AnyRecord {
    const index = world.nextIndex()
    const blank = { ...made[what](change), created_at: now(), modified_at: now() }
    const gid = gidOf(what === 'attachment' ? 'file' : what, index)
    const rank = change.at === 'first' ? -index : afterAll + index
    const fields = { ...fieldsOf(blank, change, now()), gid, resource_type: what, name, rank }
    const record = world.put({ ...blank, ...fields } as unknown as AnyRecord)
    if (what === 'project') {
      const section = { gid: gidOf('section', index * 8), resource_type: 'section', name: 'Untitled section' } as const
      world.put({ ...section, project: gid, created_at: now(), rank: 0 })
    }
    return record
  }

  /** Several records have a number at the end of their names. */
  function create(change: Change) {
    const { what, name = 'New', count = 1 } = change
    const known = (Object.keys(made) as (keyof typeof made)[]).find((one) => one === what)
    if (known === undefined) throw new Error(`Give "what" as one of ${Object.keys(made).join(', ')}.`)
    const records = Array.from({ length: Number(count) }, (_, nth) =>
      add(known, change, count === 1 ? name : `${name} ${nth + 1}`),
    )
    return { ...noted('added', records), gids: records.map(({ gid }) => gid) }
  }

  function edit(change: Change) {
    const record = anyRecord(change)
    const touched = 'modified_at' in record ? { modified_at: now() } : {}
    const edited = { ...record, ...touched, ...fieldsOf(record, change.fields as Row, now()) }
    return noted('changed', [world.put(edited as AnyRecord)])
  }

  function move(change: Change) {
    const task = must(change.gid, 'task')
    const place = placeOf(change)
    if (place === undefined) throw new Error('Say where: "to" (a project) or "section".')
    const others = task.memberships.filter(({ project }) => change.keep === true && project !== place.project)
    return noted('added', [
      world.put({ ...task, ...placed(...others, { ...place, rank: afterAll + world.nextIndex() }) }),
    ])
  }

  function reorder(change: Change) {
    const record = must(change.gid, 'task', 'project')
    const rank = change.to === 'first' ? -world.nextIndex() : afterAll + world.nextIndex()
    const places = record.resource_type === 'task' ? record.memberships.map((place) => ({ ...place, rank })) : null
    world.put({ ...record, rank, ...(places !== null && placed(...places)) })
  }

  /** For one person, or for everyone who has a token. */
  function openTo({ project, user: person }: Change, isOpen: boolean) {
    const persons = person === undefined ? [people.one, people.two, people.volunteer].map(user) : [person]
    for (const one of persons) world.revoked[isOpen ? 'delete' : 'add'](`${one}/${must(project, 'project').gid}`)
  }

  const thrown = (change: Change, away: boolean) =>
    noted(away ? 'deleted' : 'undeleted', [world.trash(anyRecord(change), away)])

  function membership(change: Change, joins: boolean) {
    const person = must(change.user, 'user')
    const workspace = must(change.workspace, 'workspace').gid
    const others = person.workspaces.filter((gid) => gid !== workspace)
    return world.put({ ...person, workspaces: joins ? [...others, workspace] : others })
  }
  const inProject = { project: landmarks.project_regular }
  const membershipOf = (person: string) => ({ user: person, workspace: workspaceGids.volunteers })
  return {
    create: {
      does: 'Makes records: what = task, project, section, tag, user or attachment; count makes many (the name gets a number). Tasks take project, section, parent, assignee, workspace, notes, due_on, tags, external, at ("first" or "last") and more; attachments take parent, host, size, content_type, text.',
      example: { what: 'task', name: 'Order tent pegs', ...inProject, count: 3 },
      make: create,
    },
    edit: {
      does: 'Changes fields of a record and moves its modified_at; modified_at may be given instead.',
      example: { ...anyTask, fields: { name: 'Order more tent pegs', completed: true } },
      make: edit,
    },
    move: {
      does: 'Moves a task to another project, or adds it there with keep: true; its modified_at stays.',
      example: { ...anyTask, to: inProject.project, keep: false },
      make: move,
    },
    reorder: {
      does: 'Puts a task or project at the "first" or "last" place of its lists; its modified_at stays.',
      example: { ...anyTask, to: 'first' },
      make: reorder,
    },
    trash: {
      does: 'Takes a record away: gone from lists, 404 in get.',
      example: anyTask,
      make: (change) => thrown(change, true),
    },
    restore: { does: 'Brings a trashed record back.', example: anyTask, make: (change) => thrown(change, false) },
    subtask: {
      does: 'Adds a subtask; the parent stays as it is.',
      example: { parent: landmarks.task, name: 'Count the pegs' },
      make: (change) => create({ ...change, what: 'task', parent: must(change.parent, 'task').gid }),
    },
    revoke: {
      does: 'Closes a project to a person (all persons with a token when none is named): 403.',
      example: inProject,
      make: (change) => openTo(change, false),
    },
    grant: { does: 'Undoes revoke.', example: inProject, make: (change) => openTo(change, true) },
    join: {
      does: 'Makes a person a member of a workspace.',
      example: membershipOf(me),
      make: (change) => membership(change, true),
    },
    leave: {
      does: 'Ends a membership.',
      example: membershipOf(landmarks.user_two_workspaces),
      make: (change) => membership(change, false),
    },
    settings: settingsChange(
      {
        rotate_refresh_tokens: setting(access.settings, 'rotates'),
        access_token_seconds: setting(access.settings, 'seconds'),
        calls_per_minute: setting(limits, 'perMinute', { orNull: true }),
      },
      'calls_per_minute: null lifts the limits.',
    ),
    expire_access_tokens: { does: 'Ends all access tokens at once.', make: access.expireAll },
    revoke_grant: {
      does: 'Ends a refresh token and its access tokens.',
      example: { refresh_token: '…' },
      make: (change) => access.revoke(String(change.refresh_token)),
    },
  }
}
