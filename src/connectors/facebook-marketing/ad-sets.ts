/** Ad sets: the level with targeting, schedule and bids. */
import {
  arrayOf,
  boolean,
  entity,
  get,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  partialOf,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { campaign } from './campaigns.ts'
import { adLabels, fields, nodeId, ofAccount, ofNode } from './fields.ts'
import { asSent, minorUnits, onRequest, parts, shared, texts } from './on-request.ts'
import { attributionSpec, issues, promotedObject, recommendations } from './shapes.ts'
import { deliveryStream } from './streams.ts'
import { targeting, unwantedPlacements } from './targeting.ts'

const record = {
  id: id(),
  name: nullable(text()),
  account_id: nullable(text()),
  adlabels: adLabels,
  bid_amount: nullable(number('In the smallest unit of the account’s currency, like all budgets.')),
  bid_info: nullable(object()),
  bid_strategy: nullable(text()),
  bid_constraints: nullable(object()),
  budget_remaining: nullable(number()),
  campaign_id: nullable(text()),
  created_time: nullable(text()),
  daily_budget: nullable(number('0 or null if the campaign has the budget.')),
  effective_status: nullable(text()),
  end_time: nullable(text()),
  learning_stage_info: nullable(object()),
  lifetime_budget: nullable(number()),
  promoted_object: nullable(object()),
  start_time: nullable(text()),
  targeting: nullable(object()),
  updated_time: nullable(text()),
} as const

const own = {
  adset_schedule: parts(
    {
      days: arrayOf(integer('0 is Sunday.')),
      start_minute: integer('Minutes after midnight, of full hours.'),
      end_minute: integer('Minutes after midnight, of full hours.'),
      timezone_type: text('USER for the time of the people who see it, ADVERTISER for that of the account.'),
    },
    'The hours of the week in which ads run.',
  ),
  anchor_event_attribution_window_days: integer('Days after the first event in which later ones count.'),
  asset_feed_id: text('The texts and pictures of its dynamic creatives.'),
  attribution_count_type: text('Whether all results after an ad count, or the first one.'),
  attribution_spec: attributionSpec,
  automatic_manual_state: text('Whether Meta or the advertiser controls it.'),
  bid_adjustments: partialOf(
    {
      age_range: object('A factor by range of ages.'),
      page_types: object('A factor by placement.'),
      user_groups: text('Factors by groups of people, JSON as text.'),
    },
    'Factors on the bid.',
  ),
  billing_event: text('What costs money, such as IMPRESSIONS or LINK_CLICKS.'),
  brand_safety_config: partialOf({ comment_moderation_filter: text() }, 'How comments are kept in check.'),
  campaign_active_time: text('For how long it has run.'),
  campaign_attribution: text('How an app’s results are attributed, such as SKAN or AEM.'),
  configured_status: text('Its own status, as in status.'),
  creative_diversity_label: texts('How much its creatives differ, in words.'),
  creative_diversity_score: texts('How much its creatives differ, as text.'),
  creative_sequence: texts('The ads in the order in which people see them.'),
  creative_sequence_repetition_pattern: text('How the sequence repeats.'),
  daily_min_spend_target: minorUnits('The least to spend in a day, out of the campaign’s budget.'),
  daily_spend_cap: minorUnits('The most to spend in a day, out of the campaign’s budget.'),
  destination_type: text('Where ads lead, such as WEBSITE or MESSENGER.'),
  dsa_beneficiary: text('Who benefits from the ads, as the European Union requires it.'),
  dsa_payor: text('Who pays for the ads, as the European Union requires it.'),
  existing_customer_budget_percentage: integer('The most of the budget for existing customers, percent.'),
  frequency_control_specs: parts(
    {
      event: text('IMPRESSIONS.'),
      interval_days: integer('Days.'),
      max_frequency: integer('The most in these days.'),
      type: text(),
    },
    'How often a person may see its ads.',
  ),
  full_funnel_exploration_mode: text('How Meta explores the steps before the goal.'),
  instagram_user_id: text('The Instagram account that shows the ads.'),
  is_ba_skip_delayed_eligible: boolean('Meta does not explain it.'),
  is_budget_schedule_enabled: boolean('Whether the budget rises at planned times.'),
  is_dynamic_creative: boolean('Whether Meta combines texts and pictures in its ads.'),
  is_incremental_attribution_enabled: boolean('Whether only results count that would not happen without ads.'),
  issues_info: issues,
  lifetime_imps: integer('Impressions of its whole run; only with the buying type FIXED_CPM.'),
  lifetime_min_spend_target: minorUnits('The least to spend, out of the campaign’s budget.'),
  lifetime_spend_cap: minorUnits('The most to spend, out of the campaign’s budget.'),
  low_creative_reach: texts('What Meta says of creatives with low reach.'),
  max_budget_spend_percentage: text('The most of the campaign’s budget, percent as text.'),
  min_budget_spend_percentage: text('The least of the campaign’s budget, percent as text.'),
  multi_event_conversion_attribution_window_seconds: integer('Seconds in which several events count.'),
  multi_optimization_goal_weight: text('Which of several goals weighs more.'),
  optimization_goal: text('What Meta gets as much of as possible, such as OFFSITE_CONVERSIONS.'),
  optimization_sub_event: text('A more precise goal, such as sound being on.'),
  pacing_type: texts('How the budget is spread over the day: standard, day_parting or no_pacing.'),
  placement_soft_opt_out: unwantedPlacements,
  recommendations,
  recurring_budget_semantics: boolean('Whether a day may cost more than its budget, if the week does not.'),
  regional_regulated_categories: texts('Laws on who pays that apply, such as TAIWAN_FINSERV.'),
  regional_regulation_identities: partialOf(
    {
      australia_finserv_beneficiary: text(),
      australia_finserv_payer: text(),
      india_finserv_beneficiary: text(),
      india_finserv_payer: text(),
      singapore_universal_beneficiary: text(),
      singapore_universal_payer: text(),
      taiwan_finserv_beneficiary: text(),
      taiwan_finserv_payer: text(),
      taiwan_universal_beneficiary: text(),
      taiwan_universal_payer: text(),
      universal_beneficiary: text(),
      universal_payer: text(),
    },
    'The ids of those who benefit and pay, by law.',
  ),
  review_feedback: text('What the review of dynamic creatives found.'),
  rf_prediction_id: text('The forecast of a reservation by reach and frequency.'),
  source_adset_id: text('The ad set that it was copied from; 0 if it is not a copy.'),
  special_ad_categories: texts('The campaign’s special categories, such as HOUSING.'),
  status: text('ACTIVE, PAUSED, ARCHIVED or DELETED; effective_status also follows the campaign.'),
  targeting_optimization_types: arrayOf(object(), 'Targeting that Meta may relax: numbers by kind.'),
  time_based_ad_rotation_id_blocks: arrayOf(arrayOf(integer()), 'The ads of each span of time.'),
  time_based_ad_rotation_intervals: arrayOf(integer(), 'The beginnings of these spans, seconds since 1970.'),
  trending_topics_spec: partialOf(
    { is_all_trending: boolean(), is_special_budget_alloc: boolean(), trending_topics: texts() },
    'Topics beside which ads appear while many people follow them.',
  ),
  use_new_app_click: boolean('Whether app ads may aim at clicks on links.'),
  value_rule_set_id: text('Rules by which some results are worth more.'),
  value_rules_applied: boolean('Whether such rules apply.'),
} as const

/** An ad set where it is part of another record. */
export const adSet = shared('AdSet', {
  ...asSent(record),
  ...own,
  budget_remaining: minorUnits('What is left of the budget.'),
  daily_budget: minorUnits('The budget of a day; 0 if the campaign has it.'),
  lifetime_budget: minorUnits('The budget of its whole run; 0 if the campaign has it.'),
  promoted_object: promotedObject('What its ads advertise.'),
  targeting: targeting('Whom its ads are shown to.'),
})

const further = onRequest({
  ...own,
  campaign: campaign('The campaign that it belongs to.'),
  source_adset: adSet('The ad set that it was copied from.'),
})

const searchable = searchableFields(record, [
  'id',
  'name',
  'account_id',
  'campaign_id',
  'effective_status',
  'bid_strategy',
  'created_time',
  'start_time',
  'end_time',
  'updated_time',
  'daily_budget',
  'lifetime_budget',
  'budget_remaining',
  'bid_amount',
])

export const adSets = entity({
  description: 'Ad sets of an ad account.',
  list: list({
    ...ofAccount(record, further),
    description: 'List the ad sets of an ad account, without archived and deleted ones.',
    path: '/act_{account_id}/adsets',
  }),
  get: get({
    ...ofNode(record, further),
    description: 'Get one ad set.',
    path: '/{adset_id}',
    params: { adset_id: nodeId('The ad set.'), fields },
  }),
  searchable,
  sync: deliveryStream('adset', { edge: 'adsets', record, searchable }),
})
