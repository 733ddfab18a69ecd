/** The schemas of custom objects ("Custom objects API"). */
import {
  arrayOf,
  boolean,
  entity,
  get,
  id,
  identifiedBy,
  integer,
  list,
  nullable,
  objectOf,
  optional,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { archived, objectType } from './fields.ts'
import { property } from './properties.ts'

const may = (description?: string) => optional(nullable(text(description)))

const association = objectOf({
  id: text(),
  name: may('The name of the association.'),
  fromObjectTypeId: text(),
  toObjectTypeId: text(),
  cardinality: may('ONE_TO_ONE or ONE_TO_MANY.'),
  inverseCardinality: may(),
  maxToObjectIds: optional(nullable(integer())),
  maxFromObjectIds: optional(nullable(integer())),
  hasUserEnforcedMaxToObjectIds: optional(nullable(boolean())),
  hasUserEnforcedMaxFromObjectIds: optional(nullable(boolean())),
  createdAt: may(),
  updatedAt: may(),
})

const schema = {
  id: id(),
  name: text('The internal name.'),
  labels: objectOf({ singular: may(), plural: may() }, 'The names for people.'),
  requiredProperties: arrayOf(text(), 'The properties that every record needs.'),
  properties: arrayOf(objectOf(property), 'The definitions of the properties.'),
  associations: arrayOf(association, 'The types with which records can be associated.'),
  objectTypeId: nullable(text('The name of the type in addresses: 2-<number>.')),
  fullyQualifiedName: nullable(text('The same with the account: p<account>_<name>.')),
  primaryDisplayProperty: nullable(text('The property that pages show as the name of a record.')),
  secondaryDisplayProperties: nullable(arrayOf(text(), 'Properties that pages show beside it.')),
  searchableProperties: nullable(arrayOf(text(), 'The properties in which HubSpot’s search looks for words.')),
  description: nullable(text()),
  metaType: optional(nullable(text('PORTAL_SPECIFIC for custom objects.'))),
  allowsSensitiveProperties: optional(nullable(boolean())),
  archived: nullable(boolean()),
  restorable: optional(nullable(boolean())),
  createdByUserId: optional(nullable(integer())),
  updatedByUserId: optional(nullable(integer())),
  createdAt: nullable(text()),
  updatedAt: nullable(text()),
} as const

const scopes = ['crm.schemas.custom.read'] as const

const listSchemas = list({
  description: 'List the custom objects with their properties; standard types are not among them.',
  path: '/crm-object-schemas/v3/schemas',
  params: { archived },
  recordsAt: ['results'],
  record: schema,
  scopes,
})

const getSchema = get({
  description: 'Get the schema of one custom object.',
  path: '/crm-object-schemas/v3/schemas/{objectType}',
  params: { objectType: objectType('The custom object: 2-<number> or p<account>_<name>.') },
  recordsAt: [],
  record: schema,
  scopes,
})

export const schemas = entity({
  description: 'Custom objects: their names, properties and associations.',
  list: listSchemas,
  get: getSchema,
  searchable: searchableFields(schema, [
    'archived',
    'associations',
    'createdAt',
    'description',
    'fullyQualifiedName',
    'id',
    'labels',
    'name',
    'objectTypeId',
    'primaryDisplayProperty',
    'properties',
    'requiredProperties',
    'searchableProperties',
    'secondaryDisplayProperties',
    'updatedAt',
  ]),
  sync: {
    listings: [{ list: listSchemas }],
    identity: identifiedBy('objectTypeId'),
    confirm: { get: getSchema, param: 'objectType', field: 'objectTypeId' },
  },
})
