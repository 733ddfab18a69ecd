/** Ads: the level with the creative and its goal. */
import {
  array,
  arrayOf,
  boolean,
  entity,
  get,
  id,
  integer,
  list,
  nullable,
  object,
  objectOf,
  partialOf,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { creative } from './ad-creatives.ts'
import { adSet } from './ad-sets.ts'
import { campaign } from './campaigns.ts'
import { adLabels, fields, nodeId, ofAccount, ofNode } from './fields.ts'
import { asSent, onRequest, shared, texts, time } from './on-request.ts'
import { deliveryChecks, issues } from './shapes.ts'
import { deliveryStream } from './streams.ts'
import { placement, targeting } from './targeting.ts'

/** The places and rules of a review, as Meta names them. */
const reviewPlaces = [
  'account_admin',
  'ad',
  'ads_conversion_experiences',
  'b2c',
  'b2c_commerce_unified',
  'bsg',
  'city_community',
  'commerce',
  'compromise',
  'daily_deals',
  'daily_deals_legacy',
  'dpa',
  'dri_copyright',
  'dri_counterfeit',
  'facebook',
  'facebook_pages_live_shopping',
  'independent_work',
  'instagram',
  'instagram_shop',
  'job_search',
  'lead_gen_honeypot',
  'marketplace',
  'marketplace_home_rentals',
  'marketplace_home_sales',
  'marketplace_motors',
  'marketplace_shops',
  'max_review_placements',
  'neighborhoods',
  'page_admin',
  'product',
  'product_service',
  'profile',
  'seller',
  'shops',
  'traffic_quality',
  'unified_commerce_content',
  'whatsapp',
] as const
type ReviewPlace = (typeof reviewPlaces)[number]

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
  creative: nullable(creative('Only the id; ask for creative{id,name} to get more.')),
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

const findings = object('Findings by the name of the rule.')

const own = {
  ad_active_time: text('For how long it has run.'),
  ad_review_feedback: partialOf(
    {
      global: findings,
      placement_specific: partialOf(
        Object.fromEntries(reviewPlaces.map((place) => [place, findings])) as Record<ReviewPlace, typeof findings>,
      ),
    },
    'Why the review disapproved it, everywhere or at one place.',
  ),
  ad_schedule_end_time: time('When it ends; absent if the ad set decides.'),
  ad_schedule_start_time: time('When it begins; absent if the ad set decides.'),
  conversion_domain: text('The domain where conversions happen.'),
  creative_asset_groups_spec: partialOf(
    { groups: arrayOf(object()), origin: text(), origins: texts() },
    'Groups of texts and pictures, for ads of flexible format.',
  ),
  demolink_hash: text('The last part of the address of a preview.'),
  display_sequence: integer('Its place in the sequence of ads.'),
  engagement_audience: boolean('Whether Meta collects the people who react to it.'),
  failed_delivery_checks: deliveryChecks,
  issues_info: issues,
  placement: placement('Where it appears.'),
  preview_shareable_link: text('An address that shows the ad to anyone.'),
  priority: integer('Its priority among the ads of the ad set.'),
  special_ad_categories: texts('The campaign’s special categories, such as HOUSING.'),
  targeting: targeting('The targeting of its ad set.'),
  tracking_and_conversion_with_defaults: partialOf(
    {
      custom_conversion: arrayOf(object()),
      custom_tracking: arrayOf(object()),
      default_conversion: arrayOf(object()),
      default_tracking: arrayOf(object()),
    },
    'What is tracked, by the advertiser’s choice and by Meta’s.',
  ),
} as const

const further = onRequest({
  ...own,
  adset: adSet('The ad set that it belongs to.'),
  campaign: campaign('The campaign that it belongs to.'),
  source_ad: shared('Ad', { ...asSent(record), ...own })('The ad that it was copied from.'),
})

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

export const listAds = list({
  ...ofAccount(record, further),
  description: 'List the ads of an ad account, without archived and deleted ones.',
  path: '/act_{account_id}/ads',
})

export const getAd = get({
  ...ofNode(record, further),
  description: 'Get one ad.',
  path: '/{ad_id}',
  params: { ad_id: nodeId('The ad.'), fields },
})

/** By name, so that a published declaration refers to what it would otherwise have to repeat. */
export type Ads = {
  readonly description: string
  readonly list: typeof listAds
  readonly get: typeof getAd
  readonly searchable: typeof searchable
  readonly sync: ReturnType<typeof deliveryStream>
}

export const ads: Ads = entity({
  description: 'Ads of an ad account.',
  list: listAds,
  get: getAd,
  searchable,
  sync: deliveryStream('ad', { edge: 'ads', record, searchable, limit: 50 }),
})
