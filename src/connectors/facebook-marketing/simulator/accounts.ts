/** The ad accounts of the simulated company, and how much each contains. */
import { accountIdOf } from './ids.ts'
import { regions } from './vocabulary.ts'

export interface Account {
  readonly index: number
  /** Without the prefix. */
  readonly id: string
  readonly name: string
  readonly currency: string
  /** Decimals of the currency. */
  readonly decimals: 0 | 2
  readonly timezone: { readonly id: number; readonly name: string; readonly hours: number }
  /** 1 active, 2 disabled. */
  readonly status: number
  /** `open` to read; `unmanaged` lacks MANAGE; `hidden` looks absent; `closed` is refused by name. */
  readonly sight: 'open' | 'unmanaged' | 'hidden' | 'closed'
  readonly counts: Readonly<Record<'ad' | 'adset' | 'campaign' | 'creative' | 'video' | 'conversion' | 'image', number>>
}

/** Indices of accounts with a part in tests; the later ones are shops. */
export const accountIndex = {
  main: 0,
  europe: 1,
  japan: 2,
  disabled: 3,
  empty: 4,
  agency: 5,
  hidden: 6,
  closed: 7,
} as const

const pacific = { id: 1, name: 'America/Los_Angeles', hours: -8 }
const berlin = { id: 47, name: 'Europe/Berlin', hours: 1 }
const tokyo = { id: 80, name: 'Asia/Tokyo', hours: 9 }

/** `scale` is roughly the number of ads of all accounts together. */
export function createAccounts(scale: number): readonly Account[] {
  const dollars = { currency: 'USD', decimals: 2, timezone: pacific, status: 1, sight: 'open' } as const
  const named: Omit<Account, 'index' | 'id' | 'counts'>[] = [
    { ...dollars, name: 'Northpass Outfitters' },
    { ...dollars, name: 'Northpass Europe', currency: 'EUR', timezone: berlin },
    { ...dollars, name: 'ノースパス日本', currency: 'JPY', decimals: 0, timezone: tokyo },
    { ...dollars, name: 'Northpass Clearance (old)', status: 2 },
    { ...dollars, name: 'Northpass Sandbox' },
    { ...dollars, name: 'Northpass via Kestrel Agency', sight: 'unmanaged' },
    { ...dollars, name: 'Somebody else', sight: 'hidden' },
    { ...dollars, name: 'Northpass Payroll Ads', sight: 'closed' },
  ]
  const shops = regions.map((region, number) => ({
    ...dollars,
    name: `Northpass ${region}`,
    ...(number < 8 ? {} : { currency: 'EUR', timezone: berlin }),
  }))
  const ads = [0.66 * scale, 0.2 * scale, 0.1 * scale, 6, 0, 8, 4, 4].map(Math.ceil)
  return [...named, ...shops].map((account, index) => ({
    ...account,
    index,
    id: accountIdOf(index),
    counts: countsFor(ads[index] ?? 2),
  }))
}

function countsFor(ad: number): Account['counts'] {
  const adset = Math.ceil(ad / 3)
  return {
    ad,
    adset,
    campaign: Math.ceil(adset / 3),
    creative: Math.ceil(ad * 0.8),
    image: Math.ceil(ad / 4),
    video: Math.ceil(ad / 6),
    conversion: Math.min(40, Math.ceil(ad / 20)),
  }
}
