/** Changes on demand: what people do in the real system while someone else reads. */
import type { Change, ChangeHelp, Clock } from '../../../kit/simulator.ts'
import type { Access } from './access.ts'
import { replace } from './builders.ts'
import { create } from './change-create.ts'
import { edit, move } from './change-edit.ts'
import { must, need } from './change-input.ts'
import type { Events, Happening } from './events.ts'
import { gidOf } from './gids.ts'
import { people, workspaceGids } from './organization.ts'
import { listKey } from './state.ts'
import type { World } from './world.ts'

export interface Changing {
  readonly world: World
  readonly events: Events
  readonly access: Access
  readonly clock: Clock
  /** Calls per minute: undefined as documented, null for no limit. */
  readonly limits: { perMinute: number | null | undefined }
}

const anyTask = '1209100000000000000'
const anyProject = '1205100000000000000'

export const changeHelp: readonly ChangeHelp[] = [
  {
    change: 'create',
    does: 'Makes records: what = task, project, section, tag, user or attachment; count makes many (the name gets a number). Tasks take project, section, parent, assignee, workspace, notes, due_on, tags, external, at ("first" or "last") and more; attachments take parent, host, size, content_type, text.',
    example: { change: 'create', what: 'task', name: 'Order tent pegs', project: anyProject, count: 3 },
  },
  {
    change: 'edit',
    does: 'Changes fields of a record and moves its modified_at; modified_at may be given instead.',
    example: { change: 'edit', gid: anyTask, fields: { name: 'Order more tent pegs', completed: true } },
  },
  {
    change: 'move',
    does: 'Moves a task to another project, or adds it there with keep: true; its modified_at stays.',
    example: { change: 'move', gid: anyTask, to: anyProject, keep: false },
  },
  {
    change: 'reorder',
    does: 'Puts a task or project at the "first" or "last" place of its lists; its modified_at stays.',
    example: { change: 'reorder', gid: anyTask, to: 'first' },
  },
  {
    change: 'trash',
    does: 'Takes a record away: gone from lists, 404 in get.',
    example: { change: 'trash', gid: anyTask },
  },
  { change: 'restore', does: 'Brings a trashed record back.', example: { change: 'restore', gid: anyTask } },
  {
    change: 'subtask',
    does: 'Adds a subtask; the parent stays as it is.',
    example: { change: 'subtask', parent: anyTask, name: 'Count the pegs' },
  },
  {
    change: 'revoke',
    does: 'Closes a project to a person (all persons with a token when none is named): 403.',
    example: { change: 'revoke', project: anyProject },
  },
  { change: 'grant', does: 'Undoes revoke.', example: { change: 'grant', project: anyProject } },
  {
    change: 'join',
    does: 'Makes a person a member of a workspace.',
    example: { change: 'join', user: gidOf('user', people.one), workspace: workspaceGids.volunteers },
  },
  {
    change: 'leave',
    does: 'Ends a membership.',
    example: { change: 'leave', user: gidOf('user', people.two), workspace: workspaceGids.volunteers },
  },
  {
    change: 'settings',
    does: 'Sets rotate_refresh_tokens, access_token_seconds, calls_per_minute (null: no limit).',
    example: { change: 'settings', rotate_refresh_tokens: true, calls_per_minute: null },
  },
  {
    change: 'expire_access_tokens',
    does: 'Ends all access tokens at once.',
    example: { change: 'expire_access_tokens' },
  },
  {
    change: 'revoke_grant',
    does: 'Ends a refresh token and its access tokens.',
    example: { change: 'revoke_grant', refresh_token: '…' },
  },
]

/** The event for a change. */
const actionOf: Readonly<Record<string, Happening['action']>> = {
  create: 'added',
  subtask: 'added',
  edit: 'changed',
  move: 'added',
  trash: 'deleted',
  restore: 'undeleted',
}

export function createChanges(changing: Changing): (change: Change) => Record<string, unknown> {
  const { world, events, access, clock, limits } = changing
  const { state } = world

  const actions: Readonly<Record<string, (change: Change) => Record<string, unknown>>> = {
    create: (change) => create(world, change, clock.now()),
    edit: (change) => edit(world, change, clock.now()),
    move: (change) => move(world, change),
    subtask: (change) => create(world, { ...change, what: 'task', parent: need(change, 'parent') }, clock.now()),
    reorder(change) {
      const record = must(world, need(change, 'gid'))
      const end = change.to === 'first' ? 'first' : 'last'
      if (record.kind === 'project') state.place(listKey.projects(record.workspace), record.gid, end)
      else if (record.kind === 'task') {
        for (const place of record.places) state.place(listKey.projectTasks(place.project), record.gid, end)
        if (record.parent !== null) state.place(listKey.subtasks(record.parent), record.gid, end)
      } else throw new Error(`A ${record.kind} has no place to be changed.`)
      return { gid: record.gid }
    },
    trash(change) {
      state.trash(must(world, need(change, 'gid')))
      return { gid: change.gid }
    },
    restore(change) {
      state.restore(must(world, need(change, 'gid')).gid)
      return { gid: change.gid }
    },
    revoke(change) {
      for (const user of personsOf(change)) state.revoked.add(`${user}/${need(change, 'project')}`)
      return { project: change.project }
    },
    grant(change) {
      for (const user of personsOf(change)) state.revoked.delete(`${user}/${need(change, 'project')}`)
      return { project: change.project }
    },
    join: (change) => membership(change, true),
    leave: (change) => membership(change, false),
    settings(change) {
      if (typeof change.rotate_refresh_tokens === 'boolean') access.settings.rotates = change.rotate_refresh_tokens
      if (typeof change.access_token_seconds === 'number') access.settings.seconds = change.access_token_seconds
      if (change.calls_per_minute !== undefined) limits.perMinute = change.calls_per_minute as number | null
      return { ...access.settings, calls_per_minute: limits.perMinute ?? null }
    },
    expire_access_tokens() {
      access.expireAll()
      return {}
    },
    revoke_grant(change) {
      access.revoke(need(change, 'refresh_token'))
      return {}
    },
  }

  function membership(change: Change, joins: boolean): Record<string, unknown> {
    const user = world.find('user', need(change, 'user'))
    const workspace = world.find('workspace', need(change, 'workspace'))
    if (user === undefined || workspace === undefined) throw new Error('There is no such person or workspace.')
    const others = user.workspaces.filter((gid) => gid !== workspace.gid)
    replace(state, { ...user, workspaces: joins ? [...others, workspace.gid] : others })
    if (!user.workspaces.includes(workspace.gid) && joins) state.place(listKey.users(workspace.gid), user.gid)
    if (!joins) state.remove(listKey.users(workspace.gid), user.gid)
    return { user: user.gid, workspaces: joins ? [...others, workspace.gid] : others }
  }

  return (change) => {
    const action = Object.hasOwn(actions, change.change) ? actions[change.change] : undefined
    if (action === undefined) throw new Error(`A change is one of ${Object.keys(actions).join(', ')}.`)
    const done = action(change)
    const happened = actionOf[change.change]
    for (const gid of happened === undefined ? [] : ((done.gids as string[] | undefined) ?? [String(done.gid)])) {
      events.note(happened as Happening['action'], must(world, gid), clock.now())
    }
    return done
  }
}

/** The given person, or everyone who has a token. */
function personsOf(change: Change): string[] {
  if (typeof change.user === 'string') return [change.user]
  return [people.one, people.two, people.volunteer].map((index) => gidOf('user', index))
}
