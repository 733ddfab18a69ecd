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
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { adLabels, fields, nodeId, ofAccount, ofNode } from './fields.ts'
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
    ...ofAccount(record),
    description: 'List the campaigns of an ad account, without archived and deleted ones.',
    path: '/act_{account_id}/campaigns',
  }),
  get: get({
    ...ofNode(record),
    description: 'Get one campaign.',
    path: '/{campaign_id}',
    params: { campaign_id: nodeId('The campaign.'), fields },
  }),
  searchable,
  sync: deliveryStream('campaign', { edge: 'campaigns', record, searchable }),
})
