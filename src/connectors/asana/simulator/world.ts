/** All records: as generated from the seed, written by hand, or changed; and who may see which. */
import {
  afterAll,
  type Collection,
  createCollection,
  createGenerated,
  only,
  type Places,
  type Ranked,
} from '../../../kit/simulator.ts'
import { generateTags, generateTeams, generateUsers, sizesFor, teamsOfUser, workspaces } from './company.ts'
import { fixtureFiles, fixtureTasks, removedPerson } from './fixtures.ts'
import { firstMadeIndex, gidOf, indexOf, readGid } from './gids.ts'
import { generateProjects } from './projects.ts'
import type { AnyRecord, Kind, Of, Row } from './records.ts'
import { createGenerator, slotOf } from './tasks.ts'

type Task = Of<'task'>

export type World = ReturnType<typeof createWorld>

/** The brief of a project that has one. */
const briefOf = ({ gid: project, name, rank, has_brief }: Of<'project'>): Of<'project_brief'>[] =>
  has_brief === true
    ? [{ gid: gidOf('brief', indexOf(project)), resource_type: 'project_brief', name: `${name}: brief`, project, rank }]
    : []

export function createWorld(seed: number, scale: number) {
  const sizes = sizesFor(scale)
  const generated = generateProjects(seed, sizes)
  const generator = createGenerator(seed, sizes, generated)
  const teamsOf = teamsOfUser(seed, sizes)
  const kept = <R extends AnyRecord>(name: string, records: Iterable<R>) =>
    ({ name, records, key: ({ gid }: R) => gid, order: (a: R, b: R) => a.rank - b.rank }) as const
  const collectionOf = <R extends AnyRecord>(name: string, records: Iterable<R>) =>
    createCollection<R>(kept(name, records))
  const files = createCollection(kept('attachments', fixtureFiles()))
  const collections = {
    workspace: collectionOf('workspaces', workspaces),
    user: collectionOf('users', generateUsers(seed, sizes)),
    team: collectionOf('teams', generateTeams(sizes)),
    tag: collectionOf('tags', generateTags(seed, sizes)),
    project: collectionOf('projects', generated.projects),
    section: collectionOf('sections', generated.sections),
    project_brief: collectionOf('briefs', generated.projects.flatMap(briefOf)),
    task: createGenerated(kept('tasks', fixtureTasks()), generator),
    attachment: { add: files.add, by: files.by, find: (gid: string) => files.find(gid) ?? generatedFile(gid) },
  }
  const gone = new Set<string>([removedPerson])
  /** Projects that are closed to a person: `<user>/<project>`. */
  const revoked = new Set<string>()
  let made = 0

  const find = <K extends Kind>(kind: K, gid: string) => collections[kind].find(gid) as Of<K> | undefined

  function generatedFile(gid: string): Of<'attachment'> | undefined {
    const { space, index } = readGid(gid) ?? { space: '', index: 0 }
    const of = space === 'projectFile' ? 'project' : 'task'
    const holder = space === `${of}File` ? find(of, gidOf(of, index >> 2)) : undefined
    return holder && generator.files(holder)[index & 3]
  }

  /** Adds a record, or replaces the one with its gid. */
  const put = <R extends AnyRecord>(record: R): R =>
    (collections[record.resource_type] as unknown as Collection<R>).add(record)

  /** Records that can have attachments. */
  const parent = (gid: string) => find('task', gid) ?? find('project', gid) ?? find('project_brief', gid)

  /** What contains a record, its projects or its parent: it is gone with all of them, and seen by those who see one. */
  function holders({ projects, project, parent: above }: Row): readonly AnyRecord[] {
    const gids = typeof project === 'string' ? [project] : ((projects ?? []) as readonly string[])
    const holder = gids.length === 0 && typeof above === 'string' ? parent(above) : undefined
    return holder === undefined ? gids.flatMap((gid) => find('project', gid) ?? []) : [holder]
  }

  function isGone(record: AnyRecord): boolean {
    if (gone.has(record.gid)) return true
    // Nothing but the person who left is gone at first.
    const held = gone.size > 1 ? holders(record) : []
    return held.length > 0 && held.every(isGone)
  }

  /** Whether a person may see a record; ignores the trash. */
  function sees(person: Of<'user'>, record: AnyRecord): boolean {
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

  const { task } = collections

  const everywhere = (workspace: string): Places => {
    const { first, count } = generated.range(workspace)
    return { first: slotOf(first), step: 1, length: count * 8 }
  }

  function projectTasks({ gid }: { readonly gid: string }): Ranked<Task> {
    const { first, count } = generated.spans.get(indexOf(gid)) ?? { first: 0, count: 0 }
    const rankOf = ({ memberships, rank }: Task) => memberships.find(({ project }) => project === gid)?.rank ?? rank
    return task.by('projects', gid, { first: slotOf(first), step: 8, length: count }, rankOf)
  }

  return {
    ...{ collections, gone, revoked, find, put, parent, isGone, sees, projectTasks },
    userAt: (address: string) => collections.user.by('email', address.toLowerCase())[0],
    within: <K extends 'project' | 'team' | 'tag'>(kind: K, workspace: string) =>
      collections[kind].by('workspace', workspace) as unknown as readonly Of<K>[],
    teamsOfUser: ({ gid }: Of<'user'>) => teamsOf(indexOf(gid)),
    workspaceTasks: (workspace: string) => task.by('workspace', workspace, everywhere(workspace)),
    assignedTasks: ({ gid }: Of<'user'>, workspace: string) =>
      only(task.by('assignee', gid, everywhere(workspace)), (one) => one.workspace === workspace),
    taggedTasks: ({ gid, workspace }: Of<'tag'>) => task.by('tags', gid, everywhere(workspace)),
    sectionTasks: ({ gid, project }: Of<'section'>) =>
      only(projectTasks({ gid: project }), ({ memberships }) => memberships.some(({ section }) => section === gid)),
    subtasks({ gid }: Task): Ranked<Task> {
      const slot = generator.placeOf(gid)
      return task.by('parent', gid, { first: (slot ?? 0) + 1, step: 1, length: slot === undefined ? 0 : 7 })
    },
    attachments(holder: AnyRecord): readonly Of<'attachment'>[] {
      const { attachment } = collections
      const added = attachment.by('parent', holder.gid).filter(({ rank }) => rank >= afterAll)
      return [...generator.files(holder).map((one) => attachment.find(one.gid) ?? one), ...added]
    },
    trash<R extends AnyRecord>(record: R, isTrashed: boolean): R {
      gone[isTrashed ? 'add' : 'delete'](record.gid)
      return record
    },
    /** A number for a record that is made now. */
    nextIndex(): number {
      made += 1
      return firstMadeIndex + made - 1
    },
  }
}
