/** Creates records on demand. */
import type { Change } from '../../../kit/simulator.ts'
import { addAttachment, addProject, addSection, addTag, addTask, addUser, newAttachment, newTask } from './builders.ts'
import { taskFields } from './change-edit.ts'
import { placeOf, text } from './change-input.ts'
import { gidOf } from './gids.ts'
import { people, workspaceGids } from './organization.ts'
import type { FileHost, Project } from './records.ts'
import type { World } from './world.ts'

/** Creates `count` records of one kind; if there are several, their names end with a number. */
export function create(world: World, change: Change, now: number): Record<string, unknown> {
  const count = typeof change.count === 'number' ? change.count : 1
  const make = Object.hasOwn(makers, String(change.what)) ? makers[String(change.what)] : undefined
  if (make === undefined) throw new Error(`Give "what" as one of ${Object.keys(makers).join(', ')}.`)
  const name = typeof change.name === 'string' ? change.name : 'New'
  const gids: string[] = []
  for (let i = 0; i < count; i++) gids.push(make(world, change, count === 1 ? name : `${name} ${i + 1}`, now))
  return { gid: gids[0], gids }
}

type Make = (world: World, change: Change, name: string, now: number) => string

const end = (change: Change) => (change.at === 'first' ? 'first' : 'last')

const makers: Readonly<Record<string, Make>> = { task, project, section, tag, user, attachment }

function task(world: World, change: Change, name: string, now: number): string {
  const parent = text(change.parent) === undefined ? undefined : world.find('task', text(change.parent) as string)
  if (change.parent !== undefined && parent === undefined) throw new Error(`There is no task ${change.parent}.`)
  const place = placeOf(world, change)
  const workspace = place === undefined ? undefined : world.find('project', place.project)?.workspace
  const made = newTask(world.state.nextIndex(), {
    createdAt: now,
    modifiedAt: now,
    createdBy: gidOf('user', people.one),
    followers: [gidOf('user', people.one)],
    ...taskFields(change, now),
    name,
    workspace: workspace ?? parent?.workspace ?? text(change.workspace) ?? workspaceGids.company,
    places: place === undefined ? [] : [place],
    parent: parent?.gid ?? null,
  })
  return addTask(world.state, made, end(change)).gid
}

function project(world: World, change: Change, name: string, now: number): string {
  const index = world.state.nextIndex()
  const made: Project = {
    kind: 'project',
    gid: gidOf('project', index),
    index,
    name,
    notes: text(change.notes) ?? '',
    workspace: text(change.workspace) ?? workspaceGids.company,
    team: text(change.team) ?? null,
    owner: gidOf('user', people.one),
    archived: change.archived === true,
    color: text(change.color) ?? null,
    icon: null,
    view: 'list',
    createdAt: now,
    modifiedAt: now,
    dueOn: text(change.due_on) ?? null,
    startOn: null,
    completedAt: null,
    privacy: change.private === true ? 'private' : 'public_to_workspace',
    members: [gidOf('user', people.one)],
    hasStatus: false,
    hasBrief: false,
    customFields: false,
  }
  addProject(world.state, made, end(change))
  const sectionGid = gidOf('section', index * 8)
  addSection(world.state, {
    kind: 'section',
    gid: sectionGid,
    name: 'Untitled section',
    project: made.gid,
    createdAt: now,
  })
  return made.gid
}

function section(world: World, change: Change, name: string, now: number): string {
  const projectGid = text(change.project) ?? ''
  if (world.find('project', projectGid) === undefined) throw new Error(`There is no project ${projectGid}.`)
  const gid = gidOf('section', world.state.nextIndex())
  return addSection(world.state, { kind: 'section', gid, name, project: projectGid, createdAt: now }).gid
}

function tag(world: World, change: Change, name: string, now: number): string {
  return addTag(world.state, {
    kind: 'tag',
    gid: gidOf('tag', world.state.nextIndex()),
    name,
    color: text(change.color) ?? null,
    notes: text(change.notes) ?? '',
    createdAt: now,
    followers: [],
    workspace: text(change.workspace) ?? workspaceGids.company,
  }).gid
}

function user(world: World, change: Change, name: string): string {
  return addUser(world.state, {
    kind: 'user',
    gid: gidOf('user', world.state.nextIndex()),
    name,
    email: text(change.email),
    hasPhoto: false,
    workspaces: [text(change.workspace) ?? workspaceGids.company],
  }).gid
}

function attachment(world: World, change: Change, name: string, now: number): string {
  const parent = text(change.parent) ?? ''
  if (world.parent(parent) === undefined) throw new Error(`There is no task, project or brief ${parent}.`)
  const lead = text(change.text)
  const bytes = lead === undefined ? '' : Buffer.from(lead, 'utf8').toString('latin1')
  const made = newAttachment(gidOf('file', world.state.nextIndex()), parent, {
    name,
    createdAt: now,
    host: (text(change.host) ?? 'asana') as FileHost,
    contentType: text(change.content_type) ?? 'application/octet-stream',
    size: typeof change.size === 'number' ? change.size : lead === undefined ? 12_338 : bytes.length,
    lead: bytes,
  })
  return addAttachment(world.state, made).gid
}
