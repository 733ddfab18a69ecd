/** Tasks from their numbers alone, so that a company of any size needs no memory; and the files of some. */
import { lazyRecords, pick, seededRandom } from '../../../kit/simulator.ts'
import { colleague, people, type Sizes, user, workspaceGids } from './company.ts'
import { gidOf, readGid } from './gids.ts'
import { type generateProjects, projectIndex } from './projects.ts'
import { type Attachment, anchor, dateOf, day, type Project, placed, type Task, timeOf } from './records.ts'
import { note, taskName } from './vocabulary.ts'

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

export function createGenerator(seed: number, sizes: Sizes, generated: ReturnType<typeof generateProjects>) {
  const drawTask = seededRandom(seed, 'task')
  const drawTime = seededRandom(seed, 'task time')
  const drawDetail = seededRandom(seed, 'task detail')
  const drawFile = seededRandom(seed, 'attachment')

  /** What a task is made from. Only the regular projects of the company vary. */
  function sourceOf(index: number, project: Project) {
    const [drawn, time, detail] = [drawTask(index), drawTime(index), drawDetail(index)]
    const [isBulk, isImported] = [project.index === projectIndex.bulk, project.index === projectIndex.imported]
    const isRegular = project.index >= projectIndex.regular
    return { index, project, place: index - project.firstTask, drawn, time, detail, isBulk, isImported, isRegular }
  }
  type Source = ReturnType<typeof sourceOf>

  function nameOf({ place, drawn, isBulk, isImported }: Source): string {
    if (isBulk) return `Recount aisle ${1 + Math.floor(place / 42)}, bay ${1 + (place % 42)}`
    return isImported ? `Check imported price ${String(place + 1).padStart(3, '0')}` : taskName(drawn)
  }

  /** Sixty tasks of the recount, and all imported ones, share the moments of their creation and last change. */
  function startOf({ place, project, time, isBulk, isImported }: Source): number {
    if (isImported) return anchor - 60 * day + 417
    return isBulk
      ? anchor - 90 * day + Math.floor(place / 60) * 1009
      : Date.parse(project.created_at) + (time % (25 * day))
  }
  function changeOf(task: Source): number {
    const started = startOf(task)
    return started + (task.isImported ? day : task.detail % Math.max(1, anchor - started))
  }

  const isDone = ({ isImported, place, project, drawn }: Source) =>
    !isImported && (place >= Math.floor(project.tasks * 0.75) || drawn % 10 === 3)
  const isMilestone = ({ isRegular, drawn }: Source) => isRegular && (drawn >>> 4) % 19 === 0
  const isApproval = (task: Source) => task.isRegular && !isMilestone(task) && (task.drawn >>> 4) % 23 === 0
  /** Of ten tasks, the last two are parts of the one before them; the second and seventh wait for the one before. */
  const isPart = ({ isRegular, place }: Source) => isRegular && place % 10 > 7
  const waits = ({ isRegular, project }: Source, place: number) => isRegular && place % 5 === 1 && place < project.tasks
  const creatorOf = ({ time }: Source) => colleague(time, sizes)
  const projectsOf = (task: Source) => (isPart(task) ? [] : [task.project.gid])
  const dueOf = (task: Source) =>
    task.isImported || task.detail % 3 === 0 ? null : dateOf(startOf(task) + (5 + ((task.detail >>> 5) % 60)) * day)
  function personOf({ drawn, isRegular }: Source) {
    const person = (drawn >>> 3) % sizes.users
    const isOutside = person === people.foreigner || person === people.volunteer
    return isRegular && drawn % 7 !== 0 && !isOutside ? user(person) : null
  }

  const taskFrom = lazyRecords<Source, Task>({
    ...blankTask,
    gid: ({ index }) => gidOf('task', index),
    rank: ({ index }) => index,
    name: nameOf,
    notes: ({ detail }) => ((detail >>> 3) % 3 === 0 ? '' : note(detail)),
    resource_subtype: (task: Source) =>
      isMilestone(task) ? 'milestone' : isApproval(task) ? 'approval' : 'default_task',
    approval_status: (task: Source) => (isApproval(task) ? (isDone(task) ? 'approved' : 'pending') : undefined),
    memberships(task) {
      const { index, sections, tasks } = task.project
      const section = gidOf('section', index * 8 + Math.floor((task.place * sections) / tasks))
      return projectsOf(task).map((project) => ({ project, section }))
    },
    projects: projectsOf,
    parent: (task) => (isPart(task) ? gidOf('task', task.index - (task.place % 10) + 7) : null),
    assignee: personOf,
    created_by: creatorOf,
    created_at: (task) => timeOf(startOf(task)),
    modified_at: (task) => timeOf(changeOf(task)),
    completed_at: (task) => (isDone(task) ? timeOf(changeOf(task)) : null),
    completed_by: (task: Source) => (isDone(task) ? (personOf(task) ?? creatorOf(task)) : null),
    due_on: dueOf,
    due_at: (task: Source) => (task.index % 9 === 2 && dueOf(task) !== null ? `${dueOf(task)}T15:30:00.000Z` : null),
    start_on: (task: Source) => (task.index % 6 === 1 && dueOf(task) !== null ? dateOf(startOf(task)) : null),
    tags: ({ detail, isRegular }: Source) =>
      isRegular && (detail >>> 7) % 4 === 0 ? [gidOf('tag', (detail >>> 10) % sizes.tags)] : [],
    followers: (task) => [creatorOf(task), ...(task.isRegular && task.time % 17 === 4 ? [user(people.deleted)] : [])],
    likes: ({ time }) => ((time >>> 4) % 6 === 0 ? [user((time >>> 4) % 12 === 0 ? people.one : 7)] : []),
    dependencies: (task) => (waits(task, task.place) ? [gidOf('task', task.index - 1)] : []),
    dependents: (task) => (waits(task, task.place + 1) ? [gidOf('task', task.index + 1)] : []),
    actual_time_minutes: ({ drawn }: Source) => ((drawn >>> 9) % 4 === 0 ? 15 * (1 + ((drawn >>> 9) % 40)) : null),
  })

  function at(index: number): Task | undefined {
    const project = generated.projectOf(index)
    return project && taskFrom(sourceOf(index, project))
  }

  /** Every sixth regular task and project has a file, whose number follows from its own; others were written by hand. */
  function* files(written: Iterable<Attachment>): Iterable<Attachment> {
    yield* written
    for (const project of generated.projects) {
      const { index, firstTask, tasks } = project
      if (index % 6 === 1) yield fileOf(project, 3_000_000 + index)
      for (let task = Math.ceil(firstTask / 6) * 6; task < firstTask + tasks; task += 6)
        if (index >= projectIndex.regular) yield fileOf(at(task)!, task)
    }
  }

  function fileOf({ gid: parent, created_at }: Task | Project, index: number): Attachment {
    const drawn = drawFile(index)
    const at = Math.min(anchor, Date.parse(created_at) + day)
    return {
      ...{ ...blankFile, ...pick(formats, drawn), parent, size: 2_000 + ((drawn >>> 3) % 900_000), rank: index },
      ...{ gid: gidOf('file', 1000 + index), created_at: timeOf(at) },
    }
  }

  return {
    at,
    files,
    /** The number of a gid; undefined if no generated task has it. */
    placeOf(gid: string): number | undefined {
      const read = readGid(gid)
      return read?.space === 'task' && generated.projectOf(read.index) !== undefined ? read.index : undefined
    },
  }
}
