/** The columns of a row of insights. */
import type { Account } from './accounts.ts'
import { adSetName, goalOf } from './ad-sets.ts'
import { adName } from './ads.ts'
import { campaignName, objectiveOf } from './campaigns.ts'
import type { Figures } from './delivery.ts'
import { actionsOf, valuesOf } from './insight-actions.ts'
import { dateOf } from './times.ts'
import type { Node } from './world.ts'

export interface Row {
  readonly place: number
  readonly account: Account
  /** The object whose row it is; null for the account. */
  readonly object: Node | null
  readonly since: number
  readonly until: number
  readonly figures: Figures
  /** The requested columns and attribution windows. */
  readonly fields: readonly string[]
  readonly windows: readonly string[]
}

export function showRow(row: Row): unknown {
  const record: Readonly<Record<string, unknown>> = rowRecord(row)
  const shown = Object.fromEntries(row.fields.map((name) => [name, record[name]]))
  return { ...shown, date_start: record.date_start, date_stop: record.date_stop }
}

/** Percent of plays that reach each second, and later spans of seconds. */
const playCurve = Array.from({ length: 22 }, (_, at) => Math.round(100 / (1 + at / 4)))

/** All columns that can have a value. */
export function rowRecord({ account, object, since, until, figures, windows }: Omit<Row, 'place' | 'fields'>) {
  const campaign = object?.above('campaign')
  const adset = object?.above('adset')
  const ad = object?.above('ad')
  const { impressions, clicks, linkClicks, views } = figures
  const money = (hundredths: number): string =>
    account.decimals === 2 ? String(hundredths / 100) : String(Math.round(hundredths))
  const spend = Number(money(figures.spend))
  // People count once, however often they saw the ads, so reach does not add up.
  const reach = Math.ceil(impressions / (1.4 + Math.log10(figures.days + 1)))
  const uniqueClicks = Math.ceil(clicks * 0.9)
  return {
    account_id: account.id,
    account_name: account.changes.name ?? account.name,
    account_currency: account.currency,
    campaign_id: campaign?.id,
    campaign_name: campaign && campaignName(campaign),
    adset_id: adset?.id,
    adset_name: adset && adSetName(adset),
    ad_id: ad?.id,
    ad_name: ad && adName(ad),
    clicks: String(clicks),
    impressions: String(impressions),
    reach: String(reach),
    spend: String(spend),
    cpc: quotient(spend, clicks),
    cpm: quotient(spend * 1_000, impressions),
    cpp: quotient(spend * 1_000, reach),
    ctr: quotient(clicks * 100, impressions) ?? '0',
    cost_per_inline_link_click: quotient(spend, linkClicks),
    frequency: quotient(impressions, reach),
    inline_link_click_ctr: quotient(linkClicks * 100, impressions),
    inline_link_clicks: String(linkClicks),
    objective: campaign && objectiveOf(campaign),
    buying_type: campaign && 'AUCTION',
    date_start: dateOf(since),
    date_stop: dateOf(until),
    actions: actionsOf(figures, windows),
    action_values: valuesOf(figures, windows, money),
    attribution_setting: '7d_click',
    optimization_goal: adset && goalOf(adset),
    unique_clicks: String(uniqueClicks),
    unique_ctr: quotient(uniqueClicks * 100, reach),
    video_play_actions: views > 0 ? [{ action_type: 'video_view', value: String(views) }] : undefined,
    video_play_curve_actions: views > 0 ? [{ action_type: 'video_view', value: playCurve }] : undefined,
  }
}

/** A quotient in Graph's form; absent if the divisor is 0. */
const quotient = (amount: number, by: number): string | undefined =>
  by === 0 ? undefined : String(Number((amount / by).toFixed(6)))
