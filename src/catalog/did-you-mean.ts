/** Finds the known name that a misspelled one most likely stands for. */

/** The known name nearest to the given one; null if none is near enough. */
export function nearest(name: string, known: Iterable<string>): string | null {
  const wanted = fold(name.slice(0, 64))
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, fold(candidate), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `; did you mean "x"?`, or an empty text if no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const guess = nearest(name, known)
  return guess === null ? '' : `; did you mean "${guess}"?`
}

/** Only letters and digits, so that `workspaceId`, `workspace_id` and `workspace-id` are the same word. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** The number of edits (insert, remove, replace, swap neighbours) between two words; stops counting at the limit. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit
  let before: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        cost = Math.min(cost, before[column - 2]! + 1)
      current.push(cost)
    }
    before = previous
    previous = current
  }
  return previous[to.length]!
}
