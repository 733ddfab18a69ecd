/** So many of all, drawn anew in each run. */
export function someOf<T>(count: number, all: readonly T[]): readonly T[] {
  const left = [...all]
  return Array.from({ length: Math.min(count, all.length) }, () => {
    const [one] = left.splice(Math.floor(Math.random() * left.length), 1)
    return one!
  })
}
