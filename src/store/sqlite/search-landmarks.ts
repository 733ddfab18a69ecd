/** What a connection remembers of the copies that it searches. */
import type { Bound } from './search-condition.ts'

/** The copy that something is known of. */
export interface Surveyed {
  readonly copy: number
  /** How many records it has. */
  readonly records: number
}

/**
 * Where walks were after so many records, and which conditions too many records meet to begin at them. It only says how to go
 * about a search, never what is found, so that it may be old.
 */
export class Landmarks {
  readonly #known = new Map<string, Bound>()

  /** What is known of the question, or what is found now; undefined is not remembered. */
  recall<Found extends Bound | undefined>({ copy, records }: Surveyed, asked: readonly unknown[], find: () => Found) {
    // While a copy grows, a place that was far comes close.
    const size = Math.round(Math.log2(records + 1) * 2)
    const name = JSON.stringify([copy, size, ...asked], (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
    const known = this.#known.get(name)
    if (known !== undefined) return known as Found
    const found = find()
    if (found === undefined || name.length > longestName) return found
    if (this.#known.size >= mostKnown) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(name, found)
    return found
  }
}

const mostKnown = 1000
/** Texts of any length may be asked for. */
const longestName = 4000
