/** The number of all records, and the place of each index: arithmetic on the scale, nothing stored. */

/** Index ranges of generated tasks; those below `bulk` are handwritten. */
export const taskRanges = { bulk: 1000, imported: 11_000, volunteers: 12_000, regular: 20_000 } as const

/** Indices of the projects that are not generated; the regular ones begin at `regular`. */
export const projectIndex = {
  quirks: 0,
  bulk: 1,
  imported: 2,
  secret: 3,
  trailDay: 4,
  roster: 5,
  gearLibrary: 6,
  foreign: 7,
  launch: 8,
  empty: 9,
  regular: 100,
} as const

/** Numbers of tasks in ten successive projects: a few large ones, many small ones. */
const sizes = [18, 42, 64, 12, 120, 27, 36, 8, 51, 22]
const groupSize = sizes.reduce((sum, size) => sum + size, 0)
const starts = sizes.map((_, i) => sizes.slice(0, i).reduce((sum, size) => sum + size, 0))

export interface Layout {
  /** Tasks in the project that is too large for an unpaged answer, if the scale allows it. */
  readonly bulk: number
  /** Tasks that were all created, and last changed, in one millisecond. */
  readonly imported: number
  readonly volunteers: number
  readonly regular: number
  readonly regularProjects: number
  readonly users: number
  readonly teams: number
  readonly tags: number
}

export function layoutFor(scale: number): Layout {
  const bulk = scale >= 10_000 ? 5000 : scale >= 2000 ? 1050 : Math.floor(scale * 0.3)
  const imported = scale >= 1000 ? 350 : Math.floor(scale * 0.2)
  const regular = Math.max(4, scale - bulk - imported)
  const lastProject = regularProjectOf(regular - 1).project
  return {
    bulk,
    imported,
    volunteers: 12,
    regular,
    regularProjects: lastProject + 1,
    users: Math.min(5000, Math.max(24, Math.floor(scale / 40))),
    teams: Math.min(40, Math.max(6, Math.floor(scale / 250))),
    tags: Math.min(3000, Math.max(12, Math.floor(scale / 100))),
  }
}

/** The project (counted from 0) of the n-th regular task, and its place there. */
export function regularProjectOf(n: number): { project: number; place: number } {
  const group = Math.floor(n / groupSize)
  const rest = n - group * groupSize
  let k = sizes.length - 1
  while ((starts[k] as number) > rest) k -= 1
  return { project: group * sizes.length + k, place: rest - (starts[k] as number) }
}

/** The first regular task and the number of tasks of a regular project (counted from 0). */
export function regularTasksOf(project: number, layout: Layout): { first: number; count: number } {
  const k = project % sizes.length
  const first = Math.floor(project / sizes.length) * groupSize + (starts[k] as number)
  return { first, count: Math.max(0, Math.min(sizes[k] as number, layout.regular - first)) }
}
