/** Campaigns: the level with the objective, and often the budget. */
import {
  array,
  arrayOf,
  boolean,
  entity,
  get,
  id,
  list,
  nullable,
  number,
  objectOf,
  partialOf,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { adLabels, fields, nodeId, ofAccount, ofNode } from './fields.ts'
import { asSent, minorUnits, named, onRequest, parts, shared, texts, time } from './on-request.ts'
import { issues, promotedObject, recommendations } from './shapes.ts'
import { deliveryStream } from './streams.ts'

const record = {
  id: id(),
  name: nullable(text()),
  account_id: nullable(text()),
  adlabels: adLabels,
  bid_strategy: nullable(text()),
  boosted_object_id: nullable(text()),
  budget_rebalance_flag: nullable(boolean()),
  budget_remaining: nullable(number('In the smallest unit of the account’s currency, like all budgets.')),
  buying_type: nullable(text()),
  daily_budget: nullable(number()),
  created_time: nullable(text()),
  configured_status: nullable(text()),
  effective_status: nullable(text()),
  issues_info: nullable(
    arrayOf(
      objectOf({
        error_code: nullable(text()),
        error_message: nullable(text()),
        error_summary: nullable(text()),
        error_type: nullable(text()),
        level: nullable(text()),
      }),
    ),
  ),
  lifetime_budget: nullable(number()),
  objective: nullable(text()),
  smart_promotion_type: nullable(text()),
  source_campaign_id: nullable(text('0 if it is not a copy.')),
  special_ad_category: nullable(text()),
  special_ad_category_country: nullable(array()),
  spend_cap: nullable(number()),
  start_time: nullable(text()),
  status: nullable(text()),
  stop_time: nullable(text()),
  updated_time: nullable(text()),
} as const

const own = {
  advantage_state_info: partialOf(
    {
      advantage_state: text('Such as ADVANTAGE_PLUS_SALES or DISABLED.'),
      advantage_audience_state: text('ENABLED or DISABLED.'),
      advantage_budget_state: text('ENABLED or DISABLED.'),
      advantage_placement_state: text('ENABLED or DISABLED.'),
    },
    'Which parts of the campaign Meta automates.',
  ),
  brand_lift_studies: parts(
    {
      id: text(),
      name: text(),
      description: text(),
      type: text('Such as LIFT or SPLIT_TEST.'),
      business: named(),
      client_business: named(),
      created_by: named(),
      updated_by: named(),
      measurement_contact: named(),
      sales_contact: named(),
      created_time: time('When it was created.'),
      updated_time: time('When it changed.'),
      start_time: time('When it begins.'),
      end_time: time('When it ends.'),
      observation_end_time: time('When conversions cease to count.'),
      cooldown_start_time: time('When it stops choosing people.'),
      canceled_time: time('When it was cancelled.'),
      results_first_available_date: text('The day of the first results.'),
    },
    'Studies that measure the effect of the campaign on people.',
  ),
  campaign_group_active_time: text('For how long it has run.'),
  can_create_brand_lift_study: boolean('Whether a new study of its effect can begin.'),
  can_use_spend_cap: boolean('Whether a cap on its spending can be set.'),
  has_secondary_skadnetwork_reporting: boolean('Whether reports also count by Apple’s SKAdNetwork.'),
  is_adset_budget_sharing_enabled: boolean('Whether ad sets may lend each other a part of their budgets.'),
  is_budget_schedule_enabled: boolean('Whether the budget rises at planned times.'),
  is_direct_send_campaign: boolean('Whether its messages are sent without an auction.'),
  is_message_campaign: boolean('Whether its ads are messages.'),
  is_skadnetwork_attribution: boolean('Whether it advertises an app to people with iOS 14 or newer.'),
  last_budget_toggling_time: time('When the budget last moved between campaign and ad sets.'),
  pacing_type: texts('How the budget is spread over the day: standard, day_parting or no_pacing.'),
  primary_attribution: text('The attribution that its reports use first.'),
  promoted_object: promotedObject('What all of its ad sets advertise.'),
  recommendations,
  source_recommendation_type: text('The kind of advice from which it was created.'),
  special_ad_categories: texts('All special categories, such as HOUSING; empty if none applies.'),
  topline_id: text('The line of a reservation that it belongs to; 0 if none.'),
} as const

/** A campaign where it is part of another record. */
export const campaign = shared('Campaign', {
  ...asSent(record),
  ...own,
  budget_remaining: minorUnits('What is left of the budget.'),
  daily_budget: minorUnits('The budget of a day.'),
  lifetime_budget: minorUnits('The budget of its whole run.'),
  spend_cap: minorUnits('The most that it may spend.'),
  issues_info: issues,
})

const further = onRequest({ ...own, source_campaign: campaign('The campaign that it was copied from.') })

const searchable = searchableFields(record, [
  'id',
  'name',
  'account_id',
  'status',
  'effective_status',
  'objective',
  'created_time',
  'start_time',
  'stop_time',
  'updated_time',
  'daily_budget',
  'lifetime_budget',
  'budget_remaining',
])

export const campaigns = entity({
  description: 'Campaigns of an ad account.',
  list: list({
    ...ofAccount(record, further),
    description: 'List the campaigns of an ad account, without archived and deleted ones.',
    path: '/act_{account_id}/campaigns',
  }),
  get: get({
    ...ofNode(record, further),
    description: 'Get one campaign.',
    path: '/{campaign_id}',
    params: { campaign_id: nodeId('The campaign.'), fields },
  }),
  searchable,
  sync: deliveryStream('campaign', { edge: 'campaigns', record, searchable }),
})
