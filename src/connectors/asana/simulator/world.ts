/** All records: as generated from the seed, written by hand, or changed; and who may see which. */
import {
  type Ask as AskOf,
  type Collection,
  createCollection,
  createGenerated,
  only,
  type Surroundings,
} from '../../../kit/simulator.ts'
import { generateTags, generateTeams, generateUsers, sizesFor, workspaces } from './company.ts'
import { createEvents } from './events.ts'
import { landmarks } from './examples.ts'
import { fixtureBrief, fixtureFiles, fixtureTasks } from './fixtures.ts'
import { firstMadeIndex } from './gids.ts'
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

export function createWorld({ seed, scale, origin, filesOrigin, callsPerMinute: perMinute }: Surroundings) {
  const sizes = sizesFor(scale)
  const generated = generateProjects(seed, sizes)
  const generator = createGenerator(seed, sizes, generated)
  const kept = <R extends AnyRecord>(name: string, records: Iterable<R>) =>
    ({ name, records, key: ({ gid }: R) => gid, order: (a: R, b: R) => a.rank - b.rank }) as const
  const tasks = createGenerated(kept('tasks', fixtureTasks()), generator)
  const collections = {
    workspace: createCollection(kept('workspaces', workspaces)),
    user: createCollection(kept('users', generateUsers(seed, sizes))),
    team: createCollection(kept('teams', generateTeams(sizes))),
    tag: createCollection(kept('tags', generateTags(seed, sizes))),
    project: createCollection(kept('projects', generated.projects)),
    section: createCollection(kept('sections', generated.sections)),
    project_brief: createCollection(kept<Of<'project_brief'>>('briefs', [fixtureBrief])),
    task: tasks,
    attachment: createCollection(kept('attachments', generator.files(fixtureFiles()))),
  }
  /** A person left: gone from lists, and still named where they were. */
  const gone = new Set<string>([landmarks.user_deleted])
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

  const projectTasks = ({ gid, firstTask: first, tasks: length }: Of<'project'>) =>
    tasks.by('projects', gid, { first, length })

  return {
    ...{ collections, gone, revoked, find, parent, isGone, sees, projectTasks, filesOrigin },
    limits: { perMinute },
    baseUrl: `${origin}${apiPath}`,
    events: createEvents((gid) => find('task', gid)),
    /** The tasks with a value in a field, wherever they are. */
    tasksBy: (field: 'workspace' | 'assignee' | 'tags', value: string) => tasks.by(field, value, generated.everywhere),
    userAt: (address: string) => collections.user.by('email', address.toLowerCase())[0],
    sectionTasks: ({ gid, project }: Of<'section'>) =>
      only(projectTasks(find('project', project)!), ({ memberships }) =>
        memberships.some(({ section }) => section === gid),
      ),
    /** Generated ones follow their parent. */
    subtasks: ({ gid }: Task) => tasks.by('parent', gid, { first: (generator.placeOf(gid) ?? 0) + 1, length: 2 }),
    /** Adds a record, or replaces the one with its gid. */
    put: <R extends AnyRecord>(record: R): R =>
      (collections[record.resource_type] as unknown as Collection<R>).add(record),
    /** A number for a record that is made now. */
    nextIndex: (): number => firstMadeIndex + made++,
  }
}
