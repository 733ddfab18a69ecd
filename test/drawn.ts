/** Draws some of many for one run. The names of tests tell which; `npm run test:long` takes all of them. */
export function drawn<T>(count: number, all: readonly T[]): readonly T[] {
  const left = [...all]
  return Array.from({ length: Math.min(count, all.length) }, () => {
    const [one] = left.splice(Math.floor(Math.random() * left.length), 1)
    return one!
  })
}
