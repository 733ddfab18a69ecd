/** Search in a workspace: every filter narrows, lists of alternatives widen, and the answer has at most one page. */
import type { List } from './lists.ts'
import type { Params } from './params.ts'
import type { Task } from './records.ts'
import { messages, refuse } from './refusals.ts'
import type { World } from './world.ts'

const filterNames = [
  'text',
  'completed',
  'assignee.any',
  'projects.any',
  'sections.any',
  'teams.any',
  'followers.any',
  'created_at.after',
  'created_at.before',
  'modified_at.after',
  'modified_at.before',
  'due_on.after',
  'due_on.before',
  'resource_subtype',
] as const

const subtypes = ['default_task', 'milestone', 'approval', 'custom']
/** Every order with its value; relevance here is the time of the last change. */
const orders: Readonly<Record<string, (task: Task) => number | string | null>> = {
  due_date: (task) => task.dueOn,
  created_at: (task) => task.createdAt,
  completed_at: (task) => task.completedAt,
  likes: (task) => task.likes.length,
  modified_at: (task) => task.modifiedAt,
  relevance: (task) => task.modifiedAt,
}

type Test = (task: Task) => boolean

export interface SearchOrder {
  /** The projects and sections of the search, so that it need not look elsewhere. */
  readonly within: { readonly projects: readonly string[]; readonly sections: readonly string[] } | undefined
  readonly test: Test
  readonly order: (task: Task) => number | string | null
  readonly ascending: boolean
  readonly limit: number
}

/** Reads and checks the parameters of a search. `person` converts `me` and addresses to gids. */
export function readSearch(params: Params, world: World, now: number, person: (value: string) => string): SearchOrder {
  if (!filterNames.some((name) => params.has(name))) refuse(400, messages.searchFilter)
  const sortBy = params.get('sort_by') ?? 'modified_at'
  const order = Object.hasOwn(orders, sortBy) ? orders[sortBy] : undefined
  if (order === undefined)
    refuse(400, `sort_by: Value must be one of ${Object.keys(orders).join(', ')}, not: ${sortBy}`)
  const subtype = params.get('resource_subtype')
  if (subtype !== undefined && !subtypes.includes(subtype)) {
    refuse(400, `resource_subtype: Value must be one of ${subtypes.join(', ')}, not: ${subtype}`)
  }
  const ascending = params.boolean('sort_ascending') ?? false
  const tests = [...timeTests(params, now), ...peopleTests(params, person), ...placeTests(params, world)]
  const text = params.get('text')?.toLowerCase()
  if (text !== undefined) {
    tests.push((task) => task.name.toLowerCase().includes(text) || task.notes.toLowerCase().includes(text))
  }
  const completed = params.boolean('completed')
  if (completed !== undefined) tests.push((task) => (task.completedAt !== null) === completed)
  if (subtype !== undefined) tests.push((task) => task.subtype === subtype)
  const test = (task: Task) => tests.every((one) => one(task))
  const projects = anyOf(params, 'projects.any')
  const sections = anyOf(params, 'sections.any')
  const within =
    projects === undefined && sections === undefined
      ? undefined
      : { projects: projects ?? [], sections: sections ?? [] }
  return { within, test, order, ascending, limit: params.limit() ?? 20 }
}

function timeTests(params: Params, now: number): Test[] {
  const tests: Test[] = []
  for (const [name, of] of [
    ['created_at', (task: Task) => task.createdAt],
    ['modified_at', (task: Task) => task.modifiedAt],
  ] as const) {
    const after = params.time(`${name}.after`, now)
    const before = params.time(`${name}.before`, now)
    if (after !== undefined) tests.push((task) => of(task) > after)
    if (before !== undefined) tests.push((task) => of(task) < before)
  }
  const after = params.date('due_on.after')
  const before = params.date('due_on.before')
  if (after !== undefined) tests.push((task) => task.dueOn !== null && task.dueOn > after)
  if (before !== undefined) tests.push((task) => task.dueOn !== null && task.dueOn < before)
  return tests
}

const anyOf = (params: Params, name: string): string[] | undefined =>
  params
    .get(name)
    ?.split(',')
    .map((value) => value.trim())

function peopleTests(params: Params, person: (value: string) => string): Test[] {
  const tests: Test[] = []
  const assignees = anyOf(params, 'assignee.any')?.map((value) => (value === 'null' ? null : person(value)))
  if (assignees !== undefined) tests.push((task) => assignees.includes(task.assignee))
  const followers = anyOf(params, 'followers.any')?.map(person)
  if (followers !== undefined) tests.push((task) => task.followers.some((follower) => followers.includes(follower)))
  return tests
}

function placeTests(params: Params, world: World): Test[] {
  const tests: Test[] = []
  const projects = anyOf(params, 'projects.any')
  const sections = anyOf(params, 'sections.any')
  if (projects !== undefined || sections !== undefined) {
    tests.push((task) =>
      task.places.some(
        (place) => (projects?.includes(place.project) ?? false) || (sections?.includes(place.section) ?? false),
      ),
    )
  }
  const teams = anyOf(params, 'teams.any')
  if (teams !== undefined) {
    tests.push((task) =>
      task.places.some((place) => {
        const team = world.find('project', place.project)?.team
        return team != null && teams.includes(team)
      }),
    )
  }
  return tests
}

interface Found {
  readonly task: Task
  readonly value: number | string | null
}

/** The first tasks in order that the caller may see; tasks without a value to sort by come last. */
export function runSearch(tasks: List<Task>, search: SearchOrder, sees: (task: Task) => boolean): Task[] {
  const { limit } = search
  const sign = search.ascending ? 1 : -1
  const isBefore = (a: Found['value'], b: Found['value']) => {
    if (a === b || a === null) return false
    return b === null || (a < b ? sign > 0 : sign < 0)
  }
  // Keeps only as many as the answer shows, and examines only those that get a place.
  const best: Found[] = []
  for (const { record } of tasks(Number.NEGATIVE_INFINITY)) {
    if (!search.test(record)) continue
    const value = search.order(record)
    const last = best[best.length - 1]
    if (best.length === limit && last !== undefined && !isBefore(value, last.value)) continue
    if (!sees(record)) continue
    let at = best.length
    while (at > 0 && isBefore(value, best[at - 1]?.value ?? null)) at -= 1
    best.splice(at, 0, { task: record, value })
    if (best.length > limit) best.pop()
  }
  return best.map((found) => found.task)
}
