/** Whom ads are shown to, and where, by Meta's specifications (`api_specs` of the SDK, v25.0). */
import { arrayOf, boolean, integer, number, object, partialOf, text } from '../../kit/connector.ts'
import { allNamed, parts, shared, texts } from './on-request.ts'

const keyed = { key: text('Meta’s key of the place.'), name: text(), country: text('Two letters.') }
const area = parts({ ...keyed, region: text(), region_id: text() })
const around = {
  radius: number('In the unit of distance.'),
  distance_unit: text('mile or kilometer.'),
  latitude: number(),
  longitude: number(),
  primary_city_id: integer(),
  region_id: integer(),
}

export const geoLocations = shared('GeoLocations', {
  countries: texts('Two letters each.'),
  country_groups: texts('Such as europe.'),
  location_types: texts('Whether people live there (home), are there (recent) or travel there (travel_in).'),
  regions: parts(keyed),
  cities: parts({
    ...keyed,
    region: text(),
    region_id: text(),
    radius: integer('In the unit of distance.'),
    distance_unit: text('mile or kilometer.'),
  }),
  zips: parts({ ...keyed, primary_city_id: integer(), region_id: integer() }, 'Postal codes.'),
  places: parts({ ...keyed, ...around }),
  custom_locations: parts({
    ...keyed,
    ...around,
    address_string: text(),
    country_group: text(),
    custom_type: text(),
    max_population: integer(),
    min_population: integer(),
  }),
  geo_markets: parts({ ...keyed, market_type: text() }),
  electoral_districts: parts({ ...keyed, electoral_district: text(), deprecation_code: text() }),
  political_districts: parts({ ...keyed, political_district: text() }),
  location_cluster_ids: parts({ key: integer() }),
  large_geo_areas: area,
  medium_geo_areas: area,
  small_geo_areas: area,
  metro_areas: area,
  subcities: area,
  neighborhoods: area,
  subneighborhoods: area,
})

/** Traits of people that can also be combined in `flexible_spec` and `exclusions`. */
const traits = {
  behaviors: allNamed(),
  college_years: arrayOf(integer()),
  education_majors: allNamed(),
  education_schools: allNamed(),
  education_statuses: arrayOf(integer('Meta’s number.')),
  ethnic_affinity: allNamed(),
  family_statuses: allNamed(),
  generation: allNamed(),
  home_ownership: allNamed(),
  home_type: allNamed(),
  home_value: allNamed(),
  household_composition: allNamed(),
  income: allNamed(),
  industries: allNamed(),
  interested_in: arrayOf(integer('Meta’s number.')),
  interests: allNamed(),
  life_events: allNamed(),
  moms: allNamed(),
  net_worth: allNamed(),
  office_type: allNamed(),
  politics: allNamed(),
  relationship_statuses: arrayOf(integer('Meta’s number.')),
  user_adclusters: allNamed('Broad categories.'),
  work_employers: allNamed(),
  work_positions: allNamed(),
}

const connected = { connections: allNamed('People connected to these.'), friends_of_connections: allNamed() }

const audience = shared('Audience', { ...traits, ...connected, custom_audiences: allNamed() })

const visits = parts({ retention_seconds: text(), min_retention_seconds: text(), rule: text('JSON as text.') })

const productAudiences = parts({ product_set_id: text(), inclusions: visits, exclusions: visits })

const engagement = parts({
  'action.type': text(),
  ad_group_id: text(),
  campaign_group_id: text(),
  campaign_id: text(),
  impression_count: text(),
  page_id: text(),
  post: text(),
  retention_seconds: text(),
})

/** Where ads appear. */
const positions = {
  publisher_platforms: texts('Such as facebook and instagram; absent if Meta chooses.'),
  facebook_positions: texts(),
  instagram_positions: texts(),
  messenger_positions: texts(),
  audience_network_positions: texts(),
  threads_positions: texts(),
  whatsapp_positions: texts(),
  device_platforms: texts('mobile and desktop.'),
}

const effectivePositions = {
  effective_publisher_platforms: texts('Those that are left by all other settings.'),
  effective_facebook_positions: texts(),
  effective_instagram_positions: texts(),
  effective_messenger_positions: texts(),
  effective_audience_network_positions: texts(),
  effective_threads_positions: texts(),
  effective_whatsapp_positions: texts(),
  effective_device_platforms: texts(),
}

export const placement = (description: string) =>
  partialOf(
    { ...positions, ...effectivePositions, oculus_positions: texts(), effective_oculus_positions: texts() },
    description,
  )

/** Placements that an advertiser would rather not use, but does not exclude. */
export const unwantedPlacements = partialOf(
  {
    audience_network_positions: texts(),
    facebook_positions: texts(),
    instagram_positions: texts(),
    messenger_positions: texts(),
    oculus_positions: texts(),
    threads_positions: texts(),
    whatsapp_positions: texts(),
  },
  'Placements that get only a small part of the budget, at most 5 percent.',
)

export const targeting = shared('Targeting', {
  ...traits,
  ...connected,
  ...positions,
  ...effectivePositions,
  age_min: integer('Years.'),
  age_max: integer('Years; 65 includes all above.'),
  age_range: arrayOf(integer()),
  genders: arrayOf(integer('1 men, 2 women.')),
  geo_locations: geoLocations('Where people are.'),
  excluded_geo_locations: geoLocations('Where people must not be.'),
  locales: arrayOf(integer('Meta’s number of a language.')),
  custom_audiences: allNamed('People must be in one of them.'),
  excluded_custom_audiences: allNamed('People must be in none of them.'),
  flexible_spec: arrayOf(audience('Traits.'), 'People must fit each entry in one of its traits.'),
  exclusions: audience('Traits that people must not have.'),
  excluded_connections: allNamed(),
  adgroup_id: text(),
  alternate_auto_targeting_option: text(),
  app_install_state: text('Whether the app is installed.'),
  brand_safety_content_filter_levels: texts('Filters for the content that ads appear beside.'),
  catalog_based_targeting: partialOf({ geo_targeting_type: text() }),
  cities: allNamed(),
  contextual_targeting_categories: allNamed(),
  countries: texts(),
  country: texts(),
  country_groups: texts(),
  direct_install_devices: boolean(),
  dynamic_audience_ids: texts(),
  engagement_specs: engagement,
  exclude_reached_since: texts(),
  excluded_brand_safety_content_types: texts(),
  excluded_dynamic_audience_ids: texts(),
  excluded_engagement_specs: engagement,
  excluded_mobile_device_model: texts(),
  excluded_product_audience_specs: productAudiences,
  excluded_publisher_categories: texts(),
  excluded_publisher_list_ids: texts('Block lists.'),
  excluded_user_device: texts(),
  fb_deal_id: text(),
  install_state_application: text(),
  instream_video_skippable_excluded: boolean(),
  is_whatsapp_destination_ad: boolean(),
  keywords: texts(),
  place_page_set_ids: texts(),
  political_views: arrayOf(integer()),
  product_audience_specs: productAudiences,
  prospecting_audience: partialOf({ sources: arrayOf(object()) }),
  radius: text(),
  regions: allNamed(),
  site_category: texts(),
  targeting_automation: partialOf({
    advantage_audience: integer('1 if Meta may go beyond the given audience.'),
    creative_audience_pairing: integer(),
    individual_setting: object(),
    shared_audiences: integer(),
    value_expression: integer(),
  }),
  targeting_optimization: text('expansion_all if Meta may go beyond detailed targeting.'),
  targeting_relaxation_types: partialOf({ custom_audience: integer(), lookalike: integer() }),
  user_age_unknown: boolean(),
  user_device: texts(),
  user_event: arrayOf(integer()),
  user_os: texts('Such as iOS_ver_14.0_and_above.'),
  wireless_carrier: texts(),
  zips: texts(),
})
