/** Collects the faults of a query, each with its place in the request. */
import { escapePointer } from '../catalog/unknown-names.ts'
import { asSentence, ConexError, type Issue } from '../errors.ts'

/** The maximum number of reported faults. */
const mostFaults = 20

export class Faults {
  readonly #issues: Issue[] = []

  /** Adds a fault at the steps that lead to it from the root of the request. */
  add(at: Place, message: string): void {
    if (this.#issues.length < mostFaults) this.#issues.push({ path: at.pointer, message })
  }

  get full(): boolean {
    return this.#issues.length >= mostFaults
  }

  /** Throws `invalid_query` if there is any fault. */
  throwAny(): void {
    const [first] = this.#issues
    if (first === undefined) return
    const detail = asSentence(`The query does not fit the entity: ${first.path} ${first.message}`)
    throw new ConexError('invalid_query', detail, { issues: this.#issues })
  }
}

/** A place in the request, as a JSON Pointer. */
export class Place {
  readonly pointer: string

  constructor(pointer: string) {
    this.pointer = pointer
  }

  step(key: string | number): Place {
    return new Place(`${this.pointer}/${escapePointer(clipped(String(key)))}`)
  }
}

/** The longest part of a caller's own text that a message repeats. */
export const clipped = (text: string): string =>
  (text.length > 80 ? `${text.slice(0, 80)}…` : text).toWellFormed().replaceAll('\0', '\u2400')
