/** Tasks, subtasks and attachments from their numbers alone, so that a company of any size needs no memory. */
import { lazyRecords, pick, seededRandom } from '../../../kit/simulator.ts'
import { colleague, people, type Sizes, user, workspaceGids } from './company.ts'
import { gidOf, readGid } from './gids.ts'
import { type generateProjects, projectIndex, type Span, sectionAt, taskIndex } from './projects.ts'
import { type AnyRecord, type Attachment, anchor, dateOf, day, placed, type Task, timeOf } from './records.ts'
import { note, subtaskNames, taskName, trailDayTasks } from './vocabulary.ts'

/** What every task has that says nothing else. */
export const blankTask = {
  ...{ resource_type: 'task', notes: '', resource_subtype: 'default_task', workspace: workspaceGids.company },
  ...{ ...placed(), parent: null, assignee: null, created_by: user(people.two) },
  ...{ created_at: timeOf(anchor - 30 * day), modified_at: timeOf(anchor - 20 * day) },
  ...{ completed_at: null, completed_by: null, due_on: null, due_at: null, start_on: null, start_at: null },
  ...{ tags: [], followers: [], likes: [], dependencies: [], dependents: [], actual_time_minutes: null },
  ...{ approval_status: undefined, is_rendered_as_separator: false, external: null },
  ...{ assigned_by: null, custom_type: null, custom_type_status_option: null },
} as const satisfies Partial<Task>

export const blankFile = {
  ...{ resource_type: 'attachment', host: 'asana', content_type: 'application/octet-stream', lead: '' },
  ...{ size: 12_338, created_at: timeOf(anchor - 10 * day) },
} as const satisfies Partial<Attachment>

const formats = [
  { name: 'Fit notes.pdf', content_type: 'application/pdf', lead: '%PDF-1.7\n' },
  { name: 'Sample front.jpg', content_type: 'image/jpeg', lead: '\u00ff\u00d8\u00ff\u00e0' },
  { name: 'Cost sheet.xlsx', content_type: 'application/octet-stream', lead: 'PK\u0003\u0004' },
  { name: 'Floor plan.png', content_type: 'image/png', lead: '\u0089PNG\r\n\u001a\n' },
] as const

/** The slot of a task; those of its subtasks follow. It is the rank of a generated task, too. */
export const slotOf = (index: number, subtask = -1): number => index * 8 + subtask + 1

export function createGenerator(seed: number, sizes: Sizes, projects: ReturnType<typeof generateProjects>) {
  const drawTask = seededRandom(seed, 'task')
  const drawTime = seededRandom(seed, 'task time')
  const drawDetail = seededRandom(seed, 'task detail')
  const drawFile = seededRandom(seed, 'attachment')
  const firstRegular = taskIndex.company + sizes.bulk + sizes.imported
  const isRegular = (index: number) => index >= firstRegular

  function assigneeOf(index: number): number | undefined {
    if (index < taskIndex.company) return index % 2 === 0 ? people.two : people.volunteer
    const drawn = drawTask(index)
    const person = (drawn >>> 3) % sizes.users
    const isOutside = person === people.foreigner || person === people.volunteer
    return isRegular(index) && drawn % 7 !== 0 && !isOutside ? person : undefined
  }

  function tagsOf(index: number): string[] {
    const drawn = drawDetail(index) >>> 7
    return isRegular(index) && drawn % 4 === 0 ? [gidOf('tag', (drawn >>> 3) % sizes.tags)] : []
  }

  /** The number of subtasks of a task. */
  function subtaskCount(index: number): number {
    const drawn = drawDetail(index)
    return isRegular(index) && drawn % 8 === 1 ? 1 + ((drawn >>> 4) % 4) : 0
  }

  function nameOf(index: number, { project, first }: Span): string {
    const place = index - first
    if (project === projectIndex.bulk) return `Recount aisle ${1 + Math.floor(place / 42)}, bay ${1 + (place % 42)}`
    if (project === projectIndex.imported) return `Check imported price ${String(place + 1).padStart(3, '0')}`
    return project === projectIndex.trailDay ? pick(trailDayTasks, place) : taskName(drawTask(index))
  }

  /** The moments of creation and last change: sixty tasks of the recount, and all imported ones, share theirs. */
  function timesOf(index: number, { project, first, createdAt }: Span): [number, number] {
    if (project === projectIndex.imported) return [anchor - 60 * day + 417, anchor - 59 * day + 911]
    const isBulk = project === projectIndex.bulk
    const started = isBulk
      ? anchor - 90 * day + Math.floor((index - first) / 60) * 1009
      : createdAt + (drawTime(index) % (25 * day))
    return [started, started + (drawDetail(index) % Math.max(1, anchor - started))]
  }

  /** Every fifth task of a regular project waits for the one before it. */
  const waits = (index: number, place: number, { count }: Span) => isRegular(index) && place % 5 === 4 && place < count

  /** What a task is made from. */
  function sourceOf(index: number, span: Span) {
    const [started, changed] = timesOf(index, span)
    const [drawn, time, detail] = [drawTask(index), drawTime(index), drawDetail(index)]
    return { index, span, place: index - span.first, drawn, time, detail, started, changed }
  }
  type Source = ReturnType<typeof sourceOf>

  const isPlain = ({ span }: Source) => span.project === projectIndex.imported
  const isDone = (task: Source) =>
    !isPlain(task) && (task.place >= Math.floor(task.span.count * 0.75) || task.drawn % 10 === 3)
  const isMilestone = ({ index, drawn }: Source) => isRegular(index) && (drawn >>> 4) % 19 === 0
  const isApproval = (task: Source) => isRegular(task.index) && !isMilestone(task) && (task.drawn >>> 4) % 23 === 0
  const isVolunteers = ({ index }: Source) => index < taskIndex.company
  const creatorOf = (task: Source) => (isVolunteers(task) ? user(people.two) : colleague(task.time, sizes))
  const projectOf = ({ span }: Source) => gidOf('project', span.project)
  const dueOf = (task: Source) =>
    isPlain(task) || task.detail % 3 === 0 ? null : dateOf(task.started + (5 + ((task.detail >>> 5) % 60)) * day)
  function personOf({ index }: Source) {
    const person = assigneeOf(index)
    return person === undefined ? null : user(person)
  }

  const taskFrom = lazyRecords<Source, Task>({
    ...blankTask,
    gid: ({ index }) => gidOf('task', index),
    rank: ({ index }) => slotOf(index),
    name: ({ index, span }) => nameOf(index, span),
    notes: ({ detail }) => ((detail >>> 3) % 3 === 0 ? '' : note(detail)),
    resource_subtype: (task) => (isMilestone(task) ? 'milestone' : isApproval(task) ? 'approval' : 'default_task'),
    approval_status: (task: Source) => (isApproval(task) ? (isDone(task) ? 'approved' : 'pending') : undefined),
    workspace: (task) => (isVolunteers(task) ? workspaceGids.volunteers : workspaceGids.company),
    memberships: (task) => {
      const section = gidOf('section', task.span.project * 8 + sectionAt(task.span, task.place))
      return [{ project: projectOf(task), section }]
    },
    projects: (task) => [projectOf(task)],
    assignee: personOf,
    created_by: creatorOf,
    created_at: ({ started }) => timeOf(started),
    modified_at: ({ changed }) => timeOf(changed),
    completed_at: (task) => (isDone(task) ? timeOf(task.changed) : null),
    completed_by: (task: Source) => (isDone(task) ? (personOf(task) ?? creatorOf(task)) : null),
    due_on: dueOf,
    due_at: (task: Source) => (task.index % 9 === 2 && dueOf(task) !== null ? `${dueOf(task)}T15:30:00.000Z` : null),
    start_on(task: Source) {
      const due = task.index % 6 === 1 ? dueOf(task) : null
      return due === null ? null : dateOf(Date.parse(due) - 3 * day)
    },
    tags: ({ index }) => tagsOf(index),
    followers: (task) =>
      isRegular(task.index) && task.time % 17 === 4 ? [creatorOf(task), user(people.deleted)] : [creatorOf(task)],
    likes: ({ time }) => ((time >>> 4) % 6 === 0 ? [user((time >>> 4) % 12 === 0 ? people.one : 7)] : []),
    dependencies: ({ index, place, span }) => (waits(index, place, span) ? [gidOf('task', index - 1)] : []),
    dependents: ({ index, place, span }) => (waits(index, place + 1, span) ? [gidOf('task', index + 1)] : []),
    actual_time_minutes: ({ drawn }: Source) => ((drawn >>> 9) % 4 === 0 ? 15 * (1 + ((drawn >>> 9) % 40)) : null),
  })

  function task(index: number): Task | undefined {
    const span = projects.spanAt(index)
    return span && taskFrom(sourceOf(index, span))
  }

  /** A small piece of its parent, with the same people. */
  function subtask(index: number, nth: number): Task | undefined {
    const parent = nth < subtaskCount(index) ? task(index) : undefined
    if (parent === undefined) return undefined
    const started = Math.min(anchor, Date.parse(parent.created_at) + (nth + 1) * 3_600_417)
    const changed = timeOf(Math.min(anchor, started + (nth + 1) * 86_400_211))
    const isDone = parent.completed_at !== null || nth === 0
    return {
      ...blankTask,
      ...{ gid: gidOf('subtask', index * 8 + nth), rank: slotOf(index, nth), name: pick(subtaskNames, index + nth) },
      ...{ workspace: parent.workspace, parent: parent.gid, due_on: parent.due_on, created_by: parent.created_by },
      ...{ assignee: nth === 0 ? parent.assignee : null, followers: [parent.created_by] },
      ...{ created_at: timeOf(started), modified_at: changed },
      ...{ completed_at: isDone ? changed : null, completed_by: isDone ? parent.created_by : null },
    }
  }

  /** The generated attachments of a generated task or project. */
  function files(parent: AnyRecord): Attachment[] {
    const { space, index } = readGid(parent.gid) ?? { space: '', index: 0 }
    const drawn = drawFile(index * 3)
    const isTask = space === 'task' && index >= taskIndex.volunteers && projects.spanAt(index) !== undefined
    const isProject = space === 'project' && projects.spans.has(index) && index >= projectIndex.regular
    const count = isTask && drawn % 6 === 0 ? 1 + ((drawn >>> 5) % 2) : isProject && drawn % 5 === 0 ? 1 : 0
    return Array.from({ length: count }, (_, nth) => {
      const detail = drawFile(index * 4 + nth)
      const at = Date.parse(String(parent.created_at)) + (nth + 1) * day
      return {
        ...{ ...blankFile, ...pick(formats, detail), size: 2_000 + ((detail >>> 3) % 900_000), rank: nth },
        ...{ gid: gidOf(isTask ? 'taskFile' : 'projectFile', index * 4 + nth), parent: parent.gid },
        created_at: timeOf(Math.min(at, anchor)),
      }
    })
  }

  return {
    /** The task or subtask in a slot. */
    at: (slot: number) => (slot % 8 === 0 ? task(slot >> 3) : subtask(slot >> 3, (slot & 7) - 1)),
    /** The slot of a gid; undefined if no generated task has it. */
    placeOf(gid: string): number | undefined {
      const { space, index } = readGid(gid) ?? { space: '', index: 0 }
      const [own, nth] = space === 'subtask' ? [index >> 3, index & 7] : [index, -1]
      if ((space !== 'task' && space !== 'subtask') || projects.spanAt(own) === undefined) return undefined
      return nth < subtaskCount(own) ? slotOf(own, nth) : undefined
    },
    files,
  }
}
