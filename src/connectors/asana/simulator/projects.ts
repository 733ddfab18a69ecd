/** Projects and their sections: the particular ones by name, the regular ones from the seed; and where tasks lie. */
import { pick, seededRandom } from '../../../kit/simulator.ts'
import { colleague, colors, people, type Sizes, user, workspaceGids } from './company.ts'
import { gidOf } from './gids.ts'
import { anchor, dateOf, day, type Project, type Section, timeOf } from './records.ts'
import { projectName } from './vocabulary.ts'

/** Indices of the projects that tests look for. */
export const projectIndex = {
  ...{ quirks: 0, bulk: 1, imported: 2, secret: 3, trailDay: 4, roster: 5, gearLibrary: 6, foreign: 7 },
  ...{ launch: 8, empty: 9, regular: 100 },
} as const

/** Indices of generated tasks: a few for the volunteers, then all of the company; lower ones are written by hand. */
export const taskIndex = { volunteers: 100, company: 1000 } as const
const volunteerTasks = 12

/** Sections by type of project; tasks are in the order of their sections. */
const sectionNames = [
  ['To do', 'Doing', 'Review', 'Done'],
  ['Backlog', 'This week', 'Waiting on vendor', 'Done'],
  ['Planning', 'In progress', 'Approval', 'Shipped', 'Closed'],
  ['To do', 'Doing', 'Done'],
] as const

/** The beginning of each section, as a share of the project's tasks. */
const sectionStarts = [0, 0.35, 0.6, 0.75, 0.9] as const

interface Particular extends Partial<Pick<Project, 'name' | 'archived' | 'privacy_setting' | 'team' | 'workspace'>> {
  readonly sections: readonly (string | null)[]
  readonly has_fields?: boolean
  readonly notes?: string
}

const untitled = ['Untitled section']
const volunteers = { workspace: workspaceGids.volunteers }

const particular: Readonly<Record<number, Particular>> = {
  [projectIndex.launch]: {
    name: 'Spring catalog launch',
    team: gidOf('team', 2),
    sections: sectionNames[0],
    has_fields: true,
    notes: 'Everything that must be true before the spring catalog is in the mail. Print date is fixed.',
  },
  [projectIndex.quirks]: { name: 'Import quirks', sections: [...untitled, null], has_fields: true },
  [projectIndex.bulk]: {
    name: 'Warehouse recount',
    team: gidOf('team', 4),
    sections: ['To count', 'Counting', 'Checked', 'Booked'],
  },
  [projectIndex.imported]: { name: 'Price list import', sections: untitled },
  [projectIndex.secret]: {
    name: 'Executive compensation review',
    privacy_setting: 'private',
    sections: ['To do', 'Done'],
  },
  [projectIndex.empty]: { name: 'Ideas for 2027', team: gidOf('team', 0), sections: untitled },
  [projectIndex.trailDay]: { name: 'Trail day 2026', ...volunteers, sections: sectionNames[3] },
  [projectIndex.roster]: { name: 'Volunteer roster', ...volunteers, sections: untitled },
  [projectIndex.gearLibrary]: { name: 'Gear library', ...volunteers, archived: true, sections: ['Shelf', 'Lent out'] },
  [projectIndex.foreign]: { name: 'Freight contracts', workspace: workspaceGids.foreign, sections: untitled },
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
  default_access_level: 'editor',
  minimum_access_level_for_customization: 'editor',
  minimum_access_level_for_sharing: 'editor',
} as const

export function generateProjects(seed: number, sizes: Sizes) {
  const draw = seededRandom(seed, 'project')
  const drawDetail = seededRandom(seed, 'project detail')
  const projects: Project[] = []
  const sections: Section[] = []
  const spans: Span[] = []
  const firstRegular = taskIndex.company + sizes.bulk + sizes.imported
  const end = firstRegular + sizes.regular

  function add(index: number, first: number, count: number, share = 0): void {
    const given = particular[index]
    const names = given?.sections ?? pick(sectionNames, draw(index))
    // The further down the list, the younger; none is younger than a month.
    const age = index === projectIndex.launch ? 47 : given === undefined ? 320 - share * 290 : 400
    const createdAt = Math.floor(anchor - age * day) + (draw(index) % day)
    spans.push({ project: index, first, count, sections: names.length, createdAt })
    projects.push(generate(index, createdAt, projects.length))
    for (const [nth, name] of names.entries())
      sections.push({
        ...{ gid: gidOf('section', index * 8 + nth), resource_type: 'section', name, rank: nth },
        ...{ project: gidOf('project', index), created_at: timeOf(createdAt + nth * 61_000) },
      })
  }

  function generate(index: number, createdAt: number, rank: number): Project {
    const { sections: _, ...given } = particular[index] ?? { sections: [] }
    const isRegular = index >= projectIndex.regular
    const nth = index - projectIndex.regular
    const [drawn, detail] = [draw(index), drawDetail(index)]
    const modifiedAt = createdAt + (detail % Math.max(1, anchor - createdAt))
    const owner = given.workspace === undefined ? colleague(detail, sizes) : user(people.two)
    const archived = given.archived ?? (isRegular && nth % 7 === 5)
    const team = isRegular && nth % 5 !== 3 ? gidOf('team', (drawn >>> 2) % (sizes.teams - 1)) : (given.team ?? null)
    const isLaunch = index === projectIndex.launch
    return {
      ...blankProject,
      rank,
      gid: gidOf('project', index),
      resource_type: 'project',
      name: projectName(drawn),
      notes: detail % 3 === 0 ? '' : 'Goal: done before the window opens.',
      workspace: workspaceGids.company,
      team,
      owner: given.privacy_setting === 'private' || detail % 11 === 0 ? null : owner,
      archived,
      color: detail % 9 === 0 ? null : pick(colors, detail >>> 4),
      icon: detail % 4 === 0 ? null : pick(['list', 'rocket', 'mountain_flag', 'target'], detail >>> 6),
      default_view: pick(['list', 'board', 'calendar', 'timeline'], detail >>> 8),
      created_at: timeOf(createdAt),
      modified_at: timeOf(modifiedAt),
      due_on: isLaunch ? dateOf(anchor + 24 * day) : detail % 3 === 0 ? null : dateOf(anchor + (detail % 90) * day),
      start_on: detail % 4 === 0 ? dateOf(createdAt) : null,
      completed_at: archived && nth % 2 === 0 ? timeOf(modifiedAt) : null,
      privacy_setting: isRegular && nth % 6 === 4 && team !== null ? 'private_to_team' : 'public_to_workspace',
      members: given.privacy_setting === 'private' ? [user(people.guest)] : [owner],
      has_status: isLaunch || detail % 3 !== 2,
      has_brief: isLaunch || (isRegular && nth % 10 === 1),
      has_fields: isRegular && nth % 3 !== 2,
      ...given,
    }
  }

  add(projectIndex.launch, 0, 0)
  const regular: [number, number][] = []
  for (let first = firstRegular; first < end; ) {
    const count = Math.min(pick(taskCounts, regular.length), end - first)
    regular.push([first, count])
    first += count
  }
  for (const [nth, [first, count]] of regular.entries())
    add(projectIndex.regular + nth, first, count, nth / regular.length)
  add(projectIndex.empty, 0, 0)
  add(projectIndex.imported, taskIndex.company + sizes.bulk, sizes.imported)
  add(projectIndex.bulk, taskIndex.company, sizes.bulk)
  add(projectIndex.trailDay, taskIndex.volunteers, volunteerTasks)
  const { secret, quirks, roster, gearLibrary, foreign } = projectIndex
  for (const index of [secret, quirks, roster, gearLibrary, foreign]) add(index, 0, 0)

  const used = spans.filter(({ count }) => count > 0).sort((a, b) => a.first - b.first)
  const byProject = new Map(used.map((span) => [span.project, span]))
  return {
    projects,
    sections,
    /** The span of a project; undefined if it has no generated tasks. */
    spanOf: (project: number) => byProject.get(project),
    /** The span in which a task lies. */
    spanAt(index: number): Span | undefined {
      let low = 0
      let high = used.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((used[middle] as Span).first <= index) low = middle + 1
        else high = middle
      }
      const span = used[low - 1]
      return span !== undefined && index < span.first + span.count ? span : undefined
    },
    /** The generated tasks of a workspace. */
    range(workspace: string): { readonly first: number; readonly count: number } {
      if (workspace === workspaceGids.company) return { first: taskIndex.company, count: end - taskIndex.company }
      return { first: taskIndex.volunteers, count: workspace === workspaceGids.volunteers ? volunteerTasks : 0 }
    },
  }
}

/** The section (from 0) in which the task at a place of its project lies. */
export function sectionAt({ sections, count }: Span, place: number): number {
  let section = sections - 1
  while (section > 0 && Math.floor((sectionStarts[section] as number) * count) > place) section -= 1
  return section
}
