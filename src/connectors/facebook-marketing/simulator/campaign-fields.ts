/** The fields of campaigns. */
import { pick } from '../../../kit/simulator.ts'
import { Connection, drawn, empty, type FieldTable, oneIn, Reference } from './field-table.ts'
import { effectiveStatus, issueOf, ownStatus } from './statuses.ts'
import { accountTime, day } from './times.ts'
import { unsetCampaignFields } from './unset-fields.ts'
import { objectives, oddNames, products, purposes, seasons } from './vocabulary.ts'
import type { Node, World } from './world.ts'

export const objectiveOf = (campaign: Node, world: World): string => drawn(world, 'objective', campaign, objectives)

/** Campaigns with their own budget; under the others, each ad set has one. */
export const hasBudget = (campaign: Node, world: World): boolean => world.draw('budget', campaign) % 5 < 3

export const campaignName = (campaign: Node, world: World): string => {
  const set = world.changesOf(campaign).name
  if (typeof set === 'string') return set
  if (campaign.index > 0 && oneIn(world, 'odd', campaign, 31)) return drawn(world, 'odd name', campaign, oddNames)
  const product = drawn(world, 'product', campaign, products)
  const season = drawn(world, 'season', campaign, seasons)
  return `${purposes[objectiveOf(campaign, world)]} | ${product} | ${season} ${2024 + (world.draw('year', campaign) % 3)}`
}

/** Labels of all three levels; few nodes have any. */
export const labelsOf = (node: Node, world: World): unknown =>
  oneIn(world, 'label', node, 6)
    ? [
        {
          id: String(6_100_000_000_000 + (world.draw('label', node) % 9)),
          name: pick(['always on', 'test', 'agency', 'Q4'], world.draw('label name', node)),
          created_time: accountTime(world.createdAt(node), node.account),
          updated_time: accountTime(world.createdAt(node), node.account),
        },
      ]
    : undefined

/** Amounts in the smallest unit of the currency, as text. */
export const budget = (node: Node, world: World, purpose: string, from: number): string => {
  const amount = from + (world.draw(purpose, node) % 40) * 500
  return String(node.account.decimals === 2 ? amount : Math.round(amount / 100) * 100)
}

/** The campaign that it was copied from. */
const sourceOf = (campaign: Node, world: World): Node | undefined =>
  campaign.index > 0 && oneIn(world, 'copy', campaign, 9)
    ? world.node('campaign', campaign.account, campaign.index - 1)
    : undefined

const isDaily = (campaign: Node, world: World): boolean => world.draw('daily', campaign) % 4 > 0

export const campaignFields: FieldTable<Node> = {
  ...unsetCampaignFields,
  id: ({ id }) => id,
  name: campaignName,
  account_id: ({ account }) => account.id,
  account: ({ account }) => new Reference(account),
  adlabels: labelsOf,
  adsets: (campaign, world) => new Connection((limit) => childrenOf(campaign, world, 'adset', limit)),
  ads: (campaign, world) => new Connection((limit) => childrenOf(campaign, world, 'ad', limit)),
  bid_strategy: (campaign, world) =>
    hasBudget(campaign, world) ? drawn(world, 'bids', campaign, bidStrategies) : undefined,
  boosted_object_id: empty,
  budget_rebalance_flag: () => false,
  budget_remaining: (campaign, world) => (hasBudget(campaign, world) ? budget(campaign, world, 'left', 0) : '0'),
  buying_type: () => 'AUCTION',
  can_use_spend_cap: () => true,
  configured_status: (campaign, world) => ownStatus(world, campaign),
  created_time: (campaign, world) => accountTime(world.createdAt(campaign), campaign.account),
  daily_budget: (campaign, world) =>
    hasBudget(campaign, world) && isDaily(campaign, world) ? budget(campaign, world, 'day', 2_000) : undefined,
  effective_status: (campaign, world) => effectiveStatus(world, campaign),
  issues_info: (campaign, world) =>
    issueOf(world, campaign)
      ? [
          {
            level: 'CAMPAIGN',
            error_code: 1885316,
            error_summary: 'Payment method needs attention',
            error_message: 'Add a payment method to go on.',
            error_type: 'HARD_ERROR',
          },
        ]
      : undefined,
  lifetime_budget: (campaign, world) =>
    hasBudget(campaign, world) && !isDaily(campaign, world) ? budget(campaign, world, 'life', 90_000) : undefined,
  objective: objectiveOf,
  pacing_type: () => ['standard'],
  promoted_object: (campaign, world) =>
    objectiveOf(campaign, world) === 'OUTCOME_ENGAGEMENT' ? { page_id: '108234567890123' } : undefined,
  smart_promotion_type: () => 'GUIDED_CREATION',
  source_campaign: (campaign, world) => {
    const source = sourceOf(campaign, world)
    return source && new Reference(source)
  },
  source_campaign_id: (campaign, world) => sourceOf(campaign, world)?.id ?? '0',
  special_ad_categories: () => [],
  special_ad_category: () => 'NONE',
  special_ad_category_country: empty,
  spend_cap: (campaign, world) =>
    oneIn(world, 'cap', campaign, 8) ? budget(campaign, world, 'cap amount', 100_000) : undefined,
  start_time: (campaign, world) => accountTime(world.createdAt(campaign) + 60_000, campaign.account),
  status: (campaign, world) => ownStatus(world, campaign),
  stop_time: (campaign, world) =>
    oneIn(world, 'ends', campaign, 4) ? accountTime(world.createdAt(campaign) + 45 * day, campaign.account) : undefined,
  topline_id: () => '0',
  updated_time: (campaign, world) => accountTime(world.updatedAt(campaign), campaign.account),
}

export const bidStrategies = [
  'LOWEST_COST_WITHOUT_CAP',
  'LOWEST_COST_WITHOUT_CAP',
  'LOWEST_COST_WITH_BID_CAP',
  'COST_CAP',
] as const

/** The generated nodes below a campaign or ad set. */
export function childrenOf(parent: Node, world: World, kind: 'adset' | 'ad', limit: number): Node[] {
  const width = parent.kind === 'campaign' && kind === 'ad' ? 9 : 3
  const first = parent.index * width
  const count = Math.max(0, Math.min(width, limit, parent.account.counts[kind] - first))
  return Array.from({ length: count }, (_, number) => world.node(kind, parent.account, first + number))
}
