/** Fits records into a budget of characters: whole records, as many as there is room for. */
import { stringifyJson } from '../json.ts'
import { type CutText, type Shortening, shorten } from './shorten.ts'

export interface Fitted {
  /** The records that fit, each as JSON. */
  readonly written: readonly string[]
  readonly values: readonly unknown[]
  readonly cut: CutText | null
  /** Set if not even the first record fits: its length, and its largest fields. */
  readonly tooLong: { readonly length: number; readonly fields: string } | null
}

/** A record that fits no budget is tried with texts of these lengths. */
const shorterTexts = [1000, 200, 50]

export function fit(records: readonly unknown[], room: number, shortening: Shortening): Fitted {
  const written: string[] = []
  const values: unknown[] = []
  let cut: CutText | null = null
  let taken = 0
  for (const record of records) {
    const one = written.length === 0 ? firstOf(record, room, shortening) : writtenOf(record, shortening)
    taken += one.json.length + 2
    if (taken > room) {
      const tooLong = written.length === 0 ? { length: lengthOf(record), fields: largestFields(record) } : null
      return { written, values, cut, tooLong }
    }
    written.push(one.json)
    values.push(one.value)
    if (one.cut !== null && (cut === null || one.cut.length > cut.length)) cut = one.cut
  }
  return { written, values, cut, tooLong: null }
}

/** The first record must fit, because nothing else leads past it: its texts are cut shorter where that helps. */
function firstOf(record: unknown, room: number, shortening: Shortening) {
  let one = writtenOf(record, shortening)
  for (const maxText of shorterTexts) {
    if (one.json.length + 2 <= room) break
    if (maxText < shortening.maxText) one = writtenOf(record, { ...shortening, maxText })
  }
  return one
}

function writtenOf(record: unknown, shortening: Shortening) {
  const { value, cut } = shorten(record, shortening)
  return { value, cut, json: lineOf(value) }
}

/** A record on one line. */
const lineOf = (value: unknown): string => stringifyJson(value) ?? 'null'

const lengthOf = (value: unknown): number => lineOf(value).length

/** The largest fields of a record, with the number of characters of each. */
export function largestFields(record: unknown): string {
  const data = (record as { data?: unknown } | null)?.data ?? record
  return Object.entries((data ?? {}) as object)
    .map(([name, value]) => [name, lengthOf(value)] as const)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 8)
    .map(([name, length]) => `${name} (${length})`)
    .join(', ')
}
