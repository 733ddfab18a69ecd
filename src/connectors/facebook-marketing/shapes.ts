/** Objects that several advertising records contain, by Meta's specifications (`api_specs` of the SDK, v25.0). */
import { arrayOf, boolean, integer, object, partialOf, text } from '../../kit/connector.ts'
import { named, parts, shared, texts, time } from './on-request.ts'

export const business = shared('Business', {
  id: text(),
  name: text(),
  block_offline_analytics: boolean('Whether analysis of offline events is off.'),
  created_by: object('The person who created it, with id and name.'),
  created_time: time('When it was created.'),
  extended_updated_time: time('When it or its settings changed.'),
  is_hidden: boolean('Whether it is hidden in Meta’s own lists.'),
  link: text('The address of its profile.'),
  payment_account_id: text(),
  primary_page: named('The Page that stands for it.'),
  profile_picture_uri: text('The address of its picture.'),
  timezone_id: integer('Meta’s number of the time zone.'),
  two_factor_type: text('The people who must use a second factor: none, admin_required or all_required.'),
  updated_by: object('The person who changed it last, with id and name.'),
  updated_time: time('When it changed.'),
  user_access_expire_time: time('When the reader’s access ends.'),
  verification_status: text('How far Meta has verified it, such as verified or not_verified.'),
  vertical: text('Its industry.'),
  vertical_id: integer('Meta’s number of the industry.'),
})

export const attributionSpec = parts(
  { event_type: text('Such as CLICK_THROUGH or VIEW_THROUGH.'), window_days: integer('Days after the event.') },
  'After which events, and for how many days, a result counts.',
)

export const deliveryChecks = parts(
  {
    check_name: text(),
    summary: text('The finding in a few words.'),
    description: text('The finding and its remedy.'),
    extra_info: partialOf({ adgroup_ids: texts('Ads.'), campaign_ids: texts('Ad sets.'), countries: texts() }),
  },
  'Checks that failed and keep ads from being shown.',
)

export const adLabelsAsSent = parts(
  { id: text(), name: text(), created_time: time('When it was created.'), updated_time: time('When it changed.') },
  'Its labels.',
)

export const issues = parts(
  {
    level: text('The level at which it arises: CAMPAIGN, AD_SET or AD.'),
    error_code: integer(),
    error_type: text('HARD_ERROR stops delivery, SOFT_ERROR does not.'),
    error_summary: text(),
    error_message: text(),
    mid: text('Meta’s id of the message.'),
  },
  'Problems that keep it from being delivered.',
)

export const recommendations = parts(
  {
    title: text(),
    message: text(),
    code: integer(),
    importance: text('HIGH, MEDIUM or LOW.'),
    confidence: text('HIGH, MEDIUM or LOW.'),
    blame_field: text('The field that the advice is about.'),
    recommendation_data: partialOf({ link: text('An address where the advice can be followed.') }),
    value: text(),
  },
  'Meta’s advice; absent if there is none.',
)

/** What an ad set, or all ad sets of a campaign, advertise. */
export const promotedObject = shared('PromotedObject', {
  application_id: text('An app at Meta.'),
  boosted_product_set_id: text('Products to show more often.'),
  conversion_goal_id: text(),
  custom_conversion_id: text(),
  custom_event_str: text('The name of an event that is none of Meta’s own.'),
  custom_event_type: text('The event to get more of, such as PURCHASE or LEAD.'),
  dataset_split_id: text(),
  dataset_split_ids: texts(),
  event_id: text('An event on Facebook.'),
  full_funnel_objective: text(),
  fundraiser_campaign_id: text(),
  lead_ads_custom_event_str: text(),
  lead_ads_custom_event_type: text(),
  lead_ads_form_event_source_type: text(),
  lead_ads_offsite_conversion_type: text(),
  lead_ads_selected_pixel_id: text(),
  live_video_destination: text(),
  mcme_conversion_id: text(),
  multi_event_product: text(),
  object_store_url: text('The app’s address in a store.'),
  object_store_urls: texts('The app’s addresses in several stores.'),
  offer_id: text(),
  offline_conversion_data_set_id: text(),
  offsite_conversion_event_id: text(),
  omnichannel_object: object('Apps, pixels and shops that count together.'),
  page_id: text('A Page.'),
  passback_application_id: text(),
  passback_pixel_id: text(),
  pixel_aggregation_rule: text('JSON as text.'),
  pixel_id: text('A pixel.'),
  pixel_rule: text('JSON as text.'),
  place_page_set: partialOf(
    {
      id: text(),
      name: text(),
      account_id: text(),
      location_types: texts(),
      pages_count: integer('Pages in it.'),
      parent_page: named('The Page above them.'),
    },
    'Pages of places, such as shops.',
  ),
  place_page_set_id: text(),
  product_catalog_id: text(),
  product_item_id: text(),
  product_set: partialOf(
    {
      id: text(),
      name: text(),
      auto_creation_url: text(),
      filter: text('The condition for products, JSON as text.'),
      latest_metadata: object(),
      live_metadata: object(),
      ordering_info: arrayOf(integer()),
      product_catalog: named(),
      product_count: integer('Products in it.'),
      retailer_id: text('The retailer’s own id.'),
    },
    'Products of a catalog.',
  ),
  product_set_id: text(),
  product_set_optimization: text(),
  retention_days: text('Days, as text.'),
  smart_pse_enabled: boolean(),
  smart_pse_setting: text(),
  value_semantic_type: text(),
  variation: text(),
  whats_app_business_phone_number_id: text(),
  whatsapp_phone_number: text(),
})
