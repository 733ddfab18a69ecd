/** The delivery of an ad on a day, computed from the seed, so that any period adds up to the same numbers. */
import { mix } from '../../../kit/simulator.ts'
import type { Account } from './accounts.ts'
import { accountDay } from './times.ts'
import type { Node, World } from './world.ts'

const nothing = {
  /** The days on which ads were shown, one for each ad. */
  days: 0,
  impressions: 0,
  clicks: 0,
  /** In hundredths of the currency, like the revenue. */
  spend: 0,
  linkClicks: 0,
  purchases: 0,
  revenue: 0,
  views: 0,
}
export type Figures = typeof nothing

/** Only this many of an account's ads ever deliver, as in most accounts: the newest. */
const mostDelivering = 250

export function deliveringAds(world: World, account: Account): Node[] {
  const generated = world.rows('ad', account)
  const count = Math.min(mostDelivering, account.counts.ad)
  const added = generated.length - account.counts.ad
  return Array.from({ length: count }, (_, index) => generated.at(added + index)!)
}

/** Adds up the days of some ads. `today` matters, since orders of the last four weeks are still coming in. */
export function figuresOf(ads: readonly Node[], since: number, until: number, today: number): Figures {
  const sum = { ...nothing }
  for (const ad of ads) {
    // Until today while it is active, for some weeks otherwise.
    const first = accountDay(ad.createdAt, ad.account)
    const last = ad.ownStatus === 'ACTIVE' ? today : Math.min(today, first + 20 + (ad.draw('life') % 60))
    const delivery = ad.draw('delivery')
    const size = 400 + (ad.draw('size') % 6_000)
    for (let day = Math.max(since, first); day <= Math.min(until, last); day++)
      addDay({ drawn: mix(delivery ^ Math.imul(day, 0x9e3779b1)), size, age: Math.max(0, today - day) }, sum)
  }
  return sum
}

interface AdDay {
  readonly drawn: number
  /** How widely the ad is shown. */
  readonly size: number
  /** Days since then. */
  readonly age: number
}

function addDay({ drawn, size, age }: AdDay, sum: Figures): void {
  if (drawn % 8 === 0) return
  const impressions = Math.floor((size * (60 + (drawn % 80))) / 100)
  const clicks = Math.floor((impressions * (4 + ((drawn >>> 8) % 22))) / 1_000)
  const linkClicks = Math.floor(clicks * 0.78)
  const settled = 72 + Math.min(28, age)
  const purchases = Math.floor((linkClicks * ((drawn >>> 14) % 9) * settled) / 10_000)
  sum.days += 1
  sum.impressions += impressions
  sum.clicks += clicks
  sum.spend += Math.floor((impressions * (450 + ((drawn >>> 5) % 900))) / 1_000)
  sum.linkClicks += linkClicks
  sum.purchases += purchases
  sum.revenue += purchases * (4_900 + ((drawn >>> 9) % 21_000))
  sum.views += (drawn & 3) === 0 ? 0 : Math.floor(impressions / 7)
}
