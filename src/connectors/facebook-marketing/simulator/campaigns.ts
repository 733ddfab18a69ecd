/** Campaigns. */
import { pageId } from './company.ts'
import { bidStrategy, budget, commonFields, connect, type FieldsOf, refer } from './record.ts'
import { accountTime, day } from './times.ts'
import { oddNames, products, purposes, seasons } from './words.ts'
import type { Node } from './world.ts'

export const objectiveOf = (campaign: Node): string => campaign.pick('objective', Object.keys(purposes))

/** Campaigns with their own budget; under the others, each ad set has one. */
export const hasBudget = (campaign: Node): boolean => campaign.draw('budget') % 5 < 3

export function campaignName(campaign: Node): string {
  const { name } = campaign.changes
  if (typeof name === 'string') return name
  if (campaign.index > 0 && campaign.oneIn('odd', 31)) return campaign.pick('odd name', oddNames)
  const season = `${campaign.pick('season', seasons)} ${2024 + (campaign.draw('year') % 3)}`
  return `${purposes[objectiveOf(campaign)]} | ${campaign.pick('product', products)} | ${season}`
}

export const campaignRecord: FieldsOf<Node> = (campaign) => {
  const hasOwn = hasBudget(campaign)
  const isDaily = campaign.draw('daily') % 4 > 0
  const objective = objectiveOf(campaign)
  const copied =
    campaign.index > 0 && campaign.oneIn('copy', 9) ? campaign.other('campaign', campaign.index - 1) : undefined
  return {
    ...commonFields(campaign),
    name: campaignName(campaign),
    adsets: connect(campaign, 'adset'),
    ads: connect(campaign, 'ad'),
    bid_strategy: hasOwn ? bidStrategy(campaign) : undefined,
    budget_rebalance_flag: false,
    budget_remaining: hasOwn ? budget(campaign, 'left', 0) : '0',
    buying_type: 'AUCTION',
    can_use_spend_cap: true,
    daily_budget: hasOwn && isDaily ? budget(campaign, 'day', 2_000) : undefined,
    issues_info: campaign.hasIssue ? [issue] : undefined,
    lifetime_budget: hasOwn && !isDaily ? budget(campaign, 'life', 90_000) : undefined,
    objective,
    pacing_type: ['standard'],
    promoted_object: objective === 'OUTCOME_ENGAGEMENT' ? { page_id: pageId } : undefined,
    smart_promotion_type: 'GUIDED_CREATION',
    source_campaign: refer(copied),
    source_campaign_id: copied?.id ?? '0',
    special_ad_categories: [],
    special_ad_category: 'NONE',
    spend_cap: campaign.oneIn('cap', 8) ? budget(campaign, 'cap amount', 100_000) : undefined,
    start_time: accountTime(campaign.createdAt + 60_000, campaign.account),
    stop_time: campaign.oneIn('ends', 4) ? accountTime(campaign.createdAt + 45 * day, campaign.account) : undefined,
    topline_id: '0',
  }
}

const issue = {
  level: 'CAMPAIGN',
  error_code: 1885316,
  error_summary: 'Payment method needs attention',
  error_message: 'Add a payment method to go on.',
  error_type: 'HARD_ERROR',
}
