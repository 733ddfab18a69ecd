/** Every record by its gid: as generated, unless it is handwritten or changed. */
import { seededRandom } from '../../../kit/simulator.ts'
import { createFiles, type Files } from './attachments.ts'
import { firstMadeIndex, gidOf, readGid } from './gids.ts'
import { type Layout, layoutFor } from './layout.ts'
import { createOrganization, type Organization, workspaces } from './organization.ts'
import { createProjects, type Projects } from './projects.ts'
import type { Attachment, Brief, Parent, Project, Section, Tag, Task, Team, User, Workspace } from './records.ts'
import { createState, type Recorded, type State } from './state.ts'
import { generatedSubtask, subtaskCount } from './subtasks.ts'
import { createTaskGround, GeneratedTask, homeOf, type TaskGround } from './tasks.ts'

export interface Kinds {
  workspace: Workspace
  user: User
  team: Team
  tag: Tag
  project: Project
  section: Section
  task: Task
  attachment: Attachment
  project_brief: Brief
}

export type Kind = keyof Kinds

export interface World {
  readonly layout: Layout
  readonly organization: Organization
  readonly projects: Projects
  readonly ground: TaskGround
  readonly files: Files
  readonly state: State
  /** The record, trashed or not; undefined if there never was one of this kind. */
  find<K extends Kind>(kind: K, gid: string): Kinds[K] | undefined
  /** Records that can have attachments. */
  parent(gid: string): Parent | undefined
  /** A generated task by its index, in its present state. */
  taskAt(index: number): Task | undefined
  /** A generated subtask by its parent and number. */
  subtaskAt(parent: Task, nth: number): Task | undefined
  userByEmail(email: string): User | undefined
  /** Whether it, or an object that contains it, is trashed. */
  isGone(record: Recorded): boolean
}

export function createWorld(seed: number, scale: number): World {
  const layout = layoutFor(scale)
  const organization = createOrganization(seed, layout)
  const projects = createProjects(seed, layout, organization)
  const ground = createTaskGround(seed, layout, projects)
  const files = createFiles(seededRandom(seed, 'attachment'))
  const state = createState(firstMadeIndex)
  const { made, edited, gone } = state
  const users = new Map<string, User>()
  let emails: Map<string, number> | undefined

  function generate(kind: Kind, gid: string): Recorded | undefined {
    if (kind === 'workspace') return workspaces.find((workspace) => workspace.gid === gid)
    const read = readGid(gid)
    if (read === undefined) return undefined
    const { space, index } = read
    switch (kind) {
      case 'user': {
        const user = space === 'user' ? organization.user(index) : undefined
        // Every record has people, and there are few enough to keep.
        if (user !== undefined) users.set(gid, user)
        return user
      }
      case 'team':
        return space === 'team' ? organization.team(index) : undefined
      case 'tag':
        return space === 'tag' ? organization.tag(index) : undefined
      case 'project':
        return space === 'project' ? projects.project(index) : undefined
      case 'section':
        return space === 'section' ? projects.section(index) : undefined
      case 'task':
        return space === 'task' ? generatedTask(index) : space === 'subtask' ? subtaskByIndex(index) : undefined
      case 'attachment':
        return files.generated(space, index, self)
      case 'project_brief':
        return space === 'brief' ? briefOf(index) : undefined
    }
  }

  function generatedTask(index: number): Task | undefined {
    const home = homeOf(index, ground)
    return home === undefined ? undefined : new GeneratedTask(index, home, ground)
  }

  function subtaskByIndex(index: number): Task | undefined {
    const parentIndex = Math.floor(index / 8)
    const nth = index % 8
    const parent = nth < subtaskCount(parentIndex, ground) ? generatedTask(parentIndex) : undefined
    return parent === undefined ? undefined : generatedSubtask(index, parent, nth)
  }

  function briefOf(index: number): Brief | undefined {
    const project = projects.project(index)
    if (!project?.hasBrief) return undefined
    return { kind: 'project_brief', gid: gidOf('brief', index), name: `${project.name}: brief`, project: project.gid }
  }

  const self: World = {
    layout,
    organization,
    projects,
    ground,
    files,
    state,
    find<K extends Kind>(kind: K, gid: string): Kinds[K] | undefined {
      const known = made.get(gid) ?? (kind === 'user' ? users.get(gid) : undefined)
      const record = known ?? generate(kind, gid)
      return record?.kind === kind ? (record as Kinds[K]) : undefined
    },
    parent: (gid) => self.find('task', gid) ?? self.find('project', gid) ?? self.find('project_brief', gid),
    taskAt(index) {
      const task = generatedTask(index)
      return task !== undefined && edited.size > 0 && edited.has(task.gid) ? (made.get(task.gid) as Task) : task
    },
    subtaskAt(parent, nth) {
      const index = parent.index * 8 + nth
      if (nth >= subtaskCount(parent.index, ground)) return undefined
      const subtask = generatedSubtask(index, parent, nth)
      return edited.size > 0 && edited.has(subtask.gid) ? (made.get(subtask.gid) as Task) : subtask
    },
    userByEmail(email) {
      if (emails === undefined) {
        emails = new Map()
        for (let i = 0; i < layout.users; i++) emails.set(organization.user(i)?.email ?? '', i)
      }
      const index = emails.get(email.toLowerCase())
      return index === undefined ? undefined : self.find('user', gidOf('user', index))
    },
    isGone(record) {
      if (!state.hasGoneRecords && record.kind !== 'user') return false
      if (gone.has(record.gid)) return true
      const isGoneGid = (kind: Kind, gid: string) => {
        const holder = self.find(kind, gid)
        return holder !== undefined && self.isGone(holder)
      }
      switch (record.kind) {
        case 'section':
        case 'project_brief':
          return isGoneGid('project', record.project)
        case 'attachment': {
          const parent = self.parent(record.parent)
          return parent !== undefined && self.isGone(parent)
        }
        case 'task':
          if (record.parent !== null && isGoneGid('task', record.parent)) return true
          return record.places.length > 0 && record.places.every((place) => isGoneGid('project', place.project))
        default:
          return false
      }
    },
  }
  return self
}
