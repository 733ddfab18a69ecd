/** All records: as generated from the seed, written by hand, or changed; and who may see which. */
import { createCollection } from '../../../kit/simulator.ts'
import { generateTags, generateTeams, generateUsers, sizesFor, teamsOfUser, workspaces } from './company.ts'
import { fixtureFiles, fixtureTasks, removedPerson } from './fixtures.ts'
import { firstMadeIndex, gidOf, indexOf, readGid } from './gids.ts'
import { generateProjects } from './projects.ts'
import { chained, inOrder, only, type Ranked } from './ranked.ts'
import {
  type AnyRecord,
  type Attachment,
  afterAll,
  type Kind,
  type Of,
  type Project,
  type Section,
  type Task,
  type User,
} from './records.ts'
import { createGenerator, slotOf } from './tasks.ts'

export type World = ReturnType<typeof createWorld>

/** The generated slots of a list of tasks. */
interface Slots {
  readonly first: number
  readonly step: number
  readonly length: number
}

const none: Slots = { first: 0, step: 1, length: 0 }

export function createWorld(seed: number, scale: number) {
  const sizes = sizesFor(scale)
  const generated = generateProjects(seed, sizes)
  const generator = createGenerator(seed, sizes, generated)
  const teamsOf = teamsOfUser(seed, sizes)
  const collectionOf = <R extends AnyRecord>(name: string, records: Iterable<R>) =>
    createCollection<R>({ name, records, key: ({ gid }) => gid, order: (a, b) => a.rank - b.rank })
  const briefs = generated.projects.filter(({ has_brief }) => has_brief)
  const collections = {
    workspace: collectionOf('workspaces', workspaces),
    user: collectionOf('users', generateUsers(seed, sizes)),
    team: collectionOf('teams', generateTeams(sizes)),
    tag: collectionOf('tags', generateTags(seed, sizes)),
    project: collectionOf('projects', generated.projects),
    section: collectionOf('sections', generated.sections),
    project_brief: collectionOf(
      'briefs',
      briefs.map(({ gid, name, rank }) => ({
        ...{ gid: gidOf('brief', indexOf(gid)), resource_type: 'project_brief', name: `${name}: brief`, rank },
        project: gid,
      })),
    ),
    /** Of these two, only those that are not, or no longer, as generated. */
    task: collectionOf('tasks', fixtureTasks()),
    attachment: collectionOf('attachments', fixtureFiles()),
  }
  /** Generated tasks that were changed, by their slots. */
  const changed = new Map<number, Task>()
  const gone = new Set<string>([removedPerson])
  /** Projects that are closed to a person: `<user>/<project>`. */
  const revoked = new Set<string>()
  let made = 0

  function find<K extends Kind>(kind: K, gid: string): Of<K> | undefined {
    const found = collections[kind].find(gid) ?? generatedRecord(kind, gid)
    return found as Of<K> | undefined
  }

  function generatedRecord(kind: Kind, gid: string): Task | Attachment | undefined {
    if (kind === 'task') {
      const slot = generator.slotOf(gid)
      return slot === undefined ? undefined : generator.at(slot)
    }
    if (kind !== 'attachment') return undefined
    const { space, index } = readGid(gid) ?? { space: '', index: 0 }
    const of = space === 'taskFile' ? 'task' : space === 'projectFile' ? 'project' : undefined
    const parent = of === undefined ? undefined : find(of, gidOf(of, index >> 2))
    return parent === undefined ? undefined : generator.files(parent)[index & 3]
  }

  /** Adds a record, or replaces the one with its gid. */
  function put(record: AnyRecord): void {
    const kind: Kind = record.resource_type
    ;(collections[kind] as ReturnType<typeof collectionOf>).add(record)
    const slot = kind === 'task' ? generator.slotOf(record.gid) : undefined
    if (slot !== undefined) changed.set(slot, record as Task)
  }

  /** Records that can have attachments. */
  const parent = (gid: string) => find('task', gid) ?? find('project', gid) ?? find('project_brief', gid)

  /** What contains a record: it is gone with all of them, and seen by those who see one. */
  function holders(record: AnyRecord): readonly AnyRecord[] {
    if (record.resource_type === 'attachment') return [parent(record.parent)].filter((one) => one !== undefined)
    if (record.resource_type === 'section' || record.resource_type === 'project_brief')
      return [find('project', record.project)].filter((one) => one !== undefined)
    if (record.resource_type !== 'task') return []
    const above = record.parent === null ? undefined : find('task', record.parent)
    if (record.projects.length === 0) return above === undefined ? [] : [above]
    return record.projects.map((gid) => find('project', gid)).filter((one) => one !== undefined)
  }

  function isGone(record: AnyRecord): boolean {
    if (gone.has(record.gid)) return true
    // Nothing but the person who left is gone at first.
    const held = gone.size > 1 ? holders(record) : []
    return held.length > 0 && held.every(isGone)
  }

  /** Whether a person may see a record; ignores the trash. */
  function sees(person: User, record: AnyRecord): boolean {
    const isInside = (workspace: string) => person.workspaces.includes(workspace)
    switch (record.resource_type) {
      case 'workspace':
        return isInside(record.gid)
      case 'user':
        return record.workspaces.some(isInside)
      case 'team':
        return isInside(record.workspace) && record.visibility !== 'secret'
      case 'tag':
        return isInside(record.workspace)
      case 'project':
        if (!isInside(record.workspace) || revoked.has(`${person.gid}/${record.gid}`)) return false
        return record.privacy_setting !== 'private' || record.members.includes(person.gid)
      case 'task': {
        if (!isInside(record.workspace)) return false
        if (record.assignee === person.gid) return true
        const held = holders(record)
        if (held.length > 0) return held.some((holder) => sees(person, holder))
        return record.created_by === person.gid || record.followers.includes(person.gid)
      }
      default:
        return holders(record).some((holder) => sees(person, holder))
    }
  }

  /** Tasks with a value in a field: those put first, the generated ones in their slots, those put last. */
  function tasksWith(
    field: 'workspace' | 'projects' | 'parent' | 'assignee' | 'tags',
    value: string,
    { first, step, length }: Slots,
    rankOf: (task: Task) => number = ({ rank }) => rank,
  ): Ranked<Task> {
    const moved = collections.task.by(field, value).toSorted((a, b) => rankOf(a) - rankOf(b))
    const at = (slot: number): Task | undefined => {
      const task = changed.get(slot) ?? (generator.mayHold(slot, field, value) ? generator.at(slot) : undefined)
      const held = task?.[field] ?? []
      return task !== undefined && rankOf(task) === slot && (held === value || held.includes(value)) ? task : undefined
    }
    return chained(
      inOrder(
        moved.filter((task) => rankOf(task) < 0),
        rankOf,
      ),
      { length, at: (place) => at(first + place * step), rankAt: (place) => first + place * step },
      inOrder(
        moved.filter((task) => rankOf(task) >= afterAll),
        rankOf,
      ),
    )
  }

  const everywhere = (workspace: string): Slots => {
    const { first, count } = generated.range(workspace)
    return { first: slotOf(first), step: 1, length: count * 8 }
  }

  function projectTasks({ gid }: Pick<Project, 'gid'>): Ranked<Task> {
    const span = generated.spanOf(indexOf(gid))
    const slots = span === undefined ? none : { first: slotOf(span.first), step: 8, length: span.count }
    const rankOf = (task: Task) => task.memberships.find(({ project }) => project === gid)?.rank ?? task.rank
    return tasksWith('projects', gid, slots, rankOf)
  }

  return {
    ...{ collections, gone, revoked, find, put, parent, isGone, sees, projectTasks, teamsOf },
    teamsOfUser: ({ gid }: User) => teamsOf(indexOf(gid)),
    workspaceTasks: (workspace: string) => tasksWith('workspace', workspace, everywhere(workspace)),
    assignedTasks: ({ gid }: User, workspace: string) =>
      only(tasksWith('assignee', gid, everywhere(workspace)), (task) => task.workspace === workspace),
    taggedTasks: (tag: string, workspace: string) => tasksWith('tags', tag, everywhere(workspace)),
    sectionTasks: ({ gid, project }: Section) =>
      only(projectTasks({ gid: project }), ({ memberships }) => memberships.some(({ section }) => section === gid)),
    subtasks({ gid }: Pick<Task, 'gid'>): Ranked<Task> {
      const slot = generator.slotOf(gid)
      return tasksWith('parent', gid, slot === undefined ? none : { first: slot + 1, step: 1, length: 7 })
    },
    attachments(holder: AnyRecord): readonly Attachment[] {
      const { attachment } = collections
      const own = holder.resource_type === 'task' || holder.resource_type === 'project' ? generator.files(holder) : []
      const added = attachment.by('parent', holder.gid).filter(({ rank }) => rank >= afterAll)
      return [...own.map((one) => attachment.find(one.gid) ?? one), ...added]
    },
    /** A number for a record that is made now. */
    nextIndex(): number {
      made += 1
      return firstMadeIndex + made - 1
    },
  }
}
