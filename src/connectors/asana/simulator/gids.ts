/** Gids as pure arithmetic: each kind of record has its own form of number, and each number identifies its record. */

/** The prefix of every range of gids. With the 15 digits that follow, all of them lie above 2^53. */
const prefixes = {
  workspace: '9',
  user: '12',
  tag: '13',
  team: '120',
  enumOption: '1203',
  customField: '1204',
  project: '1205',
  section: '1206',
  brief: '1207',
  status: '1208',
  task: '1209',
  taskFile: '1210',
  subtask: '1211',
  statusUpdate: '1212',
  projectFile: '1213',
  file: '1214',
  like: '1215',
} as const

export type Space = keyof typeof prefixes

const spaces = new Map(
  Object.entries(prefixes).map(([space, prefix]) => [`${prefix}/${prefix.length}`, space as Space]),
)

const base = 100_000_000_000_000
const step = 97_000_000

/** Indices from here on belong to records that are created while the simulator runs. */
export const firstMadeIndex = 8_300_000

/** Varies the distance between neighbours, as in real gids. */
function jitter(space: Space, index: number): number {
  const x = Math.imul((index + 1) ^ (index >>> 13), 0x5bd1e995) ^ Math.imul(Number(prefixes[space]), 0x9e3779b1)
  return ((x ^ (x >>> 15)) >>> 0) % step
}

export function gidOf(space: Space, index: number): string {
  return prefixes[space] + String(base + index * step + jitter(space, index))
}

/** The range and index of a gid; undefined if no record can have it. */
export function readGid(gid: string): { space: Space; index: number } | undefined {
  const length = gid.length - 15
  const space = spaces.get(`${gid.slice(0, length)}/${length}`)
  if (space === undefined) return undefined
  const index = Math.floor((Number(gid.slice(length)) - base) / step)
  return index >= 0 && gidOf(space, index) === gid ? { space, index } : undefined
}

/** The number in a gid. */
export const indexOf = (gid: string): number => readGid(gid)?.index ?? 0
