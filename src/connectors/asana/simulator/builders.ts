/** Builds records that are not generated: fills in defaults, and adds them to their lists. */
import { gidOf } from './gids.ts'
import { anchor, day, people, workspaceGids } from './organization.ts'
import type { Attachment, Project, Section, Tag, Task, User } from './records.ts'
import { listKey, type Recorded, type State } from './state.ts'

/** A plain copy, so that an edited task no longer depends on how it was generated. */
export function copyTask(task: Task): Task {
  const copy: Record<string, unknown> = {}
  for (const name of taskKeys) copy[name] = task[name]
  return copy as unknown as Task
}

const blankTask: Task = {
  kind: 'task',
  gid: '',
  index: 0,
  name: '',
  notes: '',
  subtype: 'default_task',
  approval: null,
  workspace: workspaceGids.company,
  places: [],
  parent: null,
  assignee: null,
  createdBy: gidOf('user', people.two),
  createdAt: anchor - 30 * day,
  modifiedAt: anchor - 20 * day,
  completedAt: null,
  completedBy: null,
  dueOn: null,
  dueAt: null,
  startOn: null,
  tags: [],
  followers: [],
  likes: [],
  dependencies: [],
  dependents: [],
  actualMinutes: null,
  separator: false,
  external: null,
}

const taskKeys = Object.keys(blankTask) as readonly (keyof Task)[]

export function newTask(index: number, fields: Partial<Task>): Task {
  return { ...blankTask, gid: gidOf('task', index), index, ...fields }
}

/** Stores a task and adds it to every list it belongs to. */
export function addTask(state: State, task: Task, end: 'first' | 'last' = 'last'): Task {
  state.made.set(task.gid, task)
  for (const place of task.places) state.place(listKey.projectTasks(place.project), task.gid, end)
  if (task.parent !== null) state.place(listKey.subtasks(task.parent), task.gid, end)
  if (task.assignee !== null) state.place(listKey.assigned(task.assignee, task.workspace), task.gid, end)
  state.place(listKey.workspaceTasks(task.workspace), task.gid, end)
  return task
}

/** Stores a record that replaces the generated one with its gid. */
export function replace(state: State, record: Recorded): void {
  state.made.set(record.gid, record)
  state.edited.add(record.gid)
}

/** Replaces a task by its edited version, and moves it between lists if necessary. */
export function replaceTask(state: State, before: Task, after: Task): void {
  replace(state, after)
  const key = (gid: string) => listKey.assigned(gid, after.workspace)
  if (before.assignee !== after.assignee) {
    if (before.assignee !== null) state.remove(key(before.assignee), after.gid)
    if (after.assignee !== null) state.place(key(after.assignee), after.gid)
  }
  const inBefore = new Map(before.places.map((place) => [place.project, place.section]))
  const inAfter = new Map(after.places.map((place) => [place.project, place.section]))
  for (const project of inBefore.keys())
    if (!inAfter.has(project)) state.remove(listKey.projectTasks(project), after.gid)
  for (const [project, section] of inAfter) {
    if (inBefore.get(project) !== section) state.place(listKey.projectTasks(project), after.gid)
  }
}

export function newAttachment(gid: string, parent: string, fields: Partial<Attachment>): Attachment {
  return {
    kind: 'attachment',
    gid,
    name: 'Untitled',
    host: 'asana',
    contentType: 'application/octet-stream',
    size: 12_338,
    lead: '',
    createdAt: anchor - 10 * day,
    parent,
    ...fields,
  }
}

export function addAttachment(state: State, attachment: Attachment): Attachment {
  state.made.set(attachment.gid, attachment)
  state.place(listKey.attachments(attachment.parent), attachment.gid)
  return attachment
}

export function addProject(state: State, project: Project, end: 'first' | 'last' = 'last'): Project {
  state.made.set(project.gid, project)
  state.place(listKey.projects(project.workspace), project.gid, end)
  return project
}

export function addSection(state: State, section: Section): Section {
  state.made.set(section.gid, section)
  state.place(listKey.sections(section.project), section.gid)
  return section
}

export function addTag(state: State, tag: Tag): Tag {
  state.made.set(tag.gid, tag)
  state.place(listKey.tags(tag.workspace), tag.gid)
  return tag
}

export function addUser(state: State, user: User): User {
  state.made.set(user.gid, user)
  for (const workspace of user.workspaces) state.place(listKey.users(workspace), user.gid)
  return user
}
