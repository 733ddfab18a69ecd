/** HubSpot's search: groups of filters, words, one order, and a window of 10,000 results ("Search the CRM"). */
import type { CrmRecord } from './crm-records.ts'
import type { ObjectType, PropertyDefinition } from './object-types.ts'
import { invalid, typeNamed, type World } from './world.ts'

export interface SearchBody {
  readonly filterGroups?: unknown
  readonly sorts?: unknown
  readonly query?: string | undefined
}

interface Filter {
  readonly propertyName: string
  readonly operator: string
  readonly value?: unknown
  readonly highValue?: unknown
  readonly values?: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectsIn = (value: unknown, name: string): Record<string, unknown>[] => {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every(isObject))
    return invalid(`Invalid input JSON: ${name} must be a list of objects`)
  return value
}

const mostGroups = 5
const mostFilters = 6
const mostInAll = 18

/** All records that match, in order. */
export function searchRecords(world: World, type: ObjectType, body: SearchBody): readonly CrmRecord[] {
  const groups = objectsIn(body.filterGroups, 'filterGroups').map(
    ({ filters }) => objectsIn(filters, 'filters') as unknown as Filter[],
  )
  if (groups.length > mostGroups) invalid(`There are too many filterGroups: ${groups.length}, at most ${mostGroups}.`)
  for (const filters of groups)
    if (filters.length > mostFilters) invalid(`There are too many filters in a group: at most ${mostFilters}.`)
  if (groups.flat().length > mostInAll) invalid(`There are too many filters: at most ${mostInAll}.`)
  const tests = groups.map((filters) => filters.map((filter) => testOf(world, type, filter)))
  const words = (body.query ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const found = world.records
    .indexed(type)
    .filter((record) => tests.length === 0 || tests.some((all) => all.every((test) => test(record))))
    .filter((record) => words.every((word) => hasWord(type, record, word)))
  return [...found].sort(orderOf(type, body.sorts))
}

function hasWord({ properties }: ObjectType, record: CrmRecord, word: string): boolean {
  const texts = properties.filter(({ type }) => type === 'string').map(({ name }) => record.properties[name] ?? '')
  return texts.some((text) => wordsOf(text, /[^\p{L}\p{N}]+/u).some((one) => one.startsWith(word)))
}

const wordsOf = (text: string, between: RegExp): string[] => text.toLowerCase().split(between)

type Comparable = number | string

/** Numbers, and times in milliseconds, compare as such; texts without regard to case, except those of enumerations. */
function comparable({ type }: PropertyDefinition, value: string): Comparable {
  if (type === 'number') return Number(value)
  if (type === 'datetime') return /^-?\d+$/.test(value) ? Number(value) : Date.parse(value)
  return type === 'enumeration' ? value : value.toLowerCase()
}

function definitionOf(type: ObjectType, name: unknown): PropertyDefinition {
  return (
    type.properties.find((one) => one.name === name) ??
    invalid(`There was a problem with the request: unknown property ${String(name)}`)
  )
}

function testOf(world: World, type: ObjectType, filter: Filter): (record: CrmRecord) => boolean {
  const [, target] = /^associations\.(.+)$/.exec(String(filter.propertyName)) ?? []
  if (target !== undefined) {
    const to = typeNamed(target)
    const wanted = filter.operator === 'EQ' ? [filter.value] : filter.values
    if (!Array.isArray(wanted) || to.custom) invalid('Associations take EQ and IN, and standard objects alone.')
    return (record) => world.links.from(record, to).some(({ id }) => (wanted as unknown[]).includes(id))
  }
  const definition = definitionOf(type, filter.propertyName)
  const operand = (name: 'value' | 'highValue'): Comparable => {
    const given = filter[name]
    if (typeof given !== 'string' || given === '') return invalid(`A ${name} is required for ${filter.operator}`)
    return comparable(definition, given)
  }
  const operands = (): Comparable[] => {
    const { values } = filter
    if (!Array.isArray(values) || values.length === 0 || !values.every((one) => typeof one === 'string'))
      return invalid(`values are required for ${filter.operator}`)
    // Texts are compared in lower case, and the values must have it already.
    return values.map((one) => (definition.type === 'string' ? one : comparable(definition, one)))
  }
  const known = (test: (value: Comparable) => boolean) => (record: CrmRecord) => {
    const value = record.properties[definition.name]
    return value !== undefined && test(comparable(definition, value))
  }
  const not = (test: (record: CrmRecord) => boolean) => (record: CrmRecord) => !test(record)
  const hasToken = (): ((record: CrmRecord) => boolean) => {
    const pattern = String(operand('value'))
      .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
    const token = new RegExp(`^${pattern}$`, 'u')
    return known((value) => wordsOf(String(value), /[^\p{L}\p{N}@.]+/u).some((word) => token.test(word)))
  }
  const bounded = (fits: (value: Comparable, bound: Comparable) => boolean) => {
    const bound = operand('value')
    return known((value) => fits(value, bound))
  }
  const isIn = () => {
    const wanted = operands()
    return known((value) => wanted.includes(value))
  }
  const operators: Readonly<Record<string, () => (record: CrmRecord) => boolean>> = {
    EQ: () => bounded((value, bound) => value === bound),
    NEQ: () => not(bounded((value, bound) => value === bound)),
    LT: () => bounded((value, bound) => value < bound),
    LTE: () => bounded((value, bound) => value <= bound),
    GT: () => bounded((value, bound) => value > bound),
    GTE: () => bounded((value, bound) => value >= bound),
    BETWEEN() {
      const [low, high] = [operand('value'), operand('highValue')]
      return known((value) => value >= low && value <= high)
    },
    IN: isIn,
    NOT_IN: () => not(isIn()),
    HAS_PROPERTY: () => known(() => true),
    NOT_HAS_PROPERTY: () => not(known(() => true)),
    CONTAINS_TOKEN: hasToken,
    NOT_CONTAINS_TOKEN: () => not(hasToken()),
  }
  const read = Object.hasOwn(operators, filter.operator) ? operators[filter.operator] : undefined
  return read === undefined ? invalid(`Invalid operator: ${String(filter.operator)}`) : read()
}

/** By one property; without one, oldest first. */
function orderOf(type: ObjectType, sorts: unknown): (a: CrmRecord, b: CrmRecord) => number {
  const [sort, ...others] = objectsIn(sorts, 'sorts')
  if (others.length > 0) return invalid('Only one sort is supported.')
  if (sort === undefined) return (a, b) => a.createdAt - b.createdAt || Number(a.id) - Number(b.id)
  const definition = definitionOf(type, sort.propertyName)
  const direction = sort.direction ?? 'ASCENDING'
  if (direction !== 'ASCENDING' && direction !== 'DESCENDING') return invalid(`Invalid direction: ${String(direction)}`)
  const sign = direction === 'ASCENDING' ? 1 : -1
  const key = ({ properties }: CrmRecord): Comparable | undefined => {
    const value = properties[definition.name]
    return value === undefined ? undefined : comparable(definition, value)
  }
  return (a, b) => {
    const [one, other] = [key(a), key(b)]
    if (one === other) return Number(a.id) - Number(b.id)
    if (one === undefined) return 1
    if (other === undefined) return -1
    return (one < other ? -1 : 1) * sign
  }
}
