/** Edits records on demand. */
import type { Change } from '../../../kit/simulator.ts'
import { copyTask, replace, replaceTask } from './builders.ts'
import { must, need, placeOf } from './change-input.ts'
import type { Task } from './records.ts'
import type { World } from './world.ts'

/** The names on the wire and in the records; values are not checked. */
const sameForAll = {
  name: 'name',
  notes: 'notes',
  color: 'color',
  archived: 'archived',
  description: 'description',
} as const
const ofTasks: Readonly<Record<string, keyof Task>> = {
  name: 'name',
  notes: 'notes',
  resource_subtype: 'subtype',
  approval_status: 'approval',
  assignee: 'assignee',
  created_by: 'createdBy',
  due_on: 'dueOn',
  start_on: 'startOn',
  tags: 'tags',
  followers: 'followers',
  dependencies: 'dependencies',
  dependents: 'dependents',
  external: 'external',
  actual_time_minutes: 'actualMinutes',
  is_rendered_as_separator: 'separator',
}
const timesOfTasks: Readonly<Record<string, keyof Task>> = {
  created_at: 'createdAt',
  modified_at: 'modifiedAt',
  completed_at: 'completedAt',
  due_at: 'dueAt',
}

/** The task fields of a change, in the form of records. */
export function taskFields(fields: Readonly<Record<string, unknown>>, now: number): Partial<Task> {
  const read: Record<string, unknown> = {}
  for (const [name, key] of Object.entries(ofTasks)) if (fields[name] !== undefined) read[key] = fields[name]
  for (const [name, key] of Object.entries(timesOfTasks)) {
    const value = fields[name]
    if (value !== undefined) read[key] = value === null ? null : Date.parse(String(value))
  }
  if (fields.completed === true) read.completedAt ??= now
  if (fields.completed === false) read.completedAt = null
  return read as Partial<Task>
}

export function edit(world: World, change: Change, now: number): Record<string, unknown> {
  const record = must(world, need(change, 'gid'))
  const fields = (change.fields ?? {}) as Readonly<Record<string, unknown>>
  if (record.kind === 'task') {
    const before = copyTask(record)
    replaceTask(world.state, before, { ...before, modifiedAt: now, ...taskFields(fields, now) })
    return { gid: record.gid }
  }
  const changed: Record<string, unknown> = { ...record }
  if (record.kind === 'project') changed.modifiedAt = now
  for (const [name, key] of Object.entries(sameForAll)) {
    if (fields[name] !== undefined && key in record) changed[key] = fields[name]
  }
  if (record.kind === 'user' && fields.email !== undefined) changed.email = fields.email
  if (record.kind === 'attachment' && fields.size !== undefined) changed.size = fields.size
  replace(world.state, changed as unknown as typeof record)
  return { gid: record.gid }
}

/** Adds a task to another project, and removes it from its former ones unless they are kept. */
export function move(world: World, change: Change): Record<string, unknown> {
  const record = must(world, need(change, 'gid'))
  if (record.kind !== 'task') throw new Error('Only tasks move between projects.')
  const place = placeOf(world, change)
  if (place === undefined) throw new Error('Say where: "to" (a project) or "section".')
  const before = copyTask(record)
  const kept = change.keep === true ? before.places.filter((one) => one.project !== place.project) : []
  replaceTask(world.state, before, { ...before, places: [...kept, place] })
  return { gid: record.gid }
}
