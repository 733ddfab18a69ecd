/** Common to all entities: identifiers, the dates in filters, and the page token. */
import {
  cursorPaging,
  optional,
  type PagingBlock,
  type Params,
  type Rule,
  rule,
  type TSchema,
  text,
  walkPaging,
} from '../../kit/connector.ts'

/** An identifier as a param: a signed 64-bit integer in decimal text, "up to 20 digits" (Gong reference). */
export const gongId = (description?: string) =>
  ({ ...text(description, { pattern: '^-?[0-9]{1,20}$' }), 'x-form': 'an id: up to 20 digits, as text' }) as ReturnType<
    typeof text
  >

/** The `records` of an answer, under the callers' name; some answers have none (Gong reference, library). */
const pagination: PagingBlock = {
  name: 'pagination',
  holds: 'object',
  at: ['records'],
  token: 'cursor',
  counted: (found, records) => ({
    totalRecords: found?.totalRecords ?? records,
    currentPageSize: records,
    currentPageNumber: found?.currentPageNumber ?? 0,
  }),
}

/** Pages of 100, which no param changes. The token is valid for about an hour from the first page (Gong community). */
export const pages = cursorPaging({
  params: { cursor: optional(text('pagination.cursor of the previous page.', { minLength: 1 })) },
  cursor: 'cursor',
  next: ['records', 'cursor'],
  block: pagination,
  total: ['records', 'totalRecords'],
})

/** Lists with pages in Gong, but without a page param for callers. */
export const wholeWalk = walkPaging({
  cursor: 'cursor',
  next: ['records', 'cursor'],
  block: pagination,
  total: ['records', 'totalRecords'],
})

/** The keys of a filter, if there is one. */
export const filterOf = ({ filter }: Params): Readonly<Record<string, unknown>> =>
  typeof filter === 'object' && filter !== null ? (filter as Record<string, unknown>) : {}

/** Gong would refuse an empty list of ids or, worse, take it for all of them. */
export const noEmptyLists: Rule = rule(
  'A list of ids in filter cannot be empty; name at least one, or leave out the list to get all.',
  (params) =>
    Object.values(filterOf(params)).some((value) => Array.isArray(value) && value.length === 0) ? ['filter'] : null,
)

/** If both are present, `from` must be before `to`. */
export function inOrder(from: string, to: string, within: (params: Params) => Params, blamed: readonly string[]): Rule {
  return rule(`${from} must be before ${to}.`, (params) => {
    const { [from]: first, [to]: last } = within(params)
    return Date.parse(String(first)) >= Date.parse(String(last)) ? blamed : null
  })
}

type Records = readonly unknown[]

/**
 * Gives records their final form. If Gong has no value, it writes null or nothing (recordings), so null in a field
 * that cannot be null counts as nothing. Every id becomes text, digit for digit.
 */
export function tidy(fields: Readonly<Record<string, TSchema>>): (records: Records) => Records {
  const neverNull = Object.keys(fields).filter((name) => !('anyOf' in fields[name]!))
  return (records) => {
    for (const record of records) {
      if (!isObject(record)) continue
      for (const name of neverNull) if (record[name] === null) delete record[name]
      idsAsText(record)
    }
    return records
  }
}

/** Ids have names such as `callId`, `userIds`, `speakerID`, `addedBy`; under plain `id`, options have small numbers. */
const idName = /(Ids?|ID|By)$/

/** Turns ids that are bare numbers into text, at any depth. */
function idsAsText(record: object): void {
  const open: { value: object; listed: boolean }[] = [{ value: record, listed: false }]
  const settled = (part: unknown, isId: boolean, isOwnId: boolean, listed: boolean): unknown => {
    if (typeof part === 'bigint' ? isId || isOwnId : typeof part === 'number' && isId) return String(part)
    if (typeof part === 'object' && part !== null) open.push({ value: part, listed: listed && Array.isArray(part) })
    return part
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, listed } = next
    // By index: a list can be as long as an answer, and creating pairs of its keys and items then takes a second.
    if (Array.isArray(value))
      for (let index = 0; index < value.length; index++) value[index] = settled(value[index], listed, false, listed)
    else {
      const fields = value as Record<string, unknown>
      for (const name of Object.keys(fields)) {
        const isId = idName.test(name)
        fields[name] = settled(fields[name], isId, name === 'id', isId)
      }
    }
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
