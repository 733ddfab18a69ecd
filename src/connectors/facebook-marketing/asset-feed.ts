/** The texts, pictures and buttons of creatives, by Meta's specifications (`api_specs` of the SDK, v25.0). */
import { array, arrayOf, boolean, integer, object, partialOf, text } from '../../kit/connector.ts'
import { allNamed, named, parts, shared, texts } from './on-request.ts'
import { geoLocations } from './targeting.ts'

/** Two corners each, in pixels from the top left. */
const corners = arrayOf(array())

export const imageCrops = shared('ImageCrops', {
  '100x100': corners,
  '100x72': corners,
  '191x100': corners,
  '300x400': corners,
  '400x150': corners,
  '400x500': corners,
  '600x360': corners,
  '90x160': corners,
})

const button = {
  type: text('Such as SHOP_NOW.'),
  value: partialOf({
    link: text(),
    link_caption: text(),
    link_format: text(),
    android_url: text(),
    app_destination: text(),
    app_link: text(),
    application: text(),
    event_id: text(),
    ios_url: text(),
    land_on_whatsapp_catalog: integer(),
    land_on_whatsapp_profile: integer(),
    lead_gen_form_id: text(),
    object_store_urls: texts(),
    page: text(),
    product_link: text(),
    whatsapp_number: text(),
  }),
}

export const callToAction = shared('CallToAction', button)

/** Labels tie assets to the rules that choose them. */
const label = named()
const labelled = { adlabels: allNamed() }
const words = parts({ ...labelled, text: text(), url_tags: text() })

const labels = {
  body_label: label,
  caption_label: label,
  description_label: label,
  image_label: label,
  link_url_label: label,
  title_label: label,
  video_label: label,
}

export const assetFeedSpec = partialOf(
  {
    ad_formats: texts('Such as SINGLE_IMAGE.'),
    additional_data: partialOf({
      automated_product_tags: boolean(),
      brand_page_id: text(),
      is_click_to_message: boolean(),
      multi_share_end_card: boolean(),
      page_welcome_message: text(),
      partner_app_welcome_message_flow_id: text(),
    }),
    app_product_page_id: text(),
    asset_customization_rules: parts(
      {
        ...labels,
        call_to_action_label: label,
        call_to_action_type_label: label,
        carousel_label: label,
        customization_spec: partialOf({
          age_max: integer(),
          age_min: integer(),
          audience_network_positions: texts(),
          device_platforms: texts(),
          facebook_positions: texts(),
          geo_locations: geoLocations('Where people are.'),
          instagram_positions: texts(),
          locales: arrayOf(integer()),
          messenger_positions: texts(),
          publisher_platforms: texts(),
          threads_positions: texts(),
        }),
        is_default: boolean(),
        priority: integer(),
      },
      'Which assets are for which people and placements.',
    ),
    audios: arrayOf(object()),
    autotranslate: texts('Languages.'),
    bodies: words,
    call_ads_configuration: object(),
    call_to_action_types: texts(),
    call_to_actions: parts({ ...labelled, ...button }),
    captions: words,
    carousels: parts({
      ...labelled,
      child_attachments: parts({
        ...labels,
        call_to_action_type_label: label,
        phone_data_ids_label: label,
        static_card: boolean(),
      }),
      multi_share_end_card: boolean(),
      multi_share_optimized: boolean(),
    }),
    ctwa_consent_data: arrayOf(object()),
    descriptions: words,
    events: parts({ id: text() }),
    groups: parts(labels, 'Assets that belong together.'),
    images: parts({
      ...labelled,
      hash: text(),
      image_crops: imageCrops('How it is cut, by proportion.'),
      url: text(),
      url_tags: text(),
    }),
    link_urls: parts({
      ...labelled,
      website_url: text(),
      display_url: text(),
      deeplink_url: text(),
      android_url: text(),
      ios_url: text(),
      carousel_see_more_url: text(),
      object_store_urls: texts(),
      url_tags: text(),
    }),
    message_extensions: parts({ type: text() }),
    onsite_destinations: parts({
      auto_optimization: text(),
      details_page_product_id: text(),
      shop_collection_product_set_id: text(),
      source: text(),
      storefront_shop_id: text(),
    }),
    optimization_type: text(),
    promotional_metadata: object(),
    reasons_to_shop: boolean(),
    shops_bundle: boolean(),
    titles: words,
    translations: arrayOf(object()),
    upcoming_events: arrayOf(object()),
    videos: parts({
      ...labelled,
      caption_ids: texts(),
      thumbnail_hash: text(),
      thumbnail_url: text(),
      url_tags: text(),
      video_id: text(),
    }),
  },
  'Texts, pictures and links from which Meta combines ads.',
)
