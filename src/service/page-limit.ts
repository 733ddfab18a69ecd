/** The limit of a list whose system decides how long a page is: clients of the newer dialect send one with any list. */
import type { ListOperation } from '../catalog/operation.ts'
import type { Warning } from '../engine/warning.ts'

/** The params without a limit that the system cannot be told, and a warning that it has no effect. */
export function withoutLimit(
  { params: schema }: ListOperation,
  params: unknown,
): { readonly params: unknown; readonly warnings: readonly Warning[] } {
  if (typeof params !== 'object' || params === null || !('limit' in params) || 'limit' in schema.properties)
    return { params, warnings: [] }
  const { limit, ...others } = params
  if (!Number.isSafeInteger(limit) || Number(limit) < 1) return { params, warnings: [] }
  return {
    params: others,
    warnings: [{ path: '/params/limit', message: 'has no effect, because the system decides how long a page is' }],
  }
}
