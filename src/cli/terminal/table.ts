/** Prints records as a table for people: as many columns as the terminal has room for. */
import { stringifyJson } from '../../json.ts'
import { oneLine } from './safe-text.ts'
import { paintFor, type Screen } from './screen.ts'
import { fit, width } from './width.ts'

export type Row = Readonly<Record<string, unknown>>

/** Printed page by page: the first page decides on columns and widths, so that the others fall below them. */
export interface Table {
  print(rows: readonly Row[]): void
  /** The fields that there was no room for. */
  readonly left: readonly string[]
}

interface Column {
  readonly name: string
  width: number
}

const gap = 2
/** No column is wider than this while others want room. */
const widest = 40
/** Where no terminal says how wide it is, nothing is cut. */
const endless = Number.POSITIVE_INFINITY

/** With `columns` exactly these are shown, in this order; without, those that have values and room. */
export function createTable(screen: Screen, columns?: readonly string[]): Table {
  const room = screen.isTTY === true ? (screen.columns ?? 80) : endless
  let layout: Column[] | undefined
  let left: string[] = []
  const paint = paintFor(screen)
  // What somebody wants to see and nobody asked the system for is not the same as nothing.
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

/** One record, a line for each field. */
export function printRecord(screen: Screen, record: Row): void {
  const names = Object.keys(record)
  const column = Math.max(0, ...names.map((name) => width(oneLine(name))))
  const paint = paintFor(screen)
  for (const name of names)
    screen.write(`${paint('dim', fit(oneLine(name), column))}${' '.repeat(gap)}${shown(record[name])}\n`)
}

/** The fields that a row has values in, those that say which record it is in front. */
function fieldsOf(rows: readonly Row[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => shown(row[name]) !== '-')))
  const rank = (name: string): number => {
    const at = telling.indexOf(name)
    return at < 0 ? telling.length : at
  }
  return [...names].sort((one, other) => rank(one) - rank(other))
}

const telling = ['gid', 'id', 'name', 'title', 'status']

/** As many columns as there is room for; the last one that is begun takes what is left. */
function thatFit(wanted: readonly Column[], room: number): Column[] {
  const chosen: Column[] = []
  let taken = -gap
  for (const column of wanted) {
    const natural = room === endless ? column.width : Math.min(column.width, widest)
    const free = room - taken - gap
    // A value of which only a stump is seen tells nothing.
    if (chosen.length > 0 && free < Math.min(natural, 12)) break
    const given = Math.min(natural, Math.max(free, 1))
    chosen.push({ name: column.name, width: given })
    taken += given + gap
  }
  return chosen
}

/** Every column, the widest made narrower until all fit; identifiers last, which are worth nothing when they are cut. */
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

/** The value of a field, or of one inside it by a path with dots; inside nothing is nothing. */
function valueAt(row: Row, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path]
  let value: unknown = row
  for (const name of path.split('.')) {
    if (value === null) return null
    value =
      typeof value === 'object' && value !== undefined && Object.hasOwn(value, name) ? (value as Row)[name] : undefined
  }
  return value
}

/** A value in one line: a dash for nothing, the name of what has one, JSON for other things within. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value !== 'object') return oneLine(String(value))
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(shown).join(', ')
  const { name, gid, id } = value as Row
  const telling = [name, gid, id].find((one) => typeof one === 'string' && one !== '')
  return oneLine(telling === undefined ? stringifyJson(value) : String(telling))
}
