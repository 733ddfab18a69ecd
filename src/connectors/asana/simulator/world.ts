/** All records: as generated from the seed, written by hand, or changed; and who may see which. */
import {
  type Ask as AskOf,
  type Collection,
  createCollection,
  createGenerated,
  only,
  type Ranked,
  type Surroundings,
} from '../../../kit/simulator.ts'
import { generateTags, generateTeams, generateUsers, sizesFor, workspaces } from './company.ts'
import { createEvents } from './events.ts'
import { fixtureFiles, fixtureTasks, removedPerson } from './fixtures.ts'
import { firstMadeIndex, gidOf, indexOf } from './gids.ts'
import { generateProjects } from './projects.ts'
import type { AnyRecord, Kind, Of, Row } from './records.ts'
import { createGenerator } from './tasks.ts'

type Task = Of<'task'>

export type World = ReturnType<typeof createWorld>

export interface Caller {
  readonly person: Of<'user'>
  /** Whether an application acts for the person. */
  readonly oauth: boolean
}

export type Ask<Args = Readonly<Record<string, unknown>>> = AskOf<World, Caller, Args>

/** Everything besides the record that an answer may depend on. */
export type View = Pick<Ask, 'world' | 'caller' | 'now'>

export const apiPath = '/api/1.0'

/** The brief of a project that has one. */
const briefOf = ({ gid: project, name, rank, has_brief }: Of<'project'>): Of<'project_brief'>[] =>
  has_brief === true
    ? [{ gid: gidOf('brief', indexOf(project)), resource_type: 'project_brief', name: `${name}: brief`, project, rank }]
    : []

export function createWorld({ seed, scale, origin, filesOrigin }: Surroundings) {
  const sizes = sizesFor(scale)
  const generated = generateProjects(seed, sizes)
  const generator = createGenerator(seed, sizes, generated)
  const kept = <R extends AnyRecord>(name: string, records: Iterable<R>) =>
    ({ name, records, key: ({ gid }: R) => gid, order: (a: R, b: R) => a.rank - b.rank }) as const
  const collectionOf = <R extends AnyRecord>(name: string, records: Iterable<R>) =>
    createCollection<R>(kept(name, records))
  const tasks = createGenerated(kept('tasks', fixtureTasks()), generator)
  const collections = {
    workspace: collectionOf('workspaces', workspaces),
    user: collectionOf('users', generateUsers(seed, sizes)),
    team: collectionOf('teams', generateTeams(sizes)),
    tag: collectionOf('tags', generateTags(seed, sizes)),
    project: collectionOf('projects', generated.projects),
    section: collectionOf('sections', generated.sections),
    project_brief: collectionOf('briefs', generated.projects.flatMap(briefOf)),
    task: tasks,
    attachment: collectionOf('attachments', generator.files(generated.projects, fixtureFiles())),
  }
  const gone = new Set<string>([removedPerson])
  /** Projects that are closed to a person: `<user>/<project>`. */
  const revoked = new Set<string>()
  let made = 0

  const find = <K extends Kind>(kind: K, gid: string) => collections[kind].find(gid) as Of<K> | undefined

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

  /** Whether a person may see a record: what is in a workspace, or else what contains it. Ignores the trash. */
  function sees(person: Of<'user'>, record: AnyRecord): boolean {
    const { gid, resource_type: kind, workspace, workspaces = workspace ?? gid, members }: Row = record
    const isHeld = () => holders(record).some((holder) => sees(person, holder))
    if (kind === 'section' || kind === 'project_brief' || kind === 'attachment') return isHeld()
    if (![workspaces].flat().some((one) => person.workspaces.includes(String(one)))) return false
    if (record.visibility === 'secret' || revoked.has(`${person.gid}/${gid}`)) return false
    if (record.privacy_setting === 'private') return (members as readonly string[]).includes(person.gid)
    if (record.resource_type !== 'task' || record.assignee === person.gid || isHeld()) return true
    return holders(record).length === 0 && [record.created_by, ...record.followers].includes(person.gid)
  }

  /** The tasks with a value in a field, wherever they are. */
  const tasksBy = (field: 'workspace' | 'assignee' | 'tags', value: string) =>
    tasks.by(field, value, generated.everywhere)

  function projectTasks({ gid }: { readonly gid: string }): Ranked<Task> {
    const { first, count: length } = generated.spans.get(indexOf(gid)) ?? { first: 0, count: 0 }
    return tasks.by('projects', gid, { first, length })
  }

  return {
    ...{ collections, gone, revoked, find, parent, isGone, sees, projectTasks, filesOrigin },
    baseUrl: `${origin}${apiPath}`,
    events: createEvents((gid) => find('task', gid)),
    userAt: (address: string) => collections.user.by('email', address.toLowerCase())[0],
    within: <K extends 'project' | 'team' | 'tag'>(kind: K, workspace: string) =>
      collections[kind].by('workspace', workspace) as unknown as readonly Of<K>[],
    workspaceTasks: (workspace: string) => tasksBy('workspace', workspace),
    assignedTasks: ({ gid }: Of<'user'>, workspace: string) =>
      only(tasksBy('assignee', gid), (one) => one.workspace === workspace),
    taggedTasks: ({ gid }: Of<'tag'>) => tasksBy('tags', gid),
    sectionTasks: ({ gid, project }: Of<'section'>) =>
      only(projectTasks({ gid: project }), ({ memberships }) => memberships.some(({ section }) => section === gid)),
    /** Generated ones follow their parent. */
    subtasks: ({ gid }: Task) => tasks.by('parent', gid, { first: (generator.placeOf(gid) ?? 0) + 1, length: 2 }),
    /** Adds a record, or replaces the one with its gid. */
    put: <R extends AnyRecord>(record: R): R =>
      (collections[record.resource_type] as unknown as Collection<R>).add(record),
    /** A number for a record that is made now. */
    nextIndex: (): number => firstMadeIndex + made++,
  }
}
