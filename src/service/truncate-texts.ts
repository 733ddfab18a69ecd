/** Truncates the long texts of records, for callers that ask for short answers. */
import type { Shaper } from '../catalog/choose-fields.ts'

/** Truncates the texts of a record, and says how to get all of them. */
export function truncateTexts(hasGet: boolean): Shaper {
  const note = `… [cut; ${hasGet ? 'get' : 'skip_truncation: true'} returns all of it]`
  return (record) => cut(record, note)
}

const longest = 200

function cut(value: unknown, note: string): unknown {
  if (typeof value === 'string')
    return value.length > longest ? value.slice(0, longest).replace(/[\ud800-\udbff]$/, '') + note : value
  if (Array.isArray(value)) return value.map((item) => cut(item, note))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cut(part, note)]))
}
