/** The advertising connector against its specification, written down by hand: a wrong catalog fails here. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeConnector, type EntityDescription, findEntity } from '../../kit/connector.ts'
import { facebookMarketing } from './connector.ts'

/** `*` marks a required param. */
const operations: Record<string, Record<string, string>> = {
  current_user: { get: 'fields string' },
  ad_accounts: { list: 'fields string, limit integer, after string' },
  campaigns: {
    list: 'account_id* string, fields string, limit integer, after string',
    get: 'campaign_id* string, fields string',
  },
  ad_sets: {
    list: 'account_id* string, fields string, limit integer, after string',
    get: 'adset_id* string, fields string',
  },
  ads: {
    list: 'account_id* string, fields string, limit integer, after string',
    get: 'ad_id* string, fields string',
  },
  ad_creatives: { list: 'account_id* string, fields string, limit integer, after string' },
  ads_insights: {
    list: 'account_id* string, fields string, date_preset string, time_range string, level string, limit integer, after string',
  },
  ad_account: { get: 'account_id* string, fields string' },
  custom_conversions: { list: 'account_id* string, fields string, limit integer, after string' },
  images: { list: 'account_id* string, fields string, limit integer, after string' },
  videos: { list: 'account_id* string, fields string, limit integer, after string' },
}

const searched = [
  'ad_accounts',
  'campaigns',
  'ad_sets',
  'ads',
  'ad_creatives',
  'ads_insights',
  'ad_account',
  'custom_conversions',
  'images',
  'videos',
]

const labels = 'array?[created_time string?, id string?, name string?, updated_time string?]'
const actions =
  'array?[1d_click number?, 1d_view number?, 28d_click number?, 28d_view number?, 7d_click number?, 7d_view number?, action_destination string?, action_target_id string?, action_type string?, value number?]'

/** Every record field with its type; items of arrays in brackets, by name. */
const records: Readonly<Record<string, string>> = {
  current_user: 'id string, name string?',
  ad_accounts:
    'id string, account_id string?, name string?, account_status integer?, age number?, amount_spent string?, balance string?, business object?, business_name string?, created_time string?, currency string?, disable_reason integer?, spend_cap string?, timezone_id integer?, timezone_name string?',
  ad_account:
    'id string, account_id string?, name string?, account_status integer?, age number?, amount_spent string?, balance string?, business object?, business_city string?, business_country_code string?, business_name string?, business_state string?, business_street string?, business_street2 string?, business_zip string?, created_time string?, currency string?, disable_reason integer?, end_advertiser string?, end_advertiser_name string?, funding_source string?, funding_source_details object?, has_migrated_permissions boolean?, is_personal integer?, is_prepay_account boolean?, is_tax_id_required boolean?, min_campaign_group_spend_cap string?, min_daily_budget integer?, owner string?, spend_cap string?, timezone_id integer?, timezone_name string?, timezone_offset_hours_utc number?',
  campaigns: `id string, name string?, account_id string?, adlabels ${labels}, bid_strategy string?, boosted_object_id string?, budget_rebalance_flag boolean?, budget_remaining number?, buying_type string?, daily_budget number?, created_time string?, configured_status string?, effective_status string?, issues_info array?[error_code string?, error_message string?, error_summary string?, error_type string?, level string?], lifetime_budget number?, objective string?, smart_promotion_type string?, source_campaign_id string?, special_ad_category string?, special_ad_category_country array?, spend_cap number?, start_time string?, status string?, stop_time string?, updated_time string?`,
  ad_sets: `id string, name string?, account_id string?, adlabels ${labels}, bid_amount number?, bid_info object?, bid_strategy string?, bid_constraints object?, budget_remaining number?, campaign_id string?, created_time string?, daily_budget number?, effective_status string?, end_time string?, learning_stage_info object?, lifetime_budget number?, promoted_object object?, start_time string?, targeting object?, updated_time string?`,
  ads: `id string, name string?, account_id string?, adset_id string?, campaign_id string?, adlabels ${labels}, bid_amount integer?, bid_info object?, bid_type string?, configured_status string?, conversion_specs array?, created_time string?, creative object?, effective_status string?, last_updated_by_app_id string?, recommendations array?[blame_field string?, code integer?, confidence string?, importance string?, message string?, title string?], source_ad_id string?, status string?, tracking_specs array?, updated_time string?`,
  ad_creatives:
    'id string, name string?, account_id string?, actor_id string?, body string?, call_to_action_type string?, effective_object_story_id string?, image_hash string?, image_url string?, link_url string?, object_story_id string?, object_story_spec object?, object_type string?, status string?, thumbnail_url string?, title string?, url_tags string?',
  ads_insights: `account_id string?, account_name string?, campaign_id string?, campaign_name string?, adset_id string?, adset_name string?, ad_id string?, ad_name string?, clicks integer?, impressions integer?, reach integer?, spend number?, cpc number?, cpm number?, ctr number?, date_start string?, date_stop string?, actions ${actions}, action_values ${actions}`,
  custom_conversions:
    'id string, name string?, account_id string?, business string?, creation_time string?, custom_event_type string?, data_sources array?[id string?, name string?, source_type string?], default_conversion_value number?, description string?, event_source_type string?, first_fired_time string?, is_archived boolean?, is_unavailable boolean?, last_fired_time string?, offline_conversion_data_set string?, retention_days number?, rule string?',
  images:
    'id string?, name string?, account_id string?, created_time string?, creatives array?, filename string?, hash string?, height integer?, is_associated_creatives_in_adgroups boolean?, original_height integer?, original_width integer?, permalink_url string?, status string?, updated_time string?, url string?, url_128 string?, width integer?',
  videos:
    'id string, title string?, account_id string?, ad_breaks array?, backdated_time string?, backdated_time_granularity string?, content_category string?, content_tags array?, created_time string?, custom_labels array?, description string?, embed_html string?, embeddable boolean?, format array?[embed_html string?, filter string?, height integer?, picture string?, width integer?], icon string?, is_crosspost_video boolean?, is_crossposting_eligible boolean?, is_episode boolean?, is_partner_eligible boolean?, length number?, live_status string?, permalink_url string?, post_views integer?, premiere_living_room_status boolean?, published boolean?, scheduled_publish_time string?, source string?, universal_video_id string?, updated_time string?, views integer?',
}

const account = {
  string: 'id account_id name balance currency amount_spent business_name created_time spend_cap timezone_name',
  integer: 'account_status',
}

/** Searchable fields by type. */
const searchable: Record<string, Record<string, string>> = {
  ad_accounts: account,
  ad_account: account,
  campaigns: {
    string: 'id name account_id status effective_status objective created_time start_time stop_time updated_time',
    number: 'daily_budget lifetime_budget budget_remaining',
  },
  ad_sets: {
    string:
      'id name account_id campaign_id effective_status bid_strategy created_time start_time end_time updated_time',
    number: 'daily_budget lifetime_budget budget_remaining bid_amount',
  },
  ads: { string: 'id name account_id adset_id campaign_id status effective_status created_time updated_time' },
  ad_creatives: {
    string: 'id name account_id body title status image_url thumbnail_url link_url call_to_action_type',
  },
  ads_insights: {
    string: 'account_id account_name campaign_id campaign_name adset_id adset_name ad_id ad_name date_start date_stop',
    integer: 'clicks impressions reach',
    number: 'spend cpc cpm ctr',
    array: 'actions action_values',
  },
  custom_conversions: {
    string: 'id name account_id description custom_event_type creation_time first_fired_time last_fired_time',
    boolean: 'is_archived',
  },
  images: {
    string: 'id name account_id hash url permalink_url status created_time updated_time',
    integer: 'width height',
  },
  videos: {
    string: 'id title account_id description source permalink_url created_time updated_time',
    number: 'length',
    integer: 'views',
  },
}

const datePresets =
  'today yesterday this_month last_month this_quarter maximum last_3d last_7d last_14d last_28d last_30d last_90d last_week_mon_sun last_week_sun_sat last_quarter last_year this_week_mon_today this_week_sun_today this_year'

interface Schema {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

function typeOf(schema: Schema): string {
  if (schema.anyOf === undefined) return schema.type ?? 'anything'
  assert.deepEqual(
    schema.anyOf.map(({ type }) => type === 'null'),
    [false, true],
  )
  const [inner] = schema.anyOf
  const items = Object.entries(inner!.items?.properties ?? {}).map(([name, item]) => `${name} ${typeOf(item)}`)
  return `${typeOf(inner!)}?${items.length === 0 ? '' : `[${items.sort().join(', ')}]`}`
}

/** The fields of every record; those that Meta documents besides are optional. */
const fieldsOf = ({ properties, required }: Schema): string[] =>
  required!.map((field) => `${field} ${typeOf(properties![field]!)}`)

/** The fields of a list like those above; the commas in brackets belong to the items. */
const listed = (fields: string): string[] => fields.split(/, (?![^[]*\])/)

function paramsOf(schema: Schema): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, param]) => `${name}${schema.required?.includes(name) ? '*' : ''} ${typeOf(param)}`)
    .join(', ')
}

describe('the advertising connector declares what the specification says', () => {
  const described = describeConnector(facebookMarketing)
  const entities = new Map(described.entities.map((entity) => [entity.name, entity]))
  const entityOf = (name: string): EntityDescription => entities.get(name)!
  const actionOf = (name: string, action: string) => entityOf(name).actions.find((found) => found.name === action)!

  it('is known by its name and its definition id', () => {
    assert.equal(described.connector_type, 'facebook-marketing')
    assert.equal(described.definition_id, 'e7778cfc-e97c-4458-9ecb-b4f2bba8946c')
    assert.equal(described.replication_config, null)
  })

  it('takes an access token, with or without its application, or an account key', () => {
    const methods = described.auth_methods.map(({ credentials }) => paramsOf(credentials as Schema))
    assert.deepEqual(methods, ['access_token* string, client_id string, client_secret string', 'account_key* string'])
  })

  it('has these entities and no others', () => {
    assert.deepEqual([...entities.keys()].sort(), Object.keys(operations).sort())
  })

  for (const [name, actions] of Object.entries(operations)) {
    it(`${name} has these actions with these params`, () => {
      const found = entityOf(name).actions.filter((action) => action.name !== 'search')
      const params = Object.fromEntries(found.map((action) => [action.name, paramsOf(action.params as Schema)]))
      assert.deepEqual(params, actions)
    })

    it(`${name} gives these fields of these types`, () => {
      for (const action of Object.keys(actions) as ('get' | 'list')[]) {
        const { record, select } = findEntity(facebookMarketing, name)[action]!
        assert.deepEqual(fieldsOf(record as Schema).sort(), listed(records[name]!).sort())
        // Without a selection by the caller, these fields are requested and no others.
        assert.deepEqual(select!.default, record.required)
      }
    })
  }

  it('has search for these entities and no others', () => {
    const found = described.entities.filter(({ actions }) => actions.some((action) => action.name === 'search'))
    assert.deepEqual(found.map((entity) => entity.name).sort(), [...searched].sort())
  })

  for (const [name, types] of Object.entries(searchable)) {
    it(`${name} is searched by these fields`, () => {
      const wanted = Object.entries(types).flatMap(([type, fields]) => fields.split(' ').map((field) => [field, type]))
      assert.deepEqual(entityOf(name).searchable_fields, Object.fromEntries(wanted))
    })
  }

  it('insights take these presets and levels', () => {
    const { properties } = actionOf('ads_insights', 'list').params as Schema
    assert.deepEqual([...properties!.date_preset!.enum!].sort(), datePresets.split(' ').sort())
    assert.deepEqual(properties!.level!.enum, ['ad', 'adset', 'campaign', 'account'])
  })

  it('checks credentials with the cheapest call there is', () => {
    assert.deepEqual(facebookMarketing.check, { entity: 'current_user', action: 'get', params: {} })
  })
})
