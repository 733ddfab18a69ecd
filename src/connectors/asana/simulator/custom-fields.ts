/** Custom fields: the definitions of the company, and values that follow from their record. */
import { pick } from '../../../kit/simulator.ts'
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

/** What each type adds to a field that is set. */
const values: Readonly<Record<string, (drawn: number, options: readonly Row[]) => Row>> = {
  enum(drawn, options) {
    const chosen = pick(options, drawn >>> 5)
    return { enum_value: chosen, display_value: chosen.name }
  },
  multi_enum(drawn, options) {
    const chosen = options.filter((_, nth) => ((drawn >>> (4 + nth)) & 1) === 1)
    return { multi_enum_values: chosen, display_value: chosen.map(({ name }) => name).join(', ') || null }
  },
  number(drawn) {
    const amount = 100 + (drawn % 90_000) / 4
    return { number_value: amount, display_value: amount.toFixed(2) }
  },
  text(drawn) {
    const order = `PO-${10_000 + (drawn % 90_000)}`
    return { text_value: order, display_value: order }
  },
  date(drawn) {
    const date = dateOf(anchor + ((drawn >>> 6) % 90) * day)
    return { date_value: { date, date_time: null }, display_value: `${date}T00:00:00.000Z` }
  },
  people: (drawn) => ({ people_value: [user(6 + (drawn % 12))], display_value: null }),
  reference: () => ({ reference_value: [], display_value: null }),
}

/** The same fields without a value. */
const unset = (set: Row): Row =>
  Object.fromEntries(Object.entries(set).map(([field, value]) => [field, Array.isArray(value) ? [] : null]))

/** The custom fields of one record. */
export const customFields = (seed: number): Row[] =>
  definitions.map(({ name, type, ...more }, index) => {
    const drawn = Math.imul(seed + 11 * (index + 1), 0x9e3779b1) >>> 0
    const options = ('options' in more ? more.options : []).map((option, nth) => ({
      ...{ gid: gidOf('enumOption', index * 10 + nth), name: option, resource_type: 'enum_option' },
      ...{ color: ['red', 'orange', 'aqua'][nth], enabled: true },
    }))
    const set = values[type]!(drawn, options)
    return {
      ...{ gid: gidOf('customField', index), name, resource_type: 'custom_field', resource_subtype: type, type },
      ...{ enabled: true, is_formula_field: false, description: '', created_by: user(6), is_value_read_only: false },
      ...{ privacy_setting: 'public_with_guests', default_access_level: 'editor' },
      ...(options.length > 0 && { enum_options: options }),
      ...(type === 'number' && { precision: 2, format: 'currency', currency_code: 'USD' }),
      ...(drawn % 3 === 0 ? unset(set) : set),
    }
  })
