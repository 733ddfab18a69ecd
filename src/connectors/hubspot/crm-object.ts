/** The entity of one type of CRM record: its list, its get, and HubSpot's own search ("CRM API", objects). */
import type { TSchema, TString } from 'typebox'
import {
  arrayOf,
  closedObjectOf,
  get,
  list,
  oneOf,
  optional,
  type Params,
  type Reader,
  type ReshapeContext,
  rule,
  text,
} from '../../kit/connector.ts'
import { addProperties, chooseParts, chooseProperties } from './chosen-properties.ts'
import { chosenParts, crmRecord, historyNeedsSmallPages, objectType, pages, recordId, searchPages } from './fields.ts'
import { beyondWindow, canContinue, searchWindow } from './search-window.ts'

/** The facts about a type. */
export interface CrmType<I extends string = string, N extends string = string> {
  /** Its name in addresses. */
  readonly type: string
  /** The plural and the singular for people. */
  readonly plural: string
  readonly one: string
  /** The param with the id of a record. */
  readonly idParam: I
  /** The properties that HubSpot returns by default, with a word on each. */
  readonly defaults: Readonly<Record<N, string>>
  /** Any one of them is enough for some types; see HubSpot's page on scopes. */
  readonly scopes: readonly string[]
}

/** The type that a request reads: fixed, or named by the caller. */
export type TypeIn = (params: Params) => string

const records = (typeIn: TypeIn) => ({
  choose: chooseParts('properties', 'associations'),
  prepare: (params: Params, reader: Reader) => chooseProperties(typeIn(params), params, reader),
  reshape: (found: readonly unknown[], context: ReshapeContext) =>
    addProperties(typeIn(context.params), found, context),
})

/** The declaration of a list of records; `path` names the type, perhaps by a param. */
const listing = <const N extends string, const P extends Record<string, TSchema>>(
  { plural, defaults, scopes }: Pick<CrmType<string, N>, 'plural' | 'defaults' | 'scopes'>,
  type: string,
  typeIn: TypeIn,
  more: P,
) =>
  list({
    description: `List the ${plural}, with the properties and associations that you choose.`,
    path: `/crm/v3/objects/${type}`,
    params: { ...more, ...chosenParts },
    rules: [historyNeedsSmallPages],
    ...records(typeIn),
    recordsAt: ['results'],
    record: crmRecord(defaults),
    paging: pages,
    scopes,
  })

const getting = <const N extends string, const P extends Record<string, TSchema>>(
  { one, defaults, scopes }: Pick<CrmType<string, N>, 'one' | 'defaults' | 'scopes'>,
  path: string,
  typeIn: TypeIn,
  params: P,
) =>
  get({
    description: `Get one ${one}; an archived one only with archived: true.`,
    path: `/crm/v3/objects/${path}`,
    params: {
      ...params,
      ...chosenParts,
      idProperty: optional(
        text('The property with unique values that the id is taken for, for example email.', { minLength: 1 }),
      ),
    },
    ...records(typeIn),
    recordsAt: [],
    record: crmRecord(defaults),
    scopes,
  })

const filter = closedObjectOf({
  propertyName: text('The internal name of the property.', { minLength: 1 }),
  operator: oneOf([
    ...(['EQ', 'NEQ', 'LT', 'LTE', 'GT', 'GTE', 'BETWEEN', 'IN', 'NOT_IN'] as const),
    ...(['HAS_PROPERTY', 'NOT_HAS_PROPERTY', 'CONTAINS_TOKEN', 'NOT_CONTAINS_TOKEN'] as const),
  ]),
  value: optional(text('The value as text; times in milliseconds since 1970.')),
  highValue: optional(text('The upper end of BETWEEN.')),
  values: optional(arrayOf(text(), 'The values of IN and NOT_IN, in lower case for texts.')),
})

const atMost = <S extends TSchema>(schema: S, most: number, form: string): S => ({
  ...schema,
  maxItems: most,
  'x-form': form,
})

const searchParams = {
  filterGroups: optional(
    atMost(
      arrayOf(
        closedObjectOf({
          filters: atMost(arrayOf(filter, 'All of them hold for a result.'), 6, 'a list of at most 6 filters'),
        }),
        'Groups of filters, of which one must hold; all records without any.',
      ),
      5,
      'a list of at most 5 groups, each an object with its filters',
    ),
  ),
  sorts: optional(
    atMost(
      arrayOf(
        closedObjectOf({
          propertyName: text('The property to sort by.', { minLength: 1 }),
          direction: optional(oneOf(['ASCENDING', 'DESCENDING'])),
        }),
        'The order, by one property; by default oldest first.',
      ),
      1,
      'a list of one order, because HubSpot sorts by one property',
    ),
  ),
  query: optional(text('Words to find in the searchable properties.', { minLength: 1, maxLength: 3000 })),
  properties: optional(
    arrayOf(
      text(undefined, { minLength: 1 }),
      'The properties to return, by their internal names; ["*"] for all of them.',
    ),
  ),
} as const

interface Filter {
  readonly operator: string
  readonly value?: string
  readonly highValue?: string
  readonly values?: readonly string[]
}

const filtersOf = ({ filterGroups }: Params): Filter[] =>
  Array.isArray(filterGroups) ? (filterGroups as { filters: Filter[] }[]).flatMap(({ filters }) => filters) : []

/** The operands of the operators that take others than `value` alone. */
const operands: Readonly<Record<string, string>> = {
  BETWEEN: 'value highValue',
  IN: 'values',
  NOT_IN: 'values',
  HAS_PROPERTY: '',
  NOT_HAS_PROPERTY: '',
}

const isSound = ({ operator, ...given }: Filter): boolean => {
  const found = (['value', 'highValue', 'values'] as const).filter((name) => given[name] !== undefined)
  return found.join(' ') === (operands[operator] ?? 'value') && given.values?.length !== 0
}

const filtersAreSound = rule(
  'Give at most 18 filters in all, and each what its operator needs: value; for BETWEEN value and highValue; for IN and NOT_IN values, not empty; for HAS_PROPERTY and NOT_HAS_PROPERTY nothing.',
  (params) => {
    const filters = filtersOf(params)
    return filters.length <= 18 && filters.every(isSound) ? null : ['filterGroups']
  },
)

const searching = <const N extends string, const P extends Record<string, TSchema>>(
  { plural, defaults, scopes }: Pick<CrmType<string, N>, 'plural' | 'defaults' | 'scopes'>,
  type: string,
  typeIn: TypeIn,
  more: P,
) => {
  const { prepare, reshape } = records(typeIn)
  const { propertiesWithHistory: _, associations: __, ...record } = crmRecord(defaults)
  return list({
    description: `Search the ${plural} live, by HubSpot itself: its index lags a little, and has no archived records. Beyond the first ${searchWindow} results it goes on in the order of ids, or of times of creation or change.`,
    method: 'POST',
    path: `/crm/v3/objects/${type}/search`,
    params: { ...more, ...searchParams },
    rules: [filtersAreSound, canContinue],
    choose: chooseParts('properties'),
    prepare,
    reshape,
    recordsAt: ['results'],
    record,
    paging: searchPages,
    detour: beyondWindow(
      (params) => `/crm/v3/objects/${encodeURIComponent(typeIn(params))}/search`,
      'createdate' in defaults ? 'createdate' : 'hs_createdate',
    ),
    scopes,
  })
}

/** The operations of a type with its own entity. */
export function crmOperations<const I extends string, const N extends string>(facts: CrmType<I, N>) {
  const { type, idParam, one } = facts
  const idParams = { [idParam]: recordId(`The ${one}.`) } as { readonly [P in I]: TString }
  const typeIn = () => type
  return {
    list: listing(facts, type, typeIn, {}),
    get: getting(facts, `${type}/{${idParam}}`, typeIn, idParams),
  }
}

/** HubSpot's own search for records of such a type. */
export const crmSearch = <const N extends string>(facts: CrmType<string, N>) =>
  searching(facts, facts.type, () => facts.type, {})

const named: TypeIn = ({ objectType: type }) => String(type)

/** The same for records of any type, above all of custom objects. */
export const anyOperations = (() => {
  const facts = {
    plural: 'records of a type',
    one: 'record of a type',
    defaults: {
      hs_createdate: 'When the record was created.',
      hs_lastmodifieddate: 'When it was last changed.',
      hs_object_id: 'Its id.',
    },
    scopes: ['crm.objects.custom.read'],
  } as const
  const params = { objectType: objectType() }
  return {
    list: listing(facts, '{objectType}', named, params),
    get: getting(facts, '{objectType}/{objectId}', named, { ...params, objectId: recordId('The record.') }),
    search: searching(facts, '{objectType}', named, params),
  }
})()
