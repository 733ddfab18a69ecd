/** Custom conversions: events that an advertiser counts by its own rules. */
import {
  arrayOf,
  boolean,
  entity,
  id,
  list,
  nullable,
  number,
  objectOf,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { ofAccount } from './fields.ts'
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
    ...ofAccount(record, {}),
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
