/** The output of a tool: never longer than the limit, cut only between records, and with errors as data. */

import type { Answer, ConnectorMetadata } from '../engine/call/call.ts'
import { ConexError, type ErrorCode, type Issue } from '../errors.ts'
import { ExactNumber, fitsDouble } from '../json.ts'

/** Plain JSON for a model. */
export interface ToolOutput {
  readonly result?: unknown
  readonly connector_metadata?: ConnectorMetadata
  /** The file of a download: its metadata, and its text if it is a text file. */
  readonly file?: { readonly name: string | null; readonly type: string | null; readonly size: number | null }
  readonly text?: string
  /** Present if the output was cut: how to get the rest. */
  readonly cut?: { readonly shown: number; readonly left: number; readonly how: string }
  readonly error?: {
    readonly code: ErrorCode
    readonly detail: string
    readonly errors?: readonly Issue[]
    /** Seconds to wait before the next call. */
    readonly retry_after?: number
  }
}

interface Bounds {
  readonly maxCharacters: number
  /** Whether the operation takes a limit. */
  readonly limit: boolean
}

/** An answer with as many whole records as fit. */
export function boundedAnswer(answer: Answer, bounds: Bounds): ToolOutput {
  const { result, connector_metadata } = plain(answer) as Answer
  const room = bounds.maxCharacters - lengthOf(connector_metadata) - 40
  if (Array.isArray(result)) {
    const { shown, cut } = fitting(result, room, bounds)
    return { result: shown, connector_metadata, ...cut }
  }
  const { hits, ...rest } = (result ?? {}) as { readonly hits?: readonly unknown[] }
  if (Array.isArray(hits)) {
    const { shown, cut } = fitting(hits, room - lengthOf(rest), bounds)
    return { result: { ...rest, hits: shown }, connector_metadata, ...cut }
  }
  const { shown, cut } = fitting([result], room, bounds)
  return { result: shown[0] ?? null, connector_metadata, ...cut }
}

function fitting(records: readonly unknown[], room: number, { maxCharacters, limit }: Bounds) {
  let taken = 0
  let count = 0
  for (const record of records) {
    taken += lengthOf(record) + 1
    if (taken > room) break
    count++
  }
  const left = records.length - count
  if (left === 0) return { shown: records, cut: {} }
  const fewer = `name the fields you need in "fields"; this record has ${fieldsOf(records[count])}`
  const how =
    count === 0
      ? `A single record is longer than ${maxCharacters} characters; ${fewer}.`
      : limit
        ? `Repeat the call with limit ${count}, whose next page begins with the first record that is missing here; or ${fewer}.`
        : `The next page begins after the records that are missing here; to see them, ${fewer}.`
  return { shown: records.slice(0, count), cut: { cut: { shown: count, left, how } } }
}

/** The largest fields of a record, with the number of characters of each. */
function fieldsOf(record: unknown): string {
  const data = (record as { data?: unknown } | null)?.data ?? record
  return Object.entries((data ?? {}) as object)
    .map(([name, value]) => [name, lengthOf(value)] as const)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 20)
    .map(([name, length]) => `${name} (${length})`)
    .join(', ')
}

/** The error as data that a model can use. */
export function failure(error: unknown): ToolOutput {
  if (!(error instanceof ConexError))
    return { error: { code: 'internal', detail: error instanceof Error ? error.message : String(error) } }
  const { code, message, issues, retryAfter } = error
  return {
    error: {
      code,
      detail: message,
      ...(issues && { errors: issues }),
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
    },
  }
}

/** Converts numbers that a double cannot hold to text, which every framework can write as JSON. */
export const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, part: unknown) {
      // Do not descend into an exact number.
      const given = this[name]
      if (given instanceof ExactNumber) return fitsDouble(String(given)) ? given.valueOf() : String(given)
      return typeof part === 'bigint' ? String(part) : part
    }),
  )

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0
