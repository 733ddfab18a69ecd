/** One line of the result, and how rounds are turned into it. */

export interface Row {
  readonly what: string
  readonly against: string
  readonly ratio: number
  readonly wanted: string
  readonly reached: boolean
  readonly details: readonly string[]
}

/** The middle of a list of numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Runs both sides turn by turn, so that what else the machine does falls on both, and gives the median of each round's ratio. */
export async function sideBySide(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<{ ratio: number; ours: number; theirs: number; spread: string }> {
  const pairs: [number, number][] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const mine = await ours()
      pairs.push([mine, await theirs()])
    } else {
      const other = await theirs()
      pairs.push([await ours(), other])
    }
  }
  const ratios = pairs.map(([mine, other]) => mine / other)
  return {
    ratio: median(ratios),
    ours: median(pairs.map(([mine]) => mine)),
    theirs: median(pairs.map(([, other]) => other)),
    spread: `${rounds} rounds, ratios ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
  }
}
