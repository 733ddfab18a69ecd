/** Custom fields: the definitions of the company, and values that follow from their record. */
import { user } from './company.ts'
import { gidOf } from './gids.ts'
import { anchor, dateOf, day, type Row } from './records.ts'

const definitions = [
  { name: 'Priority', type: 'enum', options: ['High', 'Medium', 'Low'] },
  { name: 'Budget', type: 'number' },
  { name: 'Purchase order', type: 'text' },
  { name: 'Channel', type: 'multi_enum', options: ['Retail', 'Web', 'Wholesale'] },
  { name: 'Sample due', type: 'date' },
  { name: 'Approver', type: 'people' },
  { name: 'Related launch', type: 'reference' },
] as const

type Options = readonly Row[]

/** What each type adds to a field; a field that is not set has no value. */
const values: Readonly<
  Record<(typeof definitions)[number]['type'], (drawn: number, isSet: boolean, options: Options) => Row>
> = {
  enum(drawn, isSet, options) {
    const chosen = isSet ? options[(drawn >>> 5) % options.length] : null
    return { enum_options: options, enum_value: chosen, display_value: chosen?.name ?? null }
  },
  multi_enum(drawn, isSet, options) {
    const chosen = isSet ? options.filter((_, nth) => ((drawn >>> (4 + nth)) & 1) === 1) : []
    const names = chosen.map(({ name }) => name).join(', ')
    return { enum_options: options, multi_enum_values: chosen, display_value: names === '' ? null : names }
  },
  number(drawn, isSet) {
    const amount = isSet ? 100 + (drawn % 90_000) / 4 : null
    const form = { precision: 2, format: 'currency', currency_code: 'USD' }
    return { ...form, number_value: amount, display_value: amount?.toFixed(2) ?? null }
  },
  text(drawn, isSet) {
    const order = isSet ? `PO-${10_000 + (drawn % 90_000)}` : null
    return { text_value: order, display_value: order }
  },
  date(drawn, isSet) {
    const date = dateOf(anchor + ((drawn >>> 6) % 90) * day)
    if (!isSet) return { date_value: null, display_value: null }
    return { date_value: { date, date_time: null }, display_value: `${date}T00:00:00.000Z` }
  },
  people: (drawn, isSet) => ({ people_value: isSet ? [user(6 + (drawn % 12))] : [], display_value: null }),
  reference: () => ({ reference_value: [], display_value: null }),
}

/** The custom fields of one record; a quiet record has them unset. */
export const customFields = (seed: number, quiet = false): Row[] =>
  definitions.map(({ name, type, ...more }, index) => {
    const drawn = quiet ? 0 : Math.imul(seed + 11 * (index + 1), 0x9e3779b1) >>> 0
    const options = ('options' in more ? more.options : []).map((option, nth) => ({
      ...{ gid: gidOf('enumOption', index * 10 + nth), name: option, resource_type: 'enum_option' },
      ...{ color: ['red', 'orange', 'aqua'][nth], enabled: true },
    }))
    return {
      ...{ gid: gidOf('customField', index), name, resource_type: 'custom_field', resource_subtype: type, type },
      ...{ enabled: true, is_formula_field: false, description: '', created_by: user(6), is_value_read_only: false },
      ...{ privacy_setting: 'public_with_guests', default_access_level: 'editor' },
      ...values[type](drawn, drawn % 3 !== 0, options),
    }
  })
