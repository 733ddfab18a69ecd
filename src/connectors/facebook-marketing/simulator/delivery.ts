/** The delivery of an ad on a day, computed from the seed, so that any period adds up to the same numbers. */
import type { Account } from './accounts.ts'
import { ownStatus } from './statuses.ts'
import { accountDay } from './times.ts'
import type { Node, World } from './world.ts'

export interface Figures {
  impressions: number
  clicks: number
  /** In hundredths of the currency. */
  spend: number
  linkClicks: number
  purchases: number
  /** In hundredths. */
  revenue: number
  views: number
}

export const noFigures = (): Figures => ({
  impressions: 0,
  clicks: 0,
  spend: 0,
  linkClicks: 0,
  purchases: 0,
  revenue: 0,
  views: 0,
})

/** Only this many of an account's ads ever deliver, as in most accounts: the newest. */
const mostDelivering = 250

export function deliveringAds(world: World, account: Account): Node[] {
  const count = Math.min(mostDelivering, account.counts.ad)
  return Array.from({ length: count }, (_, index) => world.node('ad', account, index))
}

/** The days on which an ad delivers: until today while it is active, for some weeks otherwise. */
export function lifeOf(world: World, ad: Node, today: number): { first: number; last: number } {
  const first = accountDay(world.createdAt(ad), ad.account)
  const last = ownStatus(world, ad) === 'ACTIVE' ? today : Math.min(today, first + 20 + (world.draw('life', ad) % 60))
  return { first, last }
}

/**
 * Adds a day of an ad; false if the ad was not shown. Depends on `today`: orders of the last four weeks are still
 * coming in.
 */
export function addDay(world: World, ad: Node, dayNumber: number, today: number, into: Figures): boolean {
  const drawn = mix(world.draw('delivery', ad) ^ Math.imul(dayNumber, 0x9e3779b1))
  if (drawn % 8 === 0) return false
  const size = 400 + (world.draw('size', ad) % 6_000)
  const impressions = Math.floor((size * (60 + (drawn % 80))) / 100)
  const clicks = Math.floor((impressions * (4 + ((drawn >>> 8) % 22))) / 1_000)
  const linkClicks = Math.floor(clicks * 0.78)
  const settled = 72 + Math.min(28, Math.max(0, today - dayNumber))
  const purchases = Math.floor((linkClicks * ((drawn >>> 14) % 9) * settled) / 10_000)
  into.impressions += impressions
  into.clicks += clicks
  into.spend += Math.floor((impressions * (450 + ((drawn >>> 5) % 900))) / 1_000)
  into.linkClicks += linkClicks
  into.purchases += purchases
  into.revenue += purchases * (4_900 + ((drawn >>> 9) % 21_000))
  into.views += (drawn & 3) === 0 ? 0 : Math.floor(impressions / 7)
  return true
}

function mix(value: number): number {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return (x ^ (x >>> 16)) >>> 0
}
