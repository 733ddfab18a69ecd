/** Makes a record shorter for a model: cuts its long texts, and leaves out what is empty. */

export interface Shortening {
  /** The maximum length of a text. */
  readonly maxText: number
  readonly omitEmpty: boolean
}

/** The longest of the texts that were cut. */
export interface CutText {
  readonly path: string
  readonly length: number
}

export interface Shortened {
  readonly value: unknown
  readonly cut: CutText | null
}

export function shorten(record: unknown, { maxText, omitEmpty }: Shortening): Shortened {
  let cut: CutText | null = null

  function visit(value: unknown, path: string): unknown {
    if (typeof value === 'string') {
      if (value.length <= maxText) return value
      if (cut === null || value.length > cut.length) cut = { path, length: value.length }
      return `${value.slice(0, maxText).toWellFormed()}… [${value.length} characters in all]`
    }
    if (Array.isArray(value)) return value.map((item) => visit(item, path))
    if (!isRecord(value)) return value
    const fields = Object.entries(value).map(([name, field]): [string, unknown] => [
      name,
      visit(field, path === '' ? name : `${path}.${name}`),
    ])
    return Object.fromEntries(omitEmpty ? fields.filter(([, field]) => !isEmpty(field)) : fields)
  }

  const value = visit(record, '')
  return { value, cut }
}

/** A plain object; a number that keeps its digits is an object too, but has no fields. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Number)

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) && Object.keys(value).length === 0
}
