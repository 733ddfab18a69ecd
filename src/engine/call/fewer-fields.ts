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
  { operation: { select, record }, selected }: Prepared<ListOperation | GetOperation>,
  run: (without: ReadonlySet<string>) => Promise<T>,
): Promise<{ readonly value: T; readonly warnings: readonly Warning[] }> {
  const without = new Set<string>()
  let unknown = 0
  let firstError: unknown
  for (;;) {
    try {
      const value = await run(without)
      return { value, warnings: warningsOf(without) }
    } catch (error) {
      firstError ??= error
      if (error instanceof FieldUnknown && ++unknown > mostUnknown) throw firstError
      const blamed = select === undefined || selected !== undefined ? [] : select.default.filter(toBlame(error))
      if (blamed.length === 0) throw error
      for (const field of blamed) without.add(field)
    }
  }

  function toBlame(error: unknown): (field: string) => boolean {
    if (error instanceof FieldUnknown)
      return (field) => (select!.names?.[field] ?? field) === error.field && !without.has(field) && !isIdentifier(field)
    const refused = error instanceof ConexError && refusals.includes(error.code)
    return (field) => refused && !without.has(field) && (select!.restricted?.includes(field) ?? false)
  }

  function isIdentifier(field: string): boolean {
    return 'x-identifier' in (record.properties[field] ?? {})
  }
}

/** Tells which fields are null, or missing where they cannot be null, without being empty. */
const warningsOf = (without: ReadonlySet<string>): Warning[] =>
  [...without].map((field) => ({
    path: `/result/${field}`,
    message:
      'is hidden from these credentials by the third-party system, or no longer exists, so it is null or missing',
  }))
