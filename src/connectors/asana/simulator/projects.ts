/** Projects and their sections: the particular ones by name, the regular ones from the seed; and where tasks lie. */
import { firstPlace, pick, seededRandom } from '../../../kit/simulator.ts'
import { colleague, colors, people, type Sizes, user, workspaceGids } from './company.ts'
import { gidOf } from './gids.ts'
import { anchor, dateOf, day, type Project, type Section, timeOf } from './records.ts'
import { projectName } from './vocabulary.ts'

/** Indices of the projects that tests look for. */
export const projectIndex = {
  ...{ quirks: 0, bulk: 1, imported: 2, secret: 3, trailDay: 4, foreign: 7, launch: 8, empty: 9, regular: 100 },
} as const

/** Tasks with a lower index are written by hand. */
export const firstTask = 1000

/** Sections by type of project; tasks are in the order of their sections. */
const sectionNames = [
  ['To do', 'Doing', 'Review', 'Done'],
  ['Backlog', 'This week', 'Waiting on vendor', 'Done'],
  ['Planning', 'In progress', 'Approval', 'Shipped', 'Closed'],
] as const

const untitled = ['Untitled section']
const { launch, quirks, bulk, imported, secret, empty, trailDay, foreign } = projectIndex

/** The projects with a name: their sections and other fields. */
const particular: Readonly<Record<number, readonly [string, readonly (string | null)[], Partial<Project>?]>> = {
  [launch]: [
    'Spring catalog launch',
    sectionNames[0],
    { team: gidOf('team', 2), has_fields: true, notes: 'Print date is fixed.', due_on: dateOf(anchor + 24 * day) },
  ],
  [quirks]: ['Import quirks', [...untitled, null], { has_fields: true }],
  [bulk]: ['Warehouse recount', ['To count', 'Counting', 'Checked', 'Booked'], { team: gidOf('team', 4) }],
  [imported]: ['Price list import', untitled],
  [secret]: ['Executive compensation review', ['To do', 'Done'], { privacy_setting: 'private', owner: null }],
  [empty]: ['Ideas for 2027', untitled, { team: gidOf('team', 0) }],
  [trailDay]: ['Trail day 2026', sectionNames[0], { workspace: workspaceGids.volunteers }],
  [foreign]: ['Freight contracts', untitled, { workspace: workspaceGids.foreign }],
}

/** Numbers of tasks in ten successive projects: a few large ones, many small ones. */
const taskCounts = [18, 42, 64, 12, 120, 27, 36, 8, 51, 22]

/** The generated tasks of one project, which stand one after the other. */
export interface Span {
  readonly project: number
  readonly first: number
  readonly count: number
  readonly sections: number
  readonly createdAt: number
}

export const blankProject = {
  ...{ notes: '', team: null, owner: null, archived: false, color: null, icon: null, default_view: 'list' },
  ...{ due_on: null, start_on: null, completed_at: null, privacy_setting: 'public_to_workspace', members: [] },
  ...{ has_status: false, has_brief: false, has_fields: false, created_from_template: null },
  ...{ default_access_level: 'editor', minimum_access_level_for_customization: 'editor' },
  minimum_access_level_for_sharing: 'editor',
} as const

export function generateProjects(seed: number, sizes: Sizes) {
  const draw = seededRandom(seed, 'project')
  const drawDetail = seededRandom(seed, 'project detail')
  const projects: Project[] = []
  const sections: Section[] = []
  /** The places of generated tasks, by their projects. */
  const spans = new Map<number, Span>()
  const firstRegular = firstTask + sizes.bulk + sizes.imported
  const end = firstRegular + sizes.regular

  function add(index: number, first = 0, count = 0): void {
    const names = particular[index]?.[1] ?? pick(sectionNames, draw(index))
    // The further down the list, the younger; none is younger than a month.
    const age = index < projectIndex.regular ? 400 : 320 - ((first - firstRegular) / sizes.regular) * 290
    const createdAt = Math.floor(anchor - (index === launch ? 47 : age) * day) + (draw(index) % day)
    if (count > 0) spans.set(index, { project: index, first, count, sections: names.length, createdAt })
    const project = projectAt(index, createdAt)
    projects.push(project)
    for (const [nth, name] of names.entries()) {
      const created_at = timeOf(createdAt + nth * 61_000)
      const gid = gidOf('section', index * 8 + nth)
      sections.push({ gid, resource_type: 'section', name, project: project.gid, created_at, rank: nth })
    }
  }

  function projectAt(index: number, createdAt: number): Project {
    const [given, , fields] = particular[index] ?? []
    const [drawn, detail, nth] = [draw(index), drawDetail(index), index - projectIndex.regular]
    const isRegular = nth >= 0
    const modified_at = timeOf(createdAt + (detail % Math.max(1, anchor - createdAt)))
    const owner = fields?.workspace === undefined ? colleague(detail, sizes) : user(people.two)
    const isArchived = isRegular && nth % 7 === 5
    const team = isRegular && nth % 5 !== 3 ? gidOf('team', (drawn >>> 2) % (sizes.teams - 1)) : null
    return {
      ...blankProject,
      ...{ gid: gidOf('project', index), resource_type: 'project', rank: projects.length, team },
      ...{ workspace: workspaceGids.company, name: given ?? projectName(drawn), created_at: timeOf(createdAt) },
      ...{ modified_at, archived: isArchived, completed_at: isArchived && nth % 2 === 0 ? modified_at : null },
      notes: detail % 3 === 0 ? '' : 'Goal: done before the window opens.',
      owner: detail % 11 === 0 ? null : owner,
      members: [index === secret ? user(people.guest) : owner],
      ...{ color: pick([null, ...colors], detail >>> 4), icon: pick([null, 'list', 'rocket', 'target'], detail >>> 6) },
      default_view: pick(['list', 'board', 'calendar', 'timeline'], detail >>> 8),
      due_on: detail % 3 === 0 ? null : dateOf(anchor + (detail % 90) * day),
      start_on: detail % 4 === 0 ? dateOf(createdAt) : null,
      privacy_setting: isRegular && nth % 6 === 4 && team !== null ? 'private_to_team' : 'public_to_workspace',
      has_status: index === launch || detail % 3 !== 2,
      has_brief: index === launch || (isRegular && nth % 10 === 1),
      has_fields: isRegular && nth % 3 !== 2,
      ...fields,
    }
  }

  add(launch)
  for (let nth = 0, first = firstRegular; first < end; nth++) {
    const count = Math.min(pick(taskCounts, nth), end - first)
    add(projectIndex.regular + nth, first, count)
    first += count
  }
  add(empty)
  add(imported, firstTask + sizes.bulk, sizes.imported)
  add(bulk, firstTask, sizes.bulk)
  for (const index of [trailDay, secret, quirks, foreign]) add(index)

  const sorted = [...spans.values()].sort((a, b) => a.first - b.first)
  return {
    ...{ projects, sections, spans },
    /** The span in which a task lies. */
    spanAt(index: number): Span | undefined {
      const after = firstPlace(0, sorted.length, (place) => (sorted[place] as Span).first > index)
      const span = sorted[after - 1]
      return span !== undefined && index < span.first + span.count ? span : undefined
    },
    /** Where all generated tasks lie. */
    everywhere: { first: firstTask, length: end - firstTask },
  }
}
