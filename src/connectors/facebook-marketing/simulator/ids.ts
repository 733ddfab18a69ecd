/** Ids of nodes: each contains its kind, its account and its index, but looks like any of Meta's. */

export const kinds = ['campaign', 'adset', 'ad', 'creative', 'video', 'conversion', 'run'] as const
export type Kind = (typeof kinds)[number]

const space = 1_000_000_000_000n
/** Has no factor in common with the space, so that every index gets its own number. */
const step = 387_420_489_017n
const back = inverse(step, space)

/** 18 digits for accounts with an even index, 17 for the others, like newer and older accounts. */
export function idOf(kind: Kind, account: number, index: number): string {
  const lead = account % 2 === 0 ? '120' : '23'
  const number = (BigInt(index) * step + 448_105_913_207n) % space
  return `${lead}${kinds.indexOf(kind) + 2}${String(account).padStart(2, '0')}${String(number).padStart(12, '0')}`
}

export function readId(id: string): { kind: Kind; account: number; index: number } | undefined {
  const match = /^(120|23)(\d)(\d\d)(\d{12})$/.exec(id)
  if (match === null) return undefined
  const kind = kinds[Number(match[2]) - 2]
  const account = Number(match[3])
  if (kind === undefined || (account % 2 === 0) !== (match[1] === '120')) return undefined
  const index = ((BigInt(match[4]!) - 448_105_913_207n + space) * back) % space
  return index > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : { kind, account, index: Number(index) }
}

/** An id without the prefix act_. */
export const accountIdOf = (index: number): string => String(1_015_204_788_120_000 + index * 7_919)

export function readAccountId(id: string): number | undefined {
  if (!/^\d{16}$/.test(id)) return undefined
  const offset = Number(id) - 1_015_204_788_120_000
  return offset >= 0 && offset % 7_919 === 0 && offset / 7_919 < 100 ? offset / 7_919 : undefined
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value, modulus, 1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b, x, y] = [b, a - quotient * b, y, x - quotient * y]
  }
  return ((x % modulus) + modulus) % modulus
}
