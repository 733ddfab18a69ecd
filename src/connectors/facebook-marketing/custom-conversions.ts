/** Custom conversions: events that an advertiser counts by its own rules. */
import {
  arrayOf,
  boolean,
  entity,
  id,
  integer,
  list,
  nullable,
  number,
  objectOf,
  partialOf,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { ofAccount } from './fields.ts'
import { named, onRequest, texts, time } from './on-request.ts'
import { business } from './shapes.ts'
import { libraryStream } from './streams.ts'

const record = {
  id: id(),
  name: nullable(text()),
  account_id: nullable(text()),
  business: nullable(text('The id of the business.')),
  creation_time: nullable(text()),
  custom_event_type: nullable(text()),
  data_sources: nullable(
    arrayOf(objectOf({ id: nullable(text()), source_type: nullable(text()), name: nullable(text()) })),
  ),
  default_conversion_value: nullable(number()),
  description: nullable(text()),
  event_source_type: nullable(text()),
  first_fired_time: nullable(text()),
  is_archived: nullable(boolean()),
  is_unavailable: nullable(boolean()),
  last_fired_time: nullable(text()),
  offline_conversion_data_set: nullable(text('The id of the data set.')),
  retention_days: nullable(number()),
  rule: nullable(text('JSON as text.')),
} as const

const further = onRequest({
  aggregation_rule: text('How several events become one, JSON as text.'),
  pixel: partialOf(
    {
      id: text(),
      name: text(),
      automatic_matching_fields: texts('Data that it collects to recognize people.'),
      can_proxy: boolean(),
      code: text('The script for websites.'),
      config: text(),
      creation_time: time('When it was created.'),
      creator: named(),
      data_use_setting: text(),
      description: text(),
      duplicate_entries: integer(),
      enable_auto_assign_to_accounts: boolean(),
      enable_automatic_matching: boolean(),
      event_stats: text(),
      event_time_max: integer('Seconds since 1970.'),
      event_time_min: integer('Seconds since 1970.'),
      first_party_cookie_status: text(),
      has_1p_pixel_event: boolean(),
      is_consolidated_container: boolean(),
      is_created_by_business: boolean(),
      is_crm: boolean(),
      is_mta_use: boolean(),
      is_restricted_use: boolean(),
      is_unavailable: boolean(),
      last_fired_time: time('When it last sent an event.'),
      last_upload_app: text(),
      last_upload_app_changed_time: integer('Seconds since 1970.'),
      match_rate_approx: integer('Percent.'),
      matched_entries: integer(),
      owner_ad_account: partialOf({ id: text(), account_id: text(), name: text() }),
      owner_business: business('The business that owns it.'),
      usage: partialOf({ num_lift_studies: integer() }),
      user_access_expire_time: time('When the reader’s access ends.'),
      valid_entries: integer(),
    },
    'The pixel that sends the events.',
  ),
})

const searchable = searchableFields(record, [
  'id',
  'name',
  'account_id',
  'description',
  'custom_event_type',
  'creation_time',
  'first_fired_time',
  'last_fired_time',
  'is_archived',
])

export const customConversions = entity({
  description: 'Custom conversions of an ad account.',
  list: list({
    ...ofAccount(record, further),
    description: 'List the custom conversions of an ad account, including archived ones.',
    path: '/act_{account_id}/customconversions',
    reshape: (conversions) => conversions.map(withIdsForObjects),
  }),
  searchable,
  sync: libraryStream({ edge: 'customconversions', record, searchable, node: true }),
})

/** Graph sends these two as objects with id and name (reference of Custom Conversion); records contain only the id. */
function withIdsForObjects(conversion: unknown): unknown {
  if (typeof conversion !== 'object' || conversion === null) return conversion
  const { business, offline_conversion_data_set: dataSet } = conversion as Record<string, unknown>
  return {
    ...conversion,
    ...(business === undefined ? {} : { business: idOf(business) }),
    ...(dataSet === undefined ? {} : { offline_conversion_data_set: idOf(dataSet) }),
  }
}

const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value
