/** Custom fields: the definitions of the company, and values that follow from their record. */
import { gidOf } from './gids.ts'
import { anchor, day } from './organization.ts'
import { userShape } from './shape-parts.ts'
import type { Shape, View } from './shapes.ts'
import { dateOf } from './vocabulary.ts'

interface Definition {
  readonly name: string
  readonly type: 'text' | 'number' | 'enum' | 'multi_enum' | 'date' | 'people' | 'reference'
  readonly options?: readonly (readonly [string, string])[]
}

const definitions: readonly Definition[] = [
  {
    name: 'Priority',
    type: 'enum',
    options: [
      ['High', 'red'],
      ['Medium', 'orange'],
      ['Low', 'aqua'],
    ],
  },
  { name: 'Budget', type: 'number' },
  { name: 'Purchase order', type: 'text' },
  {
    name: 'Channel',
    type: 'multi_enum',
    options: [
      ['Retail', 'green'],
      ['Web', 'blue'],
      ['Wholesale', 'purple'],
    ],
  },
  { name: 'Sample due', type: 'date' },
  { name: 'Approver', type: 'people' },
  { name: 'Related launch', type: 'reference' },
]

/** One field on one record. */
export interface CustomValue {
  readonly index: number
  readonly definition: Definition
  /** Determines the value; the same for the same record. */
  readonly drawn: number
}

/** The fields of a record; a quiet record has them unset. */
export function customValues(seed: number, quiet: boolean): CustomValue[] {
  return definitions.map((definition, index) => ({
    index,
    definition,
    drawn: quiet ? 0 : Math.imul(seed + 11 * (index + 1), 0x9e3779b1) >>> 0,
  }))
}

const isSet = (value: CustomValue) => value.drawn % 3 !== 0

function optionsOf(value: CustomValue): Record<string, unknown>[] | undefined {
  return value.definition.options?.map(([name, color], k) => ({
    gid: gidOf('enumOption', value.index * 10 + k),
    color,
    enabled: true,
    name,
    resource_type: 'enum_option',
  }))
}

function chosen(value: CustomValue): Record<string, unknown> | null {
  const options = optionsOf(value) ?? []
  return isSet(value) ? (options[(value.drawn >>> 5) % options.length] ?? null) : null
}

function many(value: CustomValue): Record<string, unknown>[] {
  return isSet(value) ? (optionsOf(value) ?? []).filter((_, k) => ((value.drawn >>> (4 + k)) & 1) === 1) : []
}

function people(value: CustomValue, view: View): unknown[] {
  const user = isSet(value) ? view.world.find('user', gidOf('user', 6 + (value.drawn % 12))) : undefined
  return user === undefined ? [] : [user]
}

const date = (value: CustomValue) =>
  isSet(value) ? { date: dateOf(anchor + ((value.drawn >>> 6) % 90) * day), date_time: null } : null
const amount = (value: CustomValue) => (isSet(value) ? 100 + (value.drawn % 90_000) / 4 : null)
const order = (value: CustomValue) => (isSet(value) ? `PO-${10_000 + (value.drawn % 90_000)}` : null)

function display(value: CustomValue, view: View): string | null {
  switch (value.definition.type) {
    case 'enum':
      return (chosen(value)?.name as string | undefined) ?? null
    case 'multi_enum': {
      const names = many(value).map((option) => option.name)
      return names.length === 0 ? null : names.join(', ')
    }
    case 'number':
      return amount(value)?.toFixed(2) ?? null
    case 'text':
      return order(value)
    case 'date':
      return date(value) === null ? null : `${date(value)?.date}T00:00:00.000Z`
    case 'people':
      return (people(value, view)[0] as { name: string } | undefined)?.name ?? null
    case 'reference':
      return null
  }
}

/** A key that only one type of field has. */
function only<T>(type: Definition['type'], get: (value: CustomValue, view: View) => T) {
  return { get: (value: CustomValue, view: View) => (value.definition.type === type ? get(value, view) : undefined) }
}

export const customValueShape: Shape<CustomValue> = {
  compact: [
    'name',
    'resource_type',
    'resource_subtype',
    'type',
    'enabled',
    'display_value',
    'is_formula_field',
    'text_value',
    'number_value',
    'precision',
    'format',
    'currency_code',
    'enum_options',
    'enum_value',
    'multi_enum_values',
    'date_value',
    'people_value',
    'reference_value',
  ],
  fields: {
    gid: { get: (value) => gidOf('customField', value.index) },
    name: { get: (value) => value.definition.name },
    resource_type: { get: () => 'custom_field' },
    resource_subtype: { get: (value) => value.definition.type },
    type: { get: (value) => value.definition.type },
    enabled: { get: () => true },
    display_value: { get: display },
    is_formula_field: { get: () => false },
    text_value: only('text', order),
    number_value: only('number', amount),
    precision: only('number', () => 2),
    format: only('number', () => 'currency'),
    currency_code: only('number', () => 'USD'),
    enum_options: { get: optionsOf },
    enum_value: only('enum', chosen),
    multi_enum_values: only('multi_enum', many),
    date_value: only('date', date),
    people_value: { of: () => userShape, ...only('people', people) },
    reference_value: only('reference', () => []),
    description: { optIn: true, get: () => '' },
    created_by: { optIn: true, of: () => userShape, get: (_, { world }) => world.find('user', gidOf('user', 6)) },
    is_value_read_only: { optIn: true, get: () => false },
    privacy_setting: { optIn: true, get: () => 'public_with_guests' },
    default_access_level: { optIn: true, get: () => 'editor' },
  },
}

/** The form of each value in a task get. */
export const customValueInTask = [...customValueShape.compact, 'description', 'created_by', 'is_value_read_only']
/** The form of each definition in a project's settings. */
export const customFieldInSetting = [
  'name',
  'resource_type',
  'resource_subtype',
  'type',
  'enum_options',
  'privacy_setting',
  'default_access_level',
  'is_formula_field',
]
