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
import type { Action } from './events.ts'
import { landmarks } from './examples.ts'
import { gidOf, indexOf } from './gids.ts'
import type { Access } from './oauth.ts'
import { blankProject } from './projects.ts'
import { type AnyRecord, type Kind, type Membership, type Of, placed, type Row, timeOf } from './records.ts'
import { blankFile, blankTask } from './tasks.ts'
import type { World } from './world.ts'

const { user: me, workspace: company } = landmarks
/** Fields that changes set in ways of their own. */
const notPlain = ['gid', 'rank', 'resource_type', 'memberships', 'projects', 'workspace', 'project', 'parent']

/** The given fields that a record has, as it keeps them; values are not checked. */
function fieldsOf(record: object, given: Row, now: string): Row {
  const plain = Object.entries(given).filter(([name]) => Object.hasOwn(record, name) && !notPlain.includes(name))
  const { completed, completed_at = now } = given
  const isSaid = typeof completed === 'boolean'
  return { ...Object.fromEntries(plain), ...(isSaid && { completed_at: completed ? completed_at : null }) }
}

export function changesOf(world: World, access: Access, clock: Clock): ChangeSet {
  const now = () => timeOf(clock.now())
  const nextRank = (end: unknown) => (end === 'first' ? -world.nextIndex() : afterAll + world.nextIndex())

  /** The record with this gid, trashed or not, with all fields of its own. */
  function must<K extends Kind>(gid: unknown, ...among: readonly K[]): Of<K> {
    for (const kind of among) {
      const record = world.find(kind, String(gid))
      if (record !== undefined) return plain(record)
    }
    throw new Error(`There is no ${among.length > 3 ? 'record' : among.join(' or ')} ${gid}.`)
  }

  const anyRecord = ({ gid }: Change): AnyRecord => must(gid, ...(Object.keys(world.collections) as Kind[]))

  /** Tells of what happened to a record. */
  function noted(action: Action, record: AnyRecord) {
    world.events.note(action, record, now())
    return { gid: record.gid }
  }

  /** The project and section of a change, if it says one; by default, a project's first section. */
  function placeOf({ section, project, to = project }: Change): Membership[] {
    if (section !== undefined) return [{ project: must(section, 'section').project, section: String(section) }]
    if (to === undefined) return []
    const { gid } = must(to, 'project')
    return [{ project: gid, section: gidOf('section', indexOf(gid) * 8) }]
  }

  /** A new record of each kind, and what it is part of. */
  const made = {
    task(change: Change) {
      const places = placeOf(change)
      const parent = change.parent === undefined ? null : must(change.parent, 'task')
      const { workspace = company } = places[0] ? must(places[0].project, 'project') : (parent ?? change)
      const own = { created_by: me, followers: [me], parent: parent?.gid ?? null, workspace }
      return { ...blankTask, ...own, ...placed(...places) }
    },
    project: ({ workspace = company }: Change) => ({ ...blankProject, workspace, owner: me, members: [me] }),
    section: ({ project }: Change) => ({ project: must(project, 'project').gid }),
    tag: ({ workspace = company }: Change) => ({ color: null, notes: '', followers: [], workspace }),
    user: ({ workspace = company }: Change) => ({ email: undefined, photo: false, workspaces: [workspace], teams: [] }),
    attachment({ parent, text }: Change) {
      const lead = typeof text === 'string' ? Buffer.from(text).toString('latin1') : undefined
      const contents = lead === undefined ? {} : { lead, size: lead.length }
      return { ...blankFile, ...contents, parent: must(parent, 'task', 'project', 'project_brief').gid }
    },
  } as const

  function add(what: keyof typeof made, change: Change, name: unknown): string {
    const index = world.nextIndex()
    const gid = gidOf(what === 'attachment' ? 'file' : what, index)
    const blank = { ...made[what](change), created_at: now(), modified_at: now() }
    const own = { ...fieldsOf(blank, change, now()), gid, resource_type: what, name, rank: nextRank(change.at) }
    noted('added', world.put({ ...blank, ...own } as unknown as AnyRecord))
    if (what !== 'project') return gid
    const section = { gid: gidOf('section', index * 8), resource_type: 'section', name: 'Untitled section' } as const
    return world.put({ ...section, project: gid, created_at: now(), rank: 0 }).project
  }

  /** Several records have a number at the end of their names. */
  function create(change: Change) {
    const { what, name = 'New', count = 1 } = change
    const known = Object.keys(made).find((one) => one === what) as keyof typeof made | undefined
    if (known === undefined) throw new Error(`Give "what" as one of ${Object.keys(made).join(', ')}.`)
    const names = Array.from({ length: Number(count) }, (_, nth) => (count === 1 ? name : `${name} ${nth + 1}`))
    const gids = names.map((one) => add(known, change, one))
    return { gid: gids[0], gids }
  }

  function edit(change: Change) {
    const record = anyRecord(change)
    const touched = 'modified_at' in record ? { modified_at: now() } : {}
    return noted('changed', world.put({ ...record, ...touched, ...fieldsOf(record, change.fields as Row, now()) }))
  }

  function move(change: Change) {
    const task = must(change.gid, 'task')
    const [place] = placeOf(change)
    if (place === undefined) throw new Error('Say where: "to" (a project) or "section".')
    const others = task.memberships.filter(({ project }) => change.keep === true && project !== place.project)
    return noted('added', world.put({ ...task, ...placed(...others, place), rank: nextRank('last') }))
  }

  const reorder = (change: Change) => ({ gid: world.put({ ...anyRecord(change), rank: nextRank(change.to) }).gid })

  const openTo =
    (isOpen: boolean) =>
    ({ user: person = me, project }: Change) =>
      void world.revoked[isOpen ? 'delete' : 'add'](`${person}/${must(project, 'project').gid}`)

  const thrown = (isAway: boolean) => (change: Change) => {
    const record = anyRecord(change)
    world.gone[isAway ? 'add' : 'delete'](record.gid)
    return noted(isAway ? 'deleted' : 'undeleted', record)
  }

  const membership = (isMember: boolean) => (change: Change) => {
    const person = must(change.user, 'user')
    const workspace = must(change.workspace, 'workspace').gid
    const others = person.workspaces.filter((gid) => gid !== workspace)
    return world.put({ ...person, workspaces: isMember ? [...others, workspace] : others })
  }

  const { settings, tokens } = access
  const at = { gid: landmarks.task }
  const inProject = { project: landmarks.project_regular }
  const fields = { name: 'Order more tent pegs', completed: true }
  const member = { user: me, workspace: landmarks.workspace_free }
  return {
    create: {
      does: 'Makes records: what = task, project, section, tag, user or attachment; count makes many (the name gets a number). Tasks take project, section, parent, assignee, workspace, notes, due_on, tags, external, at ("first" or "last") and more; attachments take parent, host, size, content_type, text.',
      example: { what: 'task', name: 'Order tent pegs', ...inProject, count: 3 },
      make: create,
    },
    // Moves and new subtasks leave modified_at as it was.
    edit: { does: 'Changes fields, and modified_at if it is not given.', example: { ...at, fields }, make: edit },
    move: {
      does: 'Moves a task to a project; keep adds it there.',
      example: { ...at, to: landmarks.project },
      make: move,
    },
    reorder: { does: 'Puts a record "first" or "last" in its lists.', example: { ...at, to: 'first' }, make: reorder },
    trash: { does: 'Takes a record away: gone from lists, 404 in get.', example: at, make: thrown(true) },
    restore: { does: 'Brings a trashed record back.', example: at, make: thrown(false) },
    subtask: {
      does: 'Adds a part.',
      example: { parent: landmarks.task, name: 'Count the pegs' },
      make: (change) => create({ ...change, what: 'task', parent: String(change.parent) }),
    },
    revoke: { does: 'Closes a project to a user, by default the first one.', example: inProject, make: openTo(false) },
    grant: { does: 'Undoes revoke.', example: inProject, make: openTo(true) },
    join: { does: 'Makes a person a member of a workspace.', example: member, make: membership(true) },
    leave: { does: 'Ends a membership.', example: member, make: membership(false) },
    settings: settingsChange(
      {
        rotate_refresh_tokens: setting(settings, 'rotates'),
        access_token_seconds: setting(settings, 'seconds'),
        calls_per_minute: setting(world.limits, 'perMinute', { orNull: true }),
      },
      'calls_per_minute: null lifts the limits.',
    ),
    expire_access_tokens: { does: 'Ends all access tokens at once.', make: tokens.expireAll },
    revoke_grant: {
      does: 'Ends a refresh token and its access tokens.',
      example: { refresh_token: '…' },
      make: (change) => tokens.revoke(String(change.refresh_token)),
    },
  }
}
