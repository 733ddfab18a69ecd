/** The definitions of properties, and the groups in which they are shown ("Properties API"). */
import {
  arrayOf,
  boolean,
  entity,
  get,
  integer,
  list,
  nullable,
  objectOf,
  oneOf,
  optional,
  text,
} from '../../kit/connector.ts'
import { archived, objectType, recordId } from './fields.ts'

const may = (description: string) => optional(nullable(text(description)))
const whether = (description: string) => optional(nullable(boolean(description)))

/** The definition of a property, which schemas contain as well. */
export const property = {
  name: text('The internal name, which records use.'),
  label: text(),
  type: text('bool, date, datetime, enumeration, number, phone_number, string, object_coordinates or json.'),
  fieldType: text('How forms and pages show it, for example select.'),
  groupName: text(),
  description: text(),
  options: arrayOf(
    objectOf({
      label: text(),
      value: text('The internal value, which records use.'),
      description: may('What the option means.'),
      displayOrder: optional(nullable(integer('The place among the options.'))),
      hidden: boolean(),
    }),
    'The values of an enumeration; empty for other types.',
  ),
  displayOrder: optional(nullable(integer('The place in its group; -1 behind the others.'))),
  calculated: whether('Whether HubSpot calculates the value.'),
  externalOptions: whether('Whether the options are defined elsewhere, as owners are.'),
  archived: whether('Whether it was archived.'),
  hasUniqueValue: whether('Whether no two records have the same value.'),
  hidden: whether('Whether HubSpot’s pages hide it.'),
  formField: whether('Whether forms may use it.'),
  hubspotDefined: whether('Whether HubSpot defined it.'),
  showCurrencySymbol: whether('Whether the value is shown with the currency of the account.'),
  dataSensitivity: may('non_sensitive, sensitive or highly_sensitive.'),
  referencedObjectType: may('The type that the values refer to, for example OWNER.'),
  calculationFormula: may('The formula of a calculated property.'),
  createdUserId: may('The user who created it.'),
  updatedUserId: may('The user who changed it last.'),
  createdAt: may('When it was created.'),
  updatedAt: may('When it was last changed.'),
  archivedAt: may('When it was archived.'),
  modificationMetadata: optional(
    nullable(
      objectOf(
        {
          archivable: boolean(),
          readOnlyDefinition: boolean(),
          readOnlyValue: boolean(),
          readOnlyOptions: optional(nullable(boolean())),
        },
        'What users may change.',
      ),
    ),
  ),
} as const

const group = {
  name: text('The internal name.'),
  label: text(),
  displayOrder: integer('The place among the groups; -1 behind the others.'),
  archived: boolean(),
} as const

const ofType = { objectType: objectType() }
const locale = optional(text('The language of the labels, for example de.', { minLength: 1, maxLength: 20 }))
const more = {
  archived,
  dataSensitivity: optional(
    oneOf(['non_sensitive', 'sensitive', 'highly_sensitive'], 'Which ones; non_sensitive by default.'),
  ),
  locale,
} as const

/** The read scope of the type, or of its schema; these are those of contacts. */
const scopes = ['crm.schemas.contacts.read', 'crm.objects.contacts.read'] as const

export const properties = entity({
  description: 'The definitions of the properties of a type.',
  list: list({
    description: 'List the properties of a type.',
    path: '/crm/v3/properties/{objectType}',
    params: { ...ofType, ...more },
    recordsAt: ['results'],
    record: property,
    scopes,
  }),
  get: get({
    description: 'Get one property of a type.',
    path: '/crm/v3/properties/{objectType}/{propertyName}',
    params: { ...ofType, propertyName: recordId('The internal name.'), ...more },
    recordsAt: [],
    record: property,
    scopes,
  }),
})

export const propertyGroups = entity({
  description: 'The groups in which the properties of a type are shown.',
  list: list({
    description: 'List the groups of a type’s properties.',
    path: '/crm/v3/properties/{objectType}/groups',
    params: { ...ofType, locale },
    recordsAt: ['results'],
    record: group,
    scopes,
  }),
  get: get({
    description: 'Get one group of a type’s properties.',
    path: '/crm/v3/properties/{objectType}/groups/{groupName}',
    params: { ...ofType, groupName: recordId('The internal name.'), locale },
    recordsAt: [],
    record: group,
    scopes,
  }),
})
