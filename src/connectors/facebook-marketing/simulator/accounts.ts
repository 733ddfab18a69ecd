/** The ad accounts of the simulated company, and how much each contains. */
import { accountIdOf } from './ids.ts'
import { regions } from './words.ts'

export interface Account {
  readonly kind: 'account'
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
  /** Fields that were changed. */
  readonly changes: Record<string, unknown>
}

/** Accounts with a part in tests, by the names of their landmarks; the later ones are shops. */
export const accountLandmarks = [
  'account',
  'account_euro',
  'account_yen',
  'account_disabled',
  'account_empty',
  'account_unmanaged',
  'account_hidden',
  'account_closed',
] as const

const dollars = {
  currency: 'USD',
  decimals: 2,
  timezone: { id: 1, name: 'America/Los_Angeles', hours: -8 },
  status: 1,
  sight: 'open',
} as const
const euros = { ...dollars, currency: 'EUR', timezone: { id: 47, name: 'Europe/Berlin', hours: 1 } }
const yen = { ...dollars, currency: 'JPY', decimals: 0, timezone: { id: 80, name: 'Asia/Tokyo', hours: 9 } } as const

/** In the order of their indices, each with its share of the ads, or their number. */
const named: readonly (Omit<Account, 'kind' | 'index' | 'id' | 'counts' | 'changes'> & { readonly ads: number })[] = [
  { ...dollars, name: 'Northpass Outfitters', ads: 0.66 },
  { ...euros, name: 'Northpass Europe', ads: 0.2 },
  { ...yen, name: 'ノースパス日本', ads: 0.1 },
  { ...dollars, name: 'Northpass Clearance (old)', status: 2, ads: 6 },
  { ...dollars, name: 'Northpass Sandbox', ads: 0 },
  { ...dollars, name: 'Northpass via Kestrel Agency', sight: 'unmanaged', ads: 8 },
  { ...dollars, name: 'Somebody else', sight: 'hidden', ads: 4 },
  { ...dollars, name: 'Northpass Payroll Ads', sight: 'closed', ads: 4 },
  ...regions.map((region, number) => ({ ...(number < 8 ? dollars : euros), name: `Northpass ${region}`, ads: 2 })),
]

/** `scale` is roughly the number of ads of all accounts together. */
export const createAccounts = (scale: number): readonly Account[] =>
  named.map(({ ads, ...account }, index) => ({
    ...account,
    kind: 'account',
    index,
    id: accountIdOf(index),
    counts: countsFor(ads < 1 ? Math.ceil(ads * scale) : ads),
    changes: {},
  }))

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
