/** Ad sets: the level with targeting, schedule and bids. */
import { entity, get, id, list, nullable, number, object, searchableFields, text } from '../../kit/connector.ts'
import { adLabels, fields, nodeId, ofAccount, ofNode } from './fields.ts'
import { deliveryStream } from './streams.ts'

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
    ...ofAccount(record, {}),
    description: 'List the ad sets of an ad account, without archived and deleted ones.',
    path: '/act_{account_id}/adsets',
  }),
  get: get({
    ...ofNode(record, {}),
    description: 'Get one ad set.',
    path: '/{adset_id}',
    params: { adset_id: nodeId('The ad set.'), fields },
  }),
  searchable,
  sync: deliveryStream('adset', { edge: 'adsets', record, searchable }),
})
