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
const firstGenerated = 1000

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

export const blankProject = {
  ...{ notes: '', team: null, owner: null, archived: false, color: null, icon: null, default_view: 'list' },
  ...{ due_on: null, start_on: null, completed_at: null, privacy_setting: 'public_to_workspace', members: [] },
  ...{ has_status: false, has_fields: false, created_from_template: null, index: -1 },
  ...{ default_access_level: 'editor', minimum_access_level_for_customization: 'editor' },
  ...{ minimum_access_level_for_sharing: 'editor', sections: 1, firstTask: 0, tasks: 0 },
} as const

export function generateProjects(seed: number, sizes: Sizes) {
  const draw = seededRandom(seed, 'project')
  const drawDetail = seededRandom(seed, 'project detail')
  const projects: Project[] = []
  const sections: Section[] = []
  const firstRegular = firstGenerated + sizes.bulk + sizes.imported
  const end = firstRegular + sizes.regular

  function add(index: number, firstTask = 0, tasks = 0): void {
    const [drawn, detail, nth] = [draw(index), drawDetail(index), index - projectIndex.regular]
    const [given, names = pick(sectionNames, drawn), fields] = particular[index] ?? []
    const isRegular = nth >= 0
    // The further down the list, the younger; none is younger than a month.
    const age = isRegular ? 320 - ((firstTask - firstRegular) / sizes.regular) * 290 : index === launch ? 47 : 400
    const createdAt = Math.floor(anchor - age * day) + (drawn % day)
    const modified_at = timeOf(createdAt + (detail % Math.max(1, anchor - createdAt)))
    const owner = fields?.workspace === undefined ? colleague(detail, sizes) : user(people.two)
    const isArchived = isRegular && nth % 7 === 5
    const team = isRegular && nth % 5 !== 3 ? gidOf('team', (drawn >>> 2) % (sizes.teams - 1)) : null
    const project = gidOf('project', index)
    projects.push({
      ...blankProject,
      ...{ gid: project, resource_type: 'project', rank: projects.length, team },
      ...{ index, sections: names.length, firstTask, tasks },
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
      has_fields: isRegular && nth % 3 !== 2,
      ...fields,
    })
    for (const [rank, name] of names.entries()) {
      const gid = gidOf('section', index * 8 + rank)
      sections.push({
        gid,
        resource_type: 'section',
        name,
        project,
        created_at: timeOf(createdAt + rank * 61_000),
        rank,
      })
    }
  }

  add(launch)
  for (let nth = 0, first = firstRegular; first < end; nth++) {
    const count = Math.min(pick(taskCounts, nth), end - first)
    add(projectIndex.regular + nth, first, count)
    first += count
  }
  add(empty)
  add(imported, firstGenerated + sizes.bulk, sizes.imported)
  add(bulk, firstGenerated, sizes.bulk)
  for (const index of [trailDay, secret, quirks, foreign]) add(index)

  const sorted = projects.filter(({ tasks }) => tasks > 0).sort((a, b) => a.firstTask - b.firstTask)
  return {
    ...{ projects, sections },
    /** The project of a task. */
    projectOf(task: number): Project | undefined {
      const project = sorted[firstPlace(0, sorted.length, (place) => sorted[place]!.firstTask > task) - 1]
      return project !== undefined && task < project.firstTask + project.tasks ? project : undefined
    },
    /** Where all generated tasks lie. */
    everywhere: { first: firstGenerated, length: end - firstGenerated },
  }
}
