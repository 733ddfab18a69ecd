/** The fields of ad sets. */
import { bidStrategies, budget, childrenOf, hasBudget, labelsOf, objectiveOf } from './campaign-fields.ts'
import { Connection, drawn, empty, type FieldTable, oneIn, Reference } from './field-table.ts'
import { effectiveStatus, ownStatus } from './statuses.ts'
import { accountTime, day } from './times.ts'
import { unsetAdsetFields } from './unset-fields.ts'
import { audiences } from './vocabulary.ts'
import type { Node, World } from './world.ts'

export const pixelId = '1029384756473829'

export const adSetName = (adset: Node, world: World): string => {
  const set = world.changesOf(adset).name
  return typeof set === 'string' ? set : `${drawn(world, 'audience', adset, audiences)} #${1 + (adset.index % 3)}`
}

const ownsBudget = (adset: Node, world: World): boolean => !hasBudget(world.campaignOf(adset), world)

const strategyOf = (adset: Node, world: World): string | undefined =>
  ownsBudget(adset, world) ? drawn(world, 'bids', adset, bidStrategies) : undefined

const isSales = (adset: Node, world: World): boolean =>
  ['OUTCOME_SALES', 'CONVERSIONS'].includes(objectiveOf(world.campaignOf(adset), world))

export const adSetFields: FieldTable<Node> = {
  ...unsetAdsetFields,
  id: ({ id }) => id,
  name: adSetName,
  account_id: ({ account }) => account.id,
  account: ({ account }) => new Reference(account),
  adlabels: labelsOf,
  ads: (adset, world) => new Connection((limit) => childrenOf(adset, world, 'ad', limit)),
  attribution_spec: () => [{ event_type: 'CLICK_THROUGH', window_days: 7 }],
  // The first three of each account let tests compare with null: 1, 2 and nothing.
  bid_amount: (adset, world) =>
    adset.index < 2
      ? adset.index + 1
      : adset.index > 2 && strategyOf(adset, world)?.includes('CAP')
        ? 100 + (world.draw('bid', adset) % 900)
        : undefined,
  bid_constraints: (adset, world) => (oneIn(world, 'floor', adset, 12) ? { roas_average_floor: 21_000 } : undefined),
  bid_info: (adset, world) => (strategyOf(adset, world)?.includes('BID_CAP') ? { ACTIONS: 500 } : undefined),
  bid_strategy: strategyOf,
  billing_event: () => 'IMPRESSIONS',
  budget_remaining: (adset, world) => (ownsBudget(adset, world) ? budget(adset, world, 'left', 0) : '0'),
  campaign: (adset, world) => new Reference(world.campaignOf(adset)),
  campaign_id: (adset, world) => world.campaignOf(adset).id,
  configured_status: (adset, world) => ownStatus(world, adset),
  created_time: (adset, world) => accountTime(world.createdAt(adset), adset.account),
  daily_budget: (adset, world) => (ownsBudget(adset, world) ? budget(adset, world, 'day', 1_000) : '0'),
  destination_type: () => 'WEBSITE',
  effective_status: (adset, world) => effectiveStatus(world, adset),
  end_time: (adset, world) =>
    oneIn(world, 'ends', adset, 3) ? accountTime(world.createdAt(adset) + 30 * day, adset.account) : undefined,
  issues_info: empty,
  learning_stage_info: (adset, world) =>
    oneIn(world, 'learning', adset, 2)
      ? {
          status: 'SUCCESS',
          conversions: 50 + (world.draw('learned', adset) % 200),
          last_sig_edit_ts: Math.floor(world.createdAt(adset) / 1000),
          attribution_windows: ['7d_click', '1d_view'],
        }
      : undefined,
  lifetime_budget: () => '0',
  optimization_goal: (adset, world) => (isSales(adset, world) ? 'OFFSITE_CONVERSIONS' : 'LINK_CLICKS'),
  pacing_type: () => ['standard'],
  promoted_object: (adset, world) =>
    isSales(adset, world) ? { pixel_id: pixelId, custom_event_type: 'PURCHASE' } : { page_id: '108234567890123' },
  source_adset: empty,
  source_adset_id: () => '0',
  start_time: (adset, world) => accountTime(world.createdAt(adset) + 60_000, adset.account),
  status: (adset, world) => ownStatus(world, adset),
  targeting: (adset, world) => ({
    age_min: 25,
    age_max: 54 + (world.draw('age', adset) % 12),
    geo_locations: {
      countries: [{ USD: 'US', EUR: 'DE', JPY: 'JP' }[adset.account.currency]],
      location_types: ['home', 'recent'],
    },
    custom_audiences: oneIn(world, 'custom', adset, 2) ? [{ id: '23850011223340077', name: 'Buyers 180 d' }] : [],
    flexible_spec: [{ interests: [{ id: '6003397496347', name: 'Hiking' }] }],
    publisher_platforms: ['facebook', 'instagram'],
    facebook_positions: ['feed', 'story'],
    device_platforms: ['mobile', 'desktop'],
    targeting_relaxation_types: { lookalike: 0, custom_audience: 0 },
  }),
  updated_time: (adset, world) => accountTime(world.updatedAt(adset), adset.account),
}
