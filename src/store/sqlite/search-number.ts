/** Compares columns with numbers of any size. SQLite compares integers and doubles by value, but holds integers of 64 bits only. */
import type { Bound, Fragment } from './search-condition.ts'

type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'

const symbols = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

export function numberComparison(column: string, op: Comparison, value: number | bigint): Fragment {
  const { to, than } = bound(op, value)
  return { sql: `${column} ${symbols[to]} ?`, params: [than] }
}

/** An integer past 64 bits lies between two doubles, or is one; what compares with it the same way is the nearer of them. */
function bound(op: Comparison, value: number | bigint): { readonly to: Comparison; readonly than: Bound } {
  if (typeof value === 'number' || BigInt.asIntN(64, value) === value) return { to: op, than: value }
  const double = Number(value)
  const exact = Number.isFinite(double) ? BigInt(double) : null
  if (exact === value) return { to: op, than: double }
  const above = exact === null ? double > 0 : exact > value
  switch (op) {
    case 'eq':
      // Nothing that is kept equals it.
      return { to: 'gt', than: Number.POSITIVE_INFINITY }
    case 'gt':
    case 'gte':
      return { to: above ? 'gte' : 'gt', than: double }
    case 'lt':
    case 'lte':
      return { to: above ? 'lt' : 'lte', than: double }
  }
}
