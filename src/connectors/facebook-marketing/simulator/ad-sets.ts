/** Ad sets. */
import { hasBudget, objectiveOf } from './campaigns.ts'
import { countries, pageId, pixelId } from './company.ts'
import { bidStrategy, budget, commonFields, connect, type FieldsOf, refer } from './record.ts'
import { accountTime, day } from './times.ts'
import { audiences } from './words.ts'
import type { Node } from './world.ts'

export function adSetName(adset: Node): string {
  const { name } = adset.changes
  return typeof name === 'string' ? name : `${adset.pick('audience', audiences)} #${1 + (adset.index % 3)}`
}

const isForSales = (adset: Node): boolean => ['OUTCOME_SALES', 'CONVERSIONS'].includes(objectiveOf(adset.campaign))

export const goalOf = (adset: Node): string => (isForSales(adset) ? 'OFFSITE_CONVERSIONS' : 'LINK_CLICKS')

export const targetingOf = (adset: Node): object => ({
  age_min: 25,
  age_max: 54 + (adset.draw('age') % 12),
  geo_locations: { countries: [countries[adset.account.currency]], location_types: ['home', 'recent'] },
  custom_audiences: adset.oneIn('custom', 2) ? [{ id: '23850011223340077', name: 'Buyers 180 d' }] : [],
  flexible_spec: [{ interests: [{ id: '6003397496347', name: 'Hiking' }] }],
  publisher_platforms: ['facebook', 'instagram'],
  facebook_positions: ['feed', 'story'],
  device_platforms: ['mobile', 'desktop'],
  targeting_relaxation_types: { lookalike: 0, custom_audience: 0 },
})

/** The first three of each account let tests compare with null: 1, 2 and nothing. */
function bidOf(adset: Node, strategy: string | undefined): number | undefined {
  if (adset.index < 3) return [1, 2, undefined][adset.index]
  return strategy?.includes('CAP') ? 100 + (adset.draw('bid') % 900) : undefined
}

export const adSetRecord: FieldsOf<Node> = (adset) => {
  const { campaign } = adset
  const hasOwn = !hasBudget(campaign)
  const strategy = hasOwn ? bidStrategy(adset) : undefined
  return {
    ...commonFields(adset),
    name: adSetName(adset),
    ads: connect(adset, 'ad'),
    attribution_spec: [{ event_type: 'CLICK_THROUGH', window_days: 7 }],
    bid_amount: bidOf(adset, strategy),
    bid_constraints: adset.oneIn('floor', 12) ? { roas_average_floor: 21_000 } : undefined,
    bid_info: strategy?.includes('BID_CAP') ? { ACTIONS: 500 } : undefined,
    bid_strategy: strategy,
    billing_event: 'IMPRESSIONS',
    budget_remaining: hasOwn ? budget(adset, 'left', 0) : '0',
    campaign: refer(campaign),
    campaign_id: campaign.id,
    daily_budget: hasOwn ? budget(adset, 'day', 1_000) : '0',
    destination_type: 'WEBSITE',
    end_time: adset.oneIn('ends', 3) ? accountTime(adset.createdAt + 30 * day, adset.account) : undefined,
    learning_stage_info: adset.oneIn('learning', 2)
      ? {
          status: 'SUCCESS',
          conversions: 50 + (adset.draw('learned') % 200),
          last_sig_edit_ts: Math.floor(adset.createdAt / 1000),
          attribution_windows: ['7d_click', '1d_view'],
        }
      : undefined,
    lifetime_budget: '0',
    optimization_goal: goalOf(adset),
    pacing_type: ['standard'],
    promoted_object: isForSales(adset) ? { pixel_id: pixelId, custom_event_type: 'PURCHASE' } : { page_id: pageId },
    source_adset_id: '0',
    start_time: accountTime(adset.createdAt + 60_000, adset.account),
    targeting: targetingOf(adset),
  }
}
