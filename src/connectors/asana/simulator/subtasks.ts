/** Subtasks, generated from their parent and number. */
import { pick } from '../../../kit/simulator.ts'
import { gidOf } from './gids.ts'
import { taskRanges } from './layout.ts'
import { anchor } from './organization.ts'
import type { Task } from './records.ts'
import type { TaskGround } from './tasks.ts'
import { subtaskNames } from './vocabulary.ts'

/** The number of generated subtasks of a generated task. */
export function subtaskCount(index: number, ground: TaskGround): number {
  if (index < taskRanges.regular) return 0
  const drawn = ground.draw.detail(index)
  return drawn % 8 === 1 ? 1 + ((drawn >>> 4) % 4) : 0
}

/** A generated subtask: a small piece of its parent, with the same people. */
export function generatedSubtask(index: number, parent: Task, nth: number): Task {
  const createdAt = Math.min(anchor, parent.createdAt + (nth + 1) * 3_600_417)
  const done = parent.completedAt !== null || nth === 0
  const modifiedAt = Math.min(anchor, createdAt + (nth + 1) * 86_400_211)
  return {
    kind: 'task',
    gid: gidOf('subtask', index),
    index,
    name: pick(subtaskNames, parent.index + nth * 3),
    notes: '',
    subtype: 'default_task',
    approval: null,
    workspace: parent.workspace,
    places: [],
    parent: parent.gid,
    assignee: nth === 0 ? parent.assignee : null,
    createdBy: parent.createdBy,
    createdAt,
    modifiedAt,
    completedAt: done ? modifiedAt : null,
    completedBy: done ? parent.createdBy : null,
    dueOn: parent.dueOn,
    dueAt: null,
    startOn: null,
    tags: [],
    followers: [parent.createdBy],
    likes: [],
    dependencies: [],
    dependents: [],
    actualMinutes: null,
    separator: false,
    external: null,
  }
}
