/** Every list of the system. Each can be walked from any rank on, without a look at earlier rows. */
import { gidOf, readGid } from './gids.ts'
import { taskRanges } from './layout.ts'
import { workspaceGids, workspaces } from './organization.ts'
import type { Attachment, Parent, Project, Section, Tag, Task, Team, User, Workspace } from './records.ts'
import { listKey, type Recorded } from './state.ts'
import { subtaskCount } from './subtasks.ts'
import { hasAssignee, taskOfAssignee } from './tasks.ts'
import type { World } from './world.ts'

export interface Row<T> {
  readonly rank: number
  readonly record: T
}

/** A list to walk: rows in order, all with a rank above `after`. */
export type List<T> = (after: number) => Iterable<Row<T>>

interface Base<T> {
  readonly length: number
  /** The generated record at a place; undefined leaves a gap. */
  at(place: number): T | undefined
}

/** Generated rows with the changes applied: rows put first, the remaining generated ones, rows put last. */
function* walk<T extends Recorded>(world: World, key: string, base: Base<T>, after: number): Generator<Row<T>> {
  const { state } = world
  const hidden = state.hidden(key)
  const { edited } = state
  const added = state.added(key)
  const bring = function* (early: boolean): Generator<Row<T>> {
    for (const entry of added) {
      if (entry.rank < 0 !== early || entry.rank <= after) continue
      const record = state.made.get(entry.gid) ?? findAny(world, entry.gid)
      if (record !== undefined && !world.isGone(record)) yield { rank: entry.rank, record: record as T }
    }
  }
  yield* bring(true)
  for (let place = Math.max(0, after + 1); place < base.length; place++) {
    const generated = base.at(place)
    if (generated === undefined || hidden?.has(generated.gid)) continue
    const replaced = edited.size > 0 && edited.has(generated.gid)
    const record = replaced ? (state.made.get(generated.gid) as T) : generated
    if (!world.isGone(record)) yield { rank: place, record }
  }
  yield* bring(false)
}

const kinds = ['task', 'project', 'user', 'section', 'tag', 'attachment'] as const

function findAny(world: World, gid: string): Recorded | undefined {
  for (const kind of kinds) {
    const record = world.find(kind, gid)
    if (record !== undefined) return record
  }
  return undefined
}

/** A short list that is completely known. */
function plain<T extends Recorded>(world: World, records: readonly T[]): List<T> {
  return function* (after) {
    for (let place = Math.max(0, after + 1); place < records.length; place++) {
      const record = records[place] as T
      if (!world.isGone(record)) yield { rank: place, record }
    }
  }
}

export function filtered<T>(list: List<T>, keep: (record: T) => boolean): List<T> {
  return function* (after) {
    for (const row of list(after)) if (keep(row.record)) yield row
  }
}

const indexOf = (gid: string) => readGid(gid)?.index ?? -1
const nothing = { length: 0, at: () => undefined }

/** Ranges of tasks one after the other; a task and its possible subtasks take eight places. */
function everyTask(world: World, ranges: readonly { first: number; count: number }[]): Base<Task> {
  let parent: Task | undefined
  let subtasks = 0
  return {
    length: 8 * ranges.reduce((sum, range) => sum + range.count, 0),
    at(place) {
      const nth = (place & 7) - 1
      let n = place >> 3
      if (nth >= 0 && parent !== undefined) return nth < subtasks ? world.subtaskAt(parent, nth) : undefined
      for (const range of ranges) {
        if (n < range.count) {
          parent = world.taskAt(range.first + n)
          subtasks = subtaskCount(range.first + n, world.ground)
          break
        }
        n -= range.count
      }
      return nth < 0 ? parent : parent && nth < subtasks ? world.subtaskAt(parent, nth) : undefined
    },
  }
}

export interface Lists {
  workspaces(user: User): List<Workspace>
  projects(workspace: string): List<Project>
  projectTasks(project: Project): List<Task>
  sectionTasks(section: Section): List<Task>
  assigned(user: User, workspace: string): List<Task>
  allTasks(workspace: string): List<Task>
  subtasks(task: Task): List<Task>
  linked(gids: readonly string[]): List<Task>
  sections(project: Project): List<Section>
  tags(workspace: string): List<Tag>
  users(workspace: string): List<User>
  teamUsers(team: Team): List<User>
  teams(workspace: string): List<Team>
  userTeams(user: User): List<Team>
  attachments(parent: Parent): List<Attachment>
  taskProjects(task: Task): List<Project>
}

export function createLists(world: World): Lists {
  const { layout, organization, projects, ground } = world
  const teams: Team[] = []
  for (let i = 0; i < layout.teams; i++) teams.push(organization.team(i) as Team)
  const byName = (a: Team, b: Team) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

  const self: Lists = {
    workspaces: (user) =>
      plain(
        world,
        user.workspaces.map((gid) => world.find('workspace', gid) ?? (workspaces[0] as Workspace)),
      ),
    projects: (workspace) => {
      const listed = projects.listed(workspace)
      const at = (place: number) => world.find('project', gidOf('project', listed.at(place)))
      return (after) => walk(world, listKey.projects(workspace), { length: listed.length, at }, after)
    },
    projectTasks: (project) => {
      const { first, count } = projects.tasksOf(project.index)
      const base = { length: count, at: (place: number) => world.taskAt(first + place) }
      return (after) => walk(world, listKey.projectTasks(project.gid), base, after)
    },
    sectionTasks(section) {
      const projectIndex = indexOf(section.project)
      const { first, count } = projects.tasksOf(projectIndex)
      const k = indexOf(section.gid) % 8
      const { first: from, end } = count === 0 ? { first: 0, end: 0 } : projects.placesOf(projectIndex, k, count)
      const base = {
        length: end,
        at: (place: number) => (place < from ? undefined : world.taskAt(first + place)),
      }
      const inside = (task: Task) => task.places.some((place) => place.section === section.gid)
      return filtered((after) => walk(world, listKey.projectTasks(section.project), base, after), inside)
    },
    assigned(user, workspace) {
      const index = indexOf(user.gid)
      const blocks =
        workspace === workspaceGids.company && index < layout.users ? layout.regular + taskRanges.regular : 0
      const firstBlock = Math.floor(taskRanges.regular / layout.users)
      // Eight places per block: the task of this person, and its first subtask.
      const base = {
        length: Math.max(0, Math.ceil(blocks / layout.users) - firstBlock) * 2,
        at: (place: number) => {
          const taskIndex = taskOfAssignee(index, firstBlock + (place >> 1), ground)
          if (taskIndex < taskRanges.regular || !hasAssignee(taskIndex, ground)) return undefined
          const task = world.taskAt(taskIndex)
          return place % 2 === 0 || task === undefined ? task : world.subtaskAt(task, 0)
        },
      }
      const key = listKey.assigned(user.gid, workspace)
      if (workspace !== workspaceGids.volunteers) return (after) => walk(world, key, base, after)
      return filtered(self.allTasks(workspace), (task) => task.assignee === user.gid)
    },
    allTasks(workspace) {
      const ranges = [
        { first: taskRanges.bulk, count: layout.bulk },
        { first: taskRanges.imported, count: layout.imported },
        { first: taskRanges.regular, count: layout.regular },
      ]
      const own = [{ first: taskRanges.volunteers, count: layout.volunteers }]
      const used = workspace === workspaceGids.company ? ranges : workspace === workspaceGids.volunteers ? own : []
      const key = listKey.workspaceTasks(workspace)
      return (after) => walk(world, key, everyTask(world, used), after)
    },
    subtasks: (task) => {
      const generated = task.gid === gidOf('task', task.index)
      const base = generated ? { length: 8, at: (place: number) => world.subtaskAt(task, place) } : nothing
      return (after) => walk(world, listKey.subtasks(task.gid), base, after)
    },
    linked: (gids) =>
      plain(
        world,
        gids.map((gid) => world.find('task', gid)).filter((task) => task !== undefined),
      ),
    sections: (project) => {
      const known = projects.project(project.index) !== undefined
      const base = known
        ? {
            length: projects.sectionCount(project.index),
            at: (place: number) => world.find('section', gidOf('section', project.index * 8 + place)),
          }
        : nothing
      return (after) => walk(world, listKey.sections(project.gid), base, after)
    },
    tags: (workspace) => {
      const length = workspace === workspaceGids.company ? layout.tags : 0
      const base = { length, at: (place: number) => world.find('tag', gidOf('tag', place)) }
      return (after) => walk(world, listKey.tags(workspace), base, after)
    },
    users: (workspace) => {
      const at = (place: number) => {
        const user = world.find('user', gidOf('user', organization.userAtPlace(place)))
        return user?.workspaces.includes(workspace) ? user : undefined
      }
      return (after) => walk(world, listKey.users(workspace), { length: layout.users, at }, after)
    },
    teamUsers: (team) => {
      const index = indexOf(team.gid)
      return filtered(self.users(team.workspace), (user) => organization.teamsOfUser(indexOf(user.gid)).includes(index))
    },
    teams(workspace) {
      const listed = teams.filter((team) => team.workspace === workspace)
      return plain(world, listed.map((team) => world.find('team', team.gid) ?? team).sort(byName))
    },
    userTeams: (user) => {
      const own = organization.teamsOfUser(indexOf(user.gid))
      return plain(world, teams.filter((_, index) => own.includes(index)).sort(byName))
    },
    attachments: (parent) => {
      const base = { length: world.files.count(parent), at: (place: number) => world.files.at(parent, place) }
      return (after) => walk(world, listKey.attachments(parent.gid), base, after)
    },
    taskProjects: (task) =>
      plain(
        world,
        task.places.map((place) => world.find('project', place.project)).filter((project) => project !== undefined),
      ),
  }
  return self
}
