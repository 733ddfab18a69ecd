/** Reads a filter into a condition. */
import { didYouMean } from '../catalog/did-you-mean.ts'
import { searchOperators, type ValueOperator } from '../catalog/search-operators.ts'
import { clipped, type Faults, type Place } from './faults.ts'
import { type PathType, readPath } from './fields.ts'
import { askedWords } from './fold.ts'
import { patternFault } from './pattern.ts'
import type { Condition, Path, Scalar, Searchable } from './query.ts'
import { holdsText, orderFault, valueFault, valueFor, wellFormed } from './values.ts'

/** How deep `not`, `and`, `or` and `any` may stand in each other. */
export const deepestFilter = 16
/** How many conditions a filter may have. */
export const mostConditions = 256

/** The condition that a filter says; every fault is noted. Nothing is read below the limits, so depth cannot exhaust the stack. */
export function parseFilter(searchable: Searchable, filter: unknown, at: Place, faults: Faults): Condition {
  return new FilterReader(faults).condition(searchable, filter, at, 0)
}

const everything: Condition = { op: 'and', of: [] }

class FilterReader {
  readonly #faults: Faults
  #conditions = 0

  constructor(faults: Faults) {
    this.#faults = faults
  }

  condition(searchable: Searchable | null, value: unknown, at: Place, depth: number): Condition {
    if (this.#faults.full) return everything
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.#refuse(at, 'must be a condition, for example {"eq": {"name": "Launch"}}')
    const entries = Object.entries(value)
    // Empty conditions count too, which bounds a list of them.
    if (entries.length === 0 && !this.#count(at)) return everything
    return all(entries.flatMap(([name, argument]) => this.#operator(searchable, name, argument, at.step(name), depth)))
  }

  #operator(searchable: Searchable | null, name: string, argument: unknown, at: Place, depth: number): Condition[] {
    if (this.#faults.full) return []
    switch (name) {
      case 'and':
      case 'or':
        return [this.#list(searchable, name, argument, at, depth + 1)]
      case 'not':
        if (this.#tooDeep(at, depth + 1)) return []
        return [{ op: 'not', of: this.condition(searchable, argument, at, depth + 1) }]
      default:
        break
    }
    const leaf = Object.hasOwn(leaves, name) ? leaves[name as LeafName] : undefined
    if (leaf === undefined) {
      const fitting = Array.isArray(argument)
        ? ['and', 'or']
        : searchOperators.filter((one) => one !== 'and' && one !== 'or')
      this.#refuse(
        at,
        `is not an operator${didYouMean(clipped(name), fitting) || `; they are ${searchOperators.join(', ')}`}`,
      )
      return []
    }
    if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) {
      this.#refuse(at, `must be {field: ${name === 'in' ? '[values]' : name === 'any' ? 'condition' : 'value'}}`)
      return []
    }
    const fields = Object.entries(argument)
    if (fields.length === 0) this.#count(at)
    return fields.flatMap(([field, given]) => {
      const place = at.step(field)
      if (this.#faults.full || !this.#count(place)) return []
      const result = readPath(
        searchable,
        field,
        (type, name) => takes(leaf, type, given) && !Object.hasOwn(argument, name),
      )
      if ('fault' in result) this.#refuse(place, result.fault)
      else if (leaf === 'any') return this.#any(result.path, result.type, given, place, depth + 1)
      else if (leaf === 'in') return this.#in(result.path, result.type, given, place)
      else {
        const made = leaf(result.path, result.type, given)
        if (typeof made !== 'string') return [made]
        this.#refuse(place, made)
      }
      return []
    })
  }

  #list(searchable: Searchable | null, op: 'and' | 'or', argument: unknown, at: Place, depth: number): Condition {
    if (this.#tooDeep(at, depth)) return everything
    if (!Array.isArray(argument)) return this.#refuse(at, 'must be a list of conditions')
    if (argument.length === 0) this.#count(at)
    const of: Condition[] = []
    for (let index = 0; index < argument.length && !this.#faults.full && this.#conditions <= mostConditions; index++)
      of.push(this.condition(searchable, argument[index], at.step(index), depth))
    return { op, of }
  }

  #any(path: Path, type: PathType, given: unknown, at: Place, depth: number): Condition[] {
    if (!holdsElements(type)) {
      this.#refuse(at, 'is not an array, so it has no elements')
      return []
    }
    if (this.#tooDeep(at, depth)) return []
    return [{ op: 'any', path, of: this.condition(null, given, at, depth) }]
  }

  #in(path: Path, type: PathType, given: unknown, at: Place): Condition[] {
    if (!Array.isArray(given)) {
      this.#refuse(at, 'must be a list of values')
      return []
    }
    let fits = true
    for (let index = 0; index < given.length && !this.#faults.full; index++) {
      const fault = valueFault(type, given[index])
      if (fault === null) continue
      this.#refuse(at.step(index), fault)
      fits = false
    }
    // A value that does not fit may be too deep to be read further.
    if (!fits) return []
    return [{ op: 'in', path, values: given.map((value) => valueFor(type, value)) }]
  }

  #tooDeep(at: Place, depth: number): boolean {
    if (depth <= deepestFilter) return false
    this.#refuse(at, `is nested deeper than ${deepestFilter} levels`)
    return true
  }

  /** Counts one more condition; false when that is one too many, which is told once. */
  #count(at: Place): boolean {
    this.#conditions++
    if (this.#conditions === mostConditions + 1)
      this.#refuse(at, `is more than the ${mostConditions} conditions that one filter may have`)
    return this.#conditions <= mostConditions
  }

  #refuse(at: Place, message: string): Condition {
    this.#faults.add(at, message)
    return everything
  }
}

type LeafName = ValueOperator | 'in' | 'any'

/** The condition about one field, or the sentence that says why the value does not fit. */
type Leaf = (path: Path, type: PathType, given: unknown) => Condition | string

const ordered =
  (op: 'gt' | 'gte' | 'lt' | 'lte'): Leaf =>
  (path, type, given) =>
    orderFault(type, given) ?? { op, path, value: valueFor(type, given) as Scalar }

const worded =
  (op: 'fuzzy' | 'keyword'): Leaf =>
  (path, type, given) => {
    const fault = textFault(type, given)
    if (fault !== null) return fault
    const found = askedWords((given as string).toWellFormed())
    return { op, path, words: op === 'keyword' ? [...new Set(found)] : found }
  }

const holdsElements = (type: PathType): boolean => type === 'array' || type === 'anything'

/** Whether an operator can be used on fields of the type, with the value that is given. */
function takes(leaf: Leaf | 'any' | 'in', type: PathType, given: unknown): boolean {
  if (leaf === 'any') return holdsElements(type)
  if (leaf === 'in') return !Array.isArray(given) || given.every((value) => valueFault(type, value) === null)
  return typeof leaf(['field'], type, given) !== 'string'
}

const textFault = (type: PathType, given: unknown): string | null => {
  if (!holdsText(type)) return 'cannot be used here: the field contains no text'
  return typeof given === 'string' ? null : 'must be text'
}

/** A text that has the given one at this place, whatever characters that has. */
const literally =
  (before: '%' | '', behind: '%' | ''): Leaf =>
  (path, type, given) =>
    textFault(type, given) ?? {
      op: 'like',
      path,
      pattern: before + (given as string).toWellFormed().replace(/[\\%_]/g, '\\$&') + behind,
    }

const within = literally('%', '%')

const element: Leaf = (path, type, given) =>
  holdsElements(type)
    ? (valueFault('anything', given) ?? { op: 'contains', path, value: wellFormed(given) })
    : 'is not an array, so it has no elements'

const leaves: Readonly<Record<LeafName, Leaf | 'any' | 'in'>> = {
  eq: (path, type, given) => valueFault(type, given) ?? { op: 'eq', path, value: valueFor(type, given) },
  neq: (path, type, given) =>
    valueFault(type, given) ?? { op: 'not', of: { op: 'eq', path, value: valueFor(type, given) } },
  gt: ordered('gt'),
  gte: ordered('gte'),
  lt: ordered('lt'),
  lte: ordered('lte'),
  in: 'in',
  like: (path, type, given) =>
    textFault(type, given) ??
    patternFault(given as string) ?? { op: 'like', path, pattern: (given as string).toWellFormed() },
  fuzzy: worded('fuzzy'),
  keyword: worded('keyword'),
  startswith: literally('', '%'),
  endswith: literally('%', ''),
  contains: (path, type, given) => {
    if (type === 'string') return within(path, type, given)
    const member = element(path, type, given)
    if (typeof member === 'string')
      return type === 'array' ? member : 'is neither text nor an array, so it contains nothing'
    if (type === 'array' || typeof given !== 'string') return member
    // What is found there may be an array or a text.
    const isArray: Condition = { op: 'any', path, of: everything }
    const text = within(path, type, given) as Condition
    return { op: 'or', of: [member, { op: 'and', of: [text, { op: 'not', of: isArray }] }] }
  },
  array_contains: element,
  any: 'any',
}

const all = (conditions: Condition[]): Condition =>
  conditions.length === 1 ? conditions[0]! : { op: 'and', of: conditions }
