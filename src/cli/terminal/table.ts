/** Prints records as a table, with as many columns as fit the terminal. */
import { stringifyJson } from '../../json.ts'
import { oneLine } from './safe-text.ts'
import { paintFor, type Screen } from './screen.ts'
import { fit, width } from './width.ts'

export type Row = Readonly<Record<string, unknown>>

/** Prints page by page: the first page chooses columns and widths, so that later pages line up. */
export interface Table {
  print(rows: readonly Row[]): void
  /** The fields that did not fit. */
  readonly left: readonly string[]
}

interface Column {
  readonly name: string
  width: number
}

const gap = 2
/** The maximum width of a column while other columns need space. */
const widest = 40
/** If the width of the terminal is unknown, nothing is cut. */
const endless = Number.POSITIVE_INFINITY

/** Shows exactly these `columns`, in this order; without them, the fields that have values and fit. */
export function createTable(screen: Screen, columns?: readonly string[]): Table {
  const room = screen.isTTY === true ? (screen.columns ?? 80) : endless
  let layout: Column[] | undefined
  let left: string[] = []
  const paint = paintFor(screen)
  // A column that was not requested from the system must not look empty.
  const cellOf = (row: Row, name: string): string => {
    const value = valueAt(row, name)
    return value === undefined && columns !== undefined ? 'not in the answer' : shown(value)
  }
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => fit(cell, layout![index]!.width))
      .join(' '.repeat(gap))
      .trimEnd()
  return {
    print(rows) {
      if (layout === undefined) {
        if (rows.length === 0 && columns === undefined) return
        const wanted = (columns ?? fieldsOf(rows)).map((name) => ({
          name,
          width: Math.max(width(title(name)), ...rows.map((row) => width(cellOf(row, name)))),
        }))
        layout = columns === undefined ? thatFit(wanted, room) : squeezed(wanted, room)
        left = wanted.slice(layout.length).map(({ name }) => name)
        screen.write(`${paint('dim', line(layout.map(({ name }) => title(name))))}\n`)
      }
      for (const row of rows) screen.write(`${line(layout.map(({ name }) => cellOf(row, name)))}\n`)
    },
    get left() {
      return left
    },
  }
}

/** One record, with one line per field. */
export function printRecord(screen: Screen, record: Row): void {
  const names = Object.keys(record)
  const column = Math.max(0, ...names.map((name) => width(oneLine(name))))
  const paint = paintFor(screen)
  for (const name of names)
    screen.write(`${paint('dim', fit(oneLine(name), column))}${' '.repeat(gap)}${shown(record[name])}\n`)
}

/** The fields of a row that have values, with identifying fields first. */
function fieldsOf(rows: readonly Row[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => shown(row[name]) !== '-')))
  const rank = (name: string): number => {
    const at = telling.indexOf(name)
    return at < 0 ? telling.length : at
  }
  return [...names].sort((one, other) => rank(one) - rank(other))
}

const telling = ['gid', 'id', 'name', 'title', 'status']

/** As many columns as fit; the last one gets the remaining width. */
function thatFit(wanted: readonly Column[], room: number): Column[] {
  const chosen: Column[] = []
  let taken = -gap
  for (const column of wanted) {
    const natural = room === endless ? column.width : Math.min(column.width, widest)
    const free = room - taken - gap
    // A column that is too narrow says nothing.
    if (chosen.length > 0 && free < Math.min(natural, 12)) break
    const given = Math.min(natural, Math.max(free, 1))
    chosen.push({ name: column.name, width: given })
    taken += given + gap
  }
  return chosen
}

/** Shrinks the widest columns until all fit; identifiers last, because a cut identifier is useless. */
function squeezed(wanted: readonly Column[], room: number): Column[] {
  const columns = wanted.map((column) => ({ ...column }))
  const over = (): number => columns.reduce((sum, column) => sum + column.width + gap, -gap) - room
  for (const some of [columns.filter(({ name }) => !isIdentifier(name)), columns])
    for (let excess = over(); excess > 0; excess = over()) {
      const widestOne = some.reduce<Column | null>(
        (one, other) => (one && one.width >= other.width ? one : other),
        null,
      )
      if (widestOne === null || widestOne.width <= narrowest) break
      widestOne.width = Math.max(narrowest, widestOne.width - Math.ceil(excess / 2))
    }
  return columns
}

const narrowest = 4

const isIdentifier = (name: string): boolean => /(^|[._])g?id$/.test(name)

const title = (name: string): string => oneLine(name).toUpperCase().replaceAll('_', ' ')

/** The value at a path with dots; nothing inside of nothing. */
export function valueAt(row: Row, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path]
  let value: unknown = row
  for (const name of path.split('.')) {
    if (value === null) return null
    value =
      typeof value === 'object' && value !== undefined && Object.hasOwn(value, name) ? (value as Row)[name] : undefined
  }
  return value
}

/**
 * A value on one line: a dash for nothing, the name of an object that has one, and JSON for other objects and lists.
 */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value !== 'object') return oneLine(String(value))
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(shown).join(', ')
  const { name, gid, id } = value as Row
  const telling = [name, gid, id].find((one) => typeof one === 'string' && one !== '')
  return oneLine(telling === undefined ? stringifyJson(value) : String(telling))
}
