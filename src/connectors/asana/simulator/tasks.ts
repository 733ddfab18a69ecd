/** Generates tasks from their index, part by part, so that a list pays only for the fields it shows. */
import { type Draw, pick, seededRandom } from '../../../kit/simulator.ts'
import { gidOf } from './gids.ts'
import { type Layout, projectIndex, regularProjectOf, taskRanges } from './layout.ts'
import { anchor, day, people, workspaceGids } from './organization.ts'
import type { Projects } from './projects.ts'
import type { Place, Task } from './records.ts'
import { dateOf, note, taskName, trailDayTasks } from './vocabulary.ts'

/** Randomness and arithmetic that all generated tasks share. */
export interface TaskGround {
  readonly layout: Layout
  readonly projects: Projects
  readonly draw: { readonly task: Draw; readonly time: Draw; readonly detail: Draw }
}

export function createTaskGround(seed: number, layout: Layout, projects: Projects): TaskGround {
  const draw = {
    task: seededRandom(seed, 'task'),
    time: seededRandom(seed, 'task time'),
    detail: seededRandom(seed, 'task detail'),
  }
  return { layout, projects, draw }
}

/** The project and place of a generated task; undefined if there is no such task. */
export function homeOf(index: number, { layout }: TaskGround): { project: number; place: number } | undefined {
  if (index >= taskRanges.regular) {
    const n = index - taskRanges.regular
    if (n >= layout.regular) return undefined
    const { project, place } = regularProjectOf(n)
    return { project: projectIndex.regular + project, place }
  }
  const within = (start: number, count: number, project: number) =>
    index >= start && index < start + count ? { project, place: index - start } : undefined
  return (
    within(taskRanges.bulk, layout.bulk, projectIndex.bulk) ??
    within(taskRanges.imported, layout.imported, projectIndex.imported) ??
    within(taskRanges.volunteers, layout.volunteers, projectIndex.trailDay)
  )
}

/**
 * Assigns tasks so that one person's tasks can be found without a look at all others: each block has as many tasks as
 * there are people, and everyone has exactly one of them.
 */
export function assigneeOf(index: number, { layout }: TaskGround): number {
  const block = Math.floor(index / layout.users)
  return (index + block * 5) % layout.users
}

/** The task of a block that belongs to a person. */
export function taskOfAssignee(user: number, block: number, { layout }: TaskGround): number {
  const users = layout.users
  const start = block * users
  return start + ((((user - start - block * 5) % users) + users) % users)
}

export function hasAssignee(index: number, ground: TaskGround): boolean {
  if (index < taskRanges.regular) return index >= taskRanges.volunteers
  const user = assigneeOf(index, ground)
  return ground.draw.task(index) % 7 !== 0 && user !== people.foreigner && user !== people.volunteer
}

/** How many tasks of the bulk project share each millisecond. */
const bulkTogether = 60

export class GeneratedTask implements Task {
  readonly kind = 'task'
  readonly index: number
  #gid: string | undefined
  readonly #ground: TaskGround
  readonly #project: number
  readonly #place: number

  constructor(index: number, home: { project: number; place: number }, ground: TaskGround) {
    this.index = index
    this.#ground = ground
    this.#project = home.project
    this.#place = home.place
  }

  get gid(): string {
    this.#gid ??= gidOf('task', this.index)
    return this.#gid
  }

  get name(): string {
    const { draw } = this.#ground
    if (this.#project === projectIndex.bulk) {
      return `Recount aisle ${1 + Math.floor(this.#place / 42)}, bay ${1 + (this.#place % 42)}`
    }
    if (this.#project === projectIndex.imported)
      return `Check imported price ${String(this.#place + 1).padStart(3, '0')}`
    if (this.#project === projectIndex.trailDay) return pick(trailDayTasks, this.#place)
    return taskName(draw.task(this.index))
  }

  get notes(): string {
    const drawn = this.#ground.draw.detail(this.index) >>> 3
    return drawn % 3 === 0 ? '' : note(drawn)
  }

  get subtype(): string {
    const drawn = this.#ground.draw.task(this.index) >>> 4
    if (this.index < taskRanges.regular) return 'default_task'
    return drawn % 19 === 0 ? 'milestone' : drawn % 23 === 0 ? 'approval' : 'default_task'
  }

  get approval(): string | null {
    if (this.subtype !== 'approval') return null
    return this.completedAt === null ? 'pending' : pick(['approved', 'rejected', 'changes_requested'], this.index)
  }

  get workspace(): string {
    return this.#project === projectIndex.trailDay ? workspaceGids.volunteers : workspaceGids.company
  }

  get places(): readonly Place[] {
    const { projects } = this.#ground
    const { count } = projects.tasksOf(this.#project)
    const section = projects.sectionAt(this.#project, this.#place, count)
    return [{ project: gidOf('project', this.#project), section: gidOf('section', section) }]
  }

  get parent(): string | null {
    return null
  }

  get assignee(): string | null {
    if (!hasAssignee(this.index, this.#ground)) return null
    if (this.#project === projectIndex.trailDay)
      return gidOf('user', this.#place % 2 === 0 ? people.two : people.volunteer)
    return gidOf('user', assigneeOf(this.index, this.#ground))
  }

  get createdBy(): string {
    const { draw, layout } = this.#ground
    if (this.#project === projectIndex.trailDay) return gidOf('user', people.two)
    return gidOf('user', 6 + (draw.time(this.index) % (layout.users - 6)))
  }

  get createdAt(): number {
    if (this.#project === projectIndex.bulk) return anchor - 90 * day + Math.floor(this.#place / bulkTogether) * 1009
    if (this.#project === projectIndex.imported) return anchor - 60 * day + 417
    const { projects, draw } = this.#ground
    return (projects.project(this.#project)?.createdAt ?? anchor) + (draw.time(this.index) % (25 * day))
  }

  get modifiedAt(): number {
    if (this.#project === projectIndex.imported) return anchor - 59 * day + 911
    const createdAt = this.createdAt
    return createdAt + (this.#ground.draw.detail(this.index) % Math.max(1, anchor - createdAt))
  }

  get completedAt(): number | null {
    const { projects } = this.#ground
    if (this.#project === projectIndex.imported) return null
    const { count } = projects.tasksOf(this.#project)
    const done = this.#place >= Math.floor(count * 0.75) || this.#ground.draw.task(this.index) % 10 === 3
    return done ? this.modifiedAt : null
  }

  get completedBy(): string | null {
    return this.completedAt === null ? null : (this.assignee ?? this.createdBy)
  }

  get dueOn(): string | null {
    if (this.#project === projectIndex.imported) return null
    const drawn = this.#ground.draw.detail(this.index) >>> 5
    return drawn % 3 === 0 ? null : dateOf(this.createdAt + (5 + (drawn % 60)) * day)
  }

  get dueAt(): number | null {
    const due = this.dueOn
    return due !== null && this.index % 9 === 2 ? Date.parse(`${due}T15:30:00.000Z`) : null
  }

  get startOn(): string | null {
    const due = this.dueOn
    return due !== null && this.index % 6 === 1 ? dateOf(Date.parse(due) - 3 * day) : null
  }

  get tags(): readonly string[] {
    const { draw, layout } = this.#ground
    const drawn = draw.detail(this.index) >>> 7
    if (this.index < taskRanges.regular || drawn % 4 !== 0) return []
    return [gidOf('tag', (drawn >>> 3) % layout.tags)]
  }

  get followers(): readonly string[] {
    const { draw } = this.#ground
    const followers = new Set([this.createdBy])
    const assignee = this.assignee
    if (assignee !== null) followers.add(assignee)
    if (this.index >= taskRanges.regular && draw.time(this.index) % 17 === 4)
      followers.add(gidOf('user', people.deleted))
    return [...followers]
  }

  get likes(): readonly string[] {
    const drawn = this.#ground.draw.time(this.index) >>> 4
    return drawn % 6 === 0 ? [gidOf('user', drawn % 3 === 0 ? people.one : 7)] : []
  }

  get dependencies(): readonly string[] {
    return this.#linked(this.#place) && this.#place > 0 ? [gidOf('task', this.index - 1)] : []
  }

  get dependents(): readonly string[] {
    const { count } = this.#ground.projects.tasksOf(this.#project)
    return this.#place + 1 < count && this.#linked(this.#place + 1) ? [gidOf('task', this.index + 1)] : []
  }

  /** Every fifth task of a regular project waits for the one before it. */
  #linked(place: number): boolean {
    return this.index >= taskRanges.regular && place % 5 === 4
  }

  get actualMinutes(): number | null {
    const drawn = this.#ground.draw.task(this.index) >>> 9
    return drawn % 4 === 0 ? 15 * (1 + (drawn % 40)) : null
  }

  get separator(): boolean {
    return false
  }

  get external(): null {
    return null
  }
}
