/** Identifiers of 19 digits: neighbours differ only in their last digits, which a double cannot distinguish. */

const spaces = {
  call: 7782342274025937895n,
  user: 6843152929075440037n,
  workspace: 6234572765843340011n,
  scorecard: 6813452190847562301n,
  question: 5391874620038475113n,
  revision: 5391999620038475113n,
  answered: 8230987612345670101n,
  tracker: 3098761234509876543n,
  folder: 3721987345612098301n,
  comment: 4453210987654321007n,
  party: 1987234509871234567n,
  speaker: 6432109871234509873n,
  outcome: 2109834765120983401n,
} as const

export type Space = keyof typeof spaces

export const idOf = (space: Space, index: number): string => String(spaces[space] + BigInt(index))

/** The index behind an id; undefined if the id is far from all of its range. */
export function indexOf(space: Space, id: string): number | undefined {
  if (!/^\d{15,19}$/.test(id)) return undefined
  const index = BigInt(id) - spaces[space]
  return index >= 0n && index < 100_000_000n ? Number(index) : undefined
}

/** The id of the system itself in the place of a user. */
export const systemUser = '-1'
