/** Repeats a request for the default fields without those that the system does not know, or does not show to these credentials. */
import type { GetOperation, ListOperation } from '../../catalog/operation.ts'
import { ConexError, type ErrorCode } from '../../errors.ts'
import { FieldUnknown } from '../recoverable-refusal.ts'
import type { Warning } from '../warning.ts'
import type { Prepared } from './prepare.ts'

/** What a system says to a request for a field that these credentials may not have. */
const refusals: readonly ErrorCode[] = ['upstream_refused', 'upstream_forbidden', 'upstream_plan_required']

/** A new version drops a field or two; where more are unknown, it is another kind of record that was asked for. */
const mostUnknown = 2

/** Runs the request, and again with fewer fields when one of them is to blame. What the caller selected is never narrowed. */
export async function withFewerFields<T>(
  { operation: { select, record }, selected, fields: choice = {} }: Prepared<ListOperation | GetOperation>,
  run: (without: ReadonlySet<string>) => Promise<T>,
): Promise<{ readonly value: T; readonly warnings: readonly Warning[] }> {
  const isIdentifier = (field: string): boolean => 'x-identifier' in (record.properties[field] ?? {})
  const excluded = choice.select_fields?.length ? [] : (choice.exclude_fields ?? [])
  const without = new Set(excluded.filter((field) => !isIdentifier(field)))
  const refused: string[] = []
  const isToBlame = (field: string, error: unknown): boolean => {
    if (without.has(field)) return false
    if (!(error instanceof FieldUnknown))
      return error instanceof ConexError && refusals.includes(error.code) && !!select!.restricted?.includes(field)
    return (select!.names?.[field] ?? field) === error.field && !isIdentifier(field)
  }
  let firstError: unknown
  for (let unknown = 0; ; ) {
    try {
      const value = await run(without)
      return { value, warnings: refused.map(warningOf) }
    } catch (error) {
      firstError ??= error
      if (error instanceof FieldUnknown && ++unknown > mostUnknown) throw firstError
      const fields = selected === undefined ? (select?.default ?? []) : []
      const blamed = fields.filter((field) => isToBlame(field, error))
      if (blamed.length === 0) throw error
      for (const field of blamed) without.add(field)
      refused.push(...blamed)
    }
  }
}

/** Tells that a field is null, or missing where it cannot be null, without being empty. */
const warningOf = (field: string): Warning => ({
  path: `/result/${field}`,
  message: 'is hidden from these credentials by the third-party system, or no longer exists, so it is null or missing',
})
