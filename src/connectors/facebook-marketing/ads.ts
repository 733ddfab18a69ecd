/** Ads: the level with the creative and its goal. */
import {
  array,
  arrayOf,
  entity,
  get,
  id,
  integer,
  list,
  nullable,
  object,
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
  adset_id: nullable(text()),
  campaign_id: nullable(text()),
  adlabels: adLabels,
  bid_amount: nullable(integer()),
  bid_info: nullable(object()),
  bid_type: nullable(text()),
  configured_status: nullable(text()),
  // Keys of the specs contain dots, such as action.type, and stay as they are.
  conversion_specs: nullable(array()),
  created_time: nullable(text()),
  creative: nullable(object('Only the id; ask for creative{id,name} to get more.')),
  effective_status: nullable(text()),
  last_updated_by_app_id: nullable(text()),
  recommendations: nullable(
    arrayOf(
      objectOf({
        blame_field: nullable(text()),
        code: nullable(integer()),
        confidence: nullable(text()),
        importance: nullable(text()),
        message: nullable(text()),
        title: nullable(text()),
      }),
    ),
  ),
  source_ad_id: nullable(text('0 if it is not a copy.')),
  status: nullable(text()),
  tracking_specs: nullable(array()),
  updated_time: nullable(text()),
} as const

const searchable = searchableFields(record, [
  'id',
  'name',
  'account_id',
  'adset_id',
  'campaign_id',
  'status',
  'effective_status',
  'created_time',
  'updated_time',
])

export const ads = entity({
  description: 'Ads of an ad account.',
  list: list({
    ...ofAccount(record, {}),
    description: 'List the ads of an ad account, without archived and deleted ones.',
    path: '/act_{account_id}/ads',
  }),
  get: get({
    ...ofNode(record, {}),
    description: 'Get one ad.',
    path: '/{ad_id}',
    params: { ad_id: nodeId('The ad.'), fields },
  }),
  searchable,
  sync: deliveryStream('ad', { edge: 'ads', record, searchable, limit: 50 }),
})
