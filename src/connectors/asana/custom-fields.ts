/**
 * Custom fields: their values and definitions (Asana reference, CustomFieldCompact, CustomFieldResponse and
 * CustomFieldSettingResponse).
 */
import {
  arrayOf,
  boolean,
  integer,
  nullable,
  number,
  objectOf,
  partialOf,
  text,
  withOptional,
} from '../../kit/connector.ts'
import { named } from './references.ts'

const enumOption = objectOf(
  withOptional(
    { gid: text() },
    {
      name: text(),
      resource_type: text(),
      enabled: boolean('Whether it can be chosen.'),
      color: text('The name of a color, or none.'),
    },
  ),
)

const dateValue = partialOf(
  { date: text('YYYY-MM-DD.'), date_time: nullable(text('ISO 8601; null if no time of day was chosen.')) },
  'The value of a date field.',
)

const compact = {
  name: text(),
  resource_type: text(),
  type: text('The older name of resource_subtype.'),
  representation_type: text('As resource_subtype, and also formula or custom_id.'),
  enabled: boolean('Whether the field is shown on this record.'),
  display_value: nullable(text('The value of a field of any type, as text.')),
  text_value: nullable(text('The value of a text field.')),
  number_value: nullable(number('The value of a number field.')),
  date_value: nullable(dateValue),
  enum_value: nullable(enumOption),
  multi_enum_values: arrayOf(enumOption, 'The chosen options of a multi_enum field.'),
  enum_options: arrayOf(enumOption, 'All options of an enum or multi_enum field.'),
  id_prefix: nullable(text('The prefix of a field that numbers records.')),
  input_restrictions: arrayOf(text(), 'The types of records that a reference field takes.'),
  is_formula_field: boolean(),
} as const

const definition = { gid: text('The gid of the definition.') } as const

/** A value of a project or a user. */
export const customFieldValue = objectOf(withOptional(definition, compact))

/** A value of a task, and a definition in the settings of a project or a team. */
export const customField = objectOf(
  withOptional(definition, {
    ...compact,
    resource_subtype: text('text, enum, multi_enum, number, date, people or reference.'),
    people_value: arrayOf(named(), 'The value of a people field.'),
    reference_value: arrayOf(named(), 'The value of a reference field.'),
    html_text_value: nullable(text('The value of a text field, as HTML.')),
    description: text(),
    created_by: nullable(named('The user who created the field.')),
    precision: integer('Decimal places of a number field, 0 to 6.'),
    format: text('currency, identifier, percentage, custom, duration or none.'),
    currency_code: nullable(text('ISO 4217; null unless the format is currency.')),
    custom_label: nullable(text('The text beside the value; null unless the format is custom.')),
    custom_label_position: nullable(text('prefix or suffix; null unless the format is custom.')),
    privacy_setting: text('public_with_guests, public or private.'),
    default_access_level: text('admin, editor or user.'),
    is_value_read_only: boolean(),
    is_global_to_workspace: boolean('Whether every container of the workspace can use the field.'),
    has_notifications_enabled: boolean('Whether followers of a task are told of changes.'),
    asana_created_field: nullable(text('The template of the field, for example priority.')),
  }),
)

export const customFieldSettings = arrayOf(
  objectOf(
    withOptional(
      { gid: text() },
      {
        resource_type: text(),
        custom_field: customField,
        is_important: boolean('Whether lists show the field.'),
        project: named(),
        parent: named('The project or team that uses the field.'),
      },
    ),
  ),
  'The definitions of custom fields, without values.',
)
