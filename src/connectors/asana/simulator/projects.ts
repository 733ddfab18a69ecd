/** Projects and their sections: the regular ones from the vocabulary, the particular ones by name. */
import { pick, seededRandom } from '../../../kit/simulator.ts'
import { gidOf } from './gids.ts'
import { type Layout, projectIndex, regularTasksOf, taskRanges } from './layout.ts'
import { anchor, day, type Organization, people, workspaceGids } from './organization.ts'
import type { Project, Section } from './records.ts'
import { dateOf, projectName } from './vocabulary.ts'

const views = ['list', 'board', 'calendar', 'timeline'] as const
const icons = ['list', 'rocket', 'mountain_flag', 'shopping_basket', 'chat_bubbles', 'target'] as const

/** Sections by type of project; tasks are in the order of their sections. */
const sectionNames = [
  ['To do', 'Doing', 'Review', 'Done'],
  ['Backlog', 'This week', 'Waiting on vendor', 'Done'],
  ['Planning', 'In progress', 'Approval', 'Shipped', 'Closed'],
  ['To do', 'Doing', 'Done'],
] as const

/** The beginning of each section but the first, as a share of the project's tasks. */
const sectionStarts = [0, 0.35, 0.6, 0.75, 0.9] as const

interface Particular {
  readonly name: string
  readonly workspace?: string
  readonly team?: number | null
  readonly archived?: boolean
  readonly privacy?: Project['privacy']
  readonly sections: readonly (string | null)[]
  readonly customFields?: boolean
  readonly notes?: string
}

const volunteers = { workspace: workspaceGids.volunteers, team: null } as const

const particular: Readonly<Record<number, Particular>> = {
  [projectIndex.launch]: {
    name: 'Spring catalog launch',
    team: 2,
    sections: ['To do', 'Doing', 'Review', 'Done'],
    customFields: true,
    notes: 'Everything that must be true before the spring catalog is in the mail. Print date is fixed.',
  },
  [projectIndex.quirks]: {
    name: 'Import quirks',
    team: null,
    sections: ['Untitled section', null],
    customFields: true,
  },
  [projectIndex.bulk]: { name: 'Warehouse recount', team: 5, sections: ['To count', 'Counting', 'Checked', 'Booked'] },
  [projectIndex.imported]: { name: 'Price list import', team: null, sections: ['Untitled section'] },
  [projectIndex.secret]: {
    name: 'Executive compensation review',
    team: null,
    privacy: 'private',
    sections: ['To do', 'Done'],
  },
  [projectIndex.empty]: { name: 'Ideas for 2027', team: 0, sections: ['Untitled section'] },
  [projectIndex.trailDay]: { name: 'Trail day 2026', ...volunteers, sections: ['To do', 'Doing', 'Done'] },
  [projectIndex.roster]: { name: 'Volunteer roster', ...volunteers, sections: ['Untitled section'] },
  [projectIndex.gearLibrary]: { name: 'Gear library', ...volunteers, archived: true, sections: ['Shelf', 'Lent out'] },
  [projectIndex.foreign]: {
    name: 'Freight contracts',
    workspace: workspaceGids.foreign,
    team: null,
    sections: ['Untitled section'],
  },
}

/** Projects of each workspace before and after the regular ones. */
const before = [projectIndex.launch]
const after = [projectIndex.empty, projectIndex.imported, projectIndex.bulk, projectIndex.secret, projectIndex.quirks]
const ofVolunteers = [projectIndex.trailDay, projectIndex.roster, projectIndex.gearLibrary]

export interface Projects {
  project(index: number): Project | undefined
  section(index: number): Section | undefined
  sectionCount(project: number): number
  /** The section of the task at this place among so many. */
  sectionAt(project: number, place: number, count: number): number
  /** The places of a section's tasks. */
  placesOf(project: number, section: number, count: number): { first: number; end: number }
  /** Generated tasks of a project: the first index and their number. */
  tasksOf(project: number): { first: number; count: number }
  /** A workspace's projects, oldest first. */
  listed(workspace: string): { readonly length: number; at(place: number): number }
}

export function createProjects(seed: number, layout: Layout, organization: Organization): Projects {
  const draw = seededRandom(seed, 'project')
  const drawDetail = seededRandom(seed, 'project detail')
  const isRegular = (index: number) =>
    index >= projectIndex.regular && index < projectIndex.regular + layout.regularProjects
  const namesOf = (index: number): readonly (string | null)[] =>
    particular[index]?.sections ?? (sectionNames[draw(index) % sectionNames.length] as readonly string[])
  const startOf = (section: number, sections: number, count: number) =>
    section >= sections ? count : Math.floor((sectionStarts[section] as number) * count)

  const known = new Map<number, Project>()

  const self: Projects = {
    project(index) {
      const found = known.get(index)
      if (found !== undefined) return found
      const project = generate(index)
      // Tasks ask for their project all the time, so a bounded number of projects is kept.
      if (known.size >= 2000) known.clear()
      if (project !== undefined) known.set(index, project)
      return project
    },
    section(index) {
      const project = Math.floor(index / 8)
      const k = index % 8
      const names = particular[project] !== undefined || isRegular(project) ? namesOf(project) : []
      if (k >= names.length) return undefined
      return {
        kind: 'section',
        gid: gidOf('section', index),
        name: names[k] ?? null,
        project: gidOf('project', project),
        createdAt: createdAtOf(project) + k * 61_000,
      }
    },
    sectionCount: (project) => namesOf(project).length,
    sectionAt(project, place, count) {
      const sections = namesOf(project).length
      let section = sections - 1
      while (section > 0 && startOf(section, sections, count) > place) section -= 1
      return project * 8 + section
    },
    placesOf(project, section, count) {
      const sections = namesOf(project).length
      return { first: startOf(section, sections, count), end: startOf(section + 1, sections, count) }
    },
    tasksOf(project) {
      if (project === projectIndex.bulk) return { first: taskRanges.bulk, count: layout.bulk }
      if (project === projectIndex.imported) return { first: taskRanges.imported, count: layout.imported }
      if (project === projectIndex.trailDay) return { first: taskRanges.volunteers, count: layout.volunteers }
      if (!isRegular(project)) return { first: 0, count: 0 }
      const { first, count } = regularTasksOf(project - projectIndex.regular, layout)
      return { first: taskRanges.regular + first, count }
    },
    listed(workspace) {
      if (workspace === workspaceGids.volunteers) return fixed(ofVolunteers)
      if (workspace === workspaceGids.foreign) return fixed([projectIndex.foreign])
      if (workspace !== workspaceGids.company) return fixed([])
      const regular = layout.regularProjects
      return {
        length: before.length + regular + after.length,
        at: (place) =>
          before[place] ??
          (place < before.length + regular
            ? projectIndex.regular + place - before.length
            : (after[place - before.length - regular] as number)),
      }
    },
  }

  /** The further down the list, the younger; none is younger than a month. */
  function createdAtOf(index: number): number {
    if (index === projectIndex.launch) return anchor - 47 * day + (draw(index) % day)
    if (index < projectIndex.regular) return anchor - 400 * day + (draw(index) % day)
    const share = (index - projectIndex.regular) / layout.regularProjects
    return anchor - 320 * day + Math.floor(share * 290 * day) + (draw(index) % day)
  }

  function generate(index: number): Project | undefined {
    const given = particular[index]
    if (given === undefined && !isRegular(index)) return undefined
    const drawn = draw(index)
    const detail = drawDetail(index)
    const nth = index - projectIndex.regular
    const createdAt = createdAtOf(index)
    const workspace = given?.workspace ?? workspaceGids.company
    const teamless = given === undefined ? nth % 5 === 3 : given.team === null
    const team = teamless ? null : gidOf('team', (given?.team ?? drawn >>> 2) % (layout.teams - 1))
    const owner = gidOf('user', 6 + (detail % (layout.users - 6)))
    const archived = given?.archived ?? (given === undefined && nth % 7 === 5)
    const inCompany = workspace === workspaceGids.company
    return {
      kind: 'project',
      gid: gidOf('project', index),
      index,
      name: given?.name ?? projectName(drawn),
      notes: given?.notes ?? (detail % 3 === 0 ? '' : 'Goal: done before the window opens.'),
      workspace,
      team,
      owner: given?.privacy === 'private' || detail % 11 === 0 ? null : inCompany ? owner : gidOf('user', people.two),
      archived,
      color: detail % 9 === 0 ? null : organization.color(detail >>> 4),
      icon: detail % 4 === 0 ? null : pick(icons, detail >>> 6),
      view: pick(views, detail >>> 8),
      createdAt,
      modifiedAt: createdAt + (detail % Math.max(1, anchor - createdAt)),
      dueOn:
        index === projectIndex.launch
          ? dateOf(anchor + 24 * day)
          : detail % 3 === 0
            ? null
            : dateOf(anchor + ((detail % 120) - 20) * day),
      startOn: detail % 4 === 0 ? dateOf(createdAt) : null,
      completedAt: archived && nth % 2 === 0 ? createdAt + (detail % Math.max(1, anchor - createdAt)) : null,
      privacy: given?.privacy ?? (nth % 6 === 4 && !teamless ? 'private_to_team' : 'public_to_workspace'),
      members: given?.privacy === 'private' ? [gidOf('user', people.guest)] : [owner],
      hasStatus: index === projectIndex.launch || detail % 3 !== 2,
      hasBrief: index === projectIndex.launch || (given === undefined && nth % 10 === 1),
      customFields: given?.customFields ?? (given === undefined && nth % 3 !== 2),
    }
  }

  return self
}

function fixed(indices: readonly number[]): { readonly length: number; at(place: number): number } {
  return { length: indices.length, at: (place) => indices[place] as number }
}
