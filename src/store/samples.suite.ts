/** A small catalog with fields of every type, and random records and searches over it. */
import fc from 'fast-check'
import type { Catalog } from '../catalog/catalog.ts'
import type { Searchable } from '../search/query.ts'
import type { ReadRecord } from './copy.ts'

export const searchable = {
  gid: 'string',
  name: 'string',
  notes: 'string',
  created_at: 'string',
  due_on: 'string',
  serial: 'integer',
  sizeInKb: 'number',
  completed: 'boolean',
  '7d_click': 'number',
  assignee: 'object',
  tags: 'array',
  parties: 'array',
} as const satisfies Searchable

export const indexed = ['assignee.gid', 'assignee.deep.name'] as const

/** A catalog of one kind with two entities of these fields. */
export const sampleCatalog = (fields: Searchable = searchable): Catalog => ({
  'sample-kind': {
    kind: 'sample-kind',
    definitionId: '00000000-0000-4000-8000-000000000000',
    title: 'Sample',
    baseUrl: 'https://sample.example',
    authMethods: [],
    replicationConfig: null,
    check: { entity: 'things', action: 'list', params: {} },
    readRefusal: () => null as never,
    entities: {
      things: { description: 'Things.', searchable: fields, indexed },
      others: { description: 'Other things.', searchable: { gid: 'string', name: 'string' } },
    },
  },
})

const long = 'long '.repeat(60)

const words = ['Launch', 'launch', 'plan', 'PLAN', 'ΣΊΣΥΦΟΣ', 'σίσυφος', 'Σίσυφος', 'Привіт', 'світ', 'ŁĄKA', 'łąka']
const oddities = [
  'Straße',
  'STRASSE',
  'İstanbul',
  'ıstanbul',
  'K',
  'ſ',
  '20.04',
  "don't",
  'AND',
  'NEAR(a b)',
  '"',
  '*',
  'x1',
  'हिन्दी',
  'द',
  'न',
  'เสื้อ',
  'เสือ',
  '한',
  '\u1112\u1161\u11ab',
  '\u1112\u1161',
  'é',
  'E\u0301',
  'e',
  'q\u0303',
  '\u0303',
  '\u01f0',
  'J\u030c',
  '\u212b',
]

/** Texts that meet each other often, and some that meet nothing. */
export const someText = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...words, ...oddities), { maxLength: 4 }).map((parts) => parts.join(' ')),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('a', 'ab', 'a\0b', '\0', '', ' ', '100%', 'snake_case', 'snakeXcase', 'c:\\x', 'a\\'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\u{1f600}',
      '\ufffd',
      '\ue000',
      '\uffff',
      'e\u0301',
      '\u0345',
      `${long}a`,
      `${long}b`,
      long,
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
)

/** The same few instants in many forms, and what only looks like one. */
const someTime = fc.constantFrom(
  '2024-03-10T01:30:00-0800',
  '2024-03-10T09:45:00Z',
  '2024-03-10T09:30:00.000+00:00',
  '2024-03-10T10:30:00.000000+01:00',
  '2024-03-10T09:30Z',
  '2024-03-10T09:30:00.5Z',
  '2024-03-10t09:30:00z',
  '2024-03-10T09:30:00',
  '2024-03-10',
  '2024-07-10',
  '2024-02-30T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
)

const someInteger = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(9007199254740991, 9007199254740993n, 9007199254740992n, 7782342274025937895n, 7782342274025937896n),
  fc.constantFrom(9223372036854775807n, -9223372036854775808n, 9223372036854775808n, 10n ** 30n),
)

const someNumber = fc.oneof(
  fc.constantFrom(0, -0, 0.1, 0.30000000000000004, 8.02625, 9.5, 10, 1e21, -1e300),
  someInteger,
)

const someScalar = fc.oneof(someText, someTime, someNumber, fc.boolean(), fc.constant(null))

const someObject = fc.dictionary(
  fc.constantFrom('gid', 'name', 'since', 'a\0', 'deep'),
  fc.oneof(someScalar, fc.dictionary(fc.constantFrom('gid', 'name'), someScalar)),
  {
    maxKeys: 3,
  },
)

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 4 })

const someArray = fc.array(fc.oneof(someScalar, someObject), { maxLength: 3 })

/** What each type of field holds. */
const valuesOf = {
  string: someText,
  integer: someInteger,
  number: someNumber,
  boolean: fc.boolean(),
  object: someObject,
  array: someArray,
}

const fittingValue = (field: keyof typeof searchable): fc.Arbitrary<unknown> =>
  field === 'created_at' || field === 'due_on' ? someTime : valuesOf[searchable[field]]

const fieldNames = Object.keys(searchable) as (keyof typeof searchable)[]

export const someData = fc.record(Object.fromEntries(fieldNames.map((field) => [field, orNull(fittingValue(field))])), {
  requiredKeys: [],
})

/** Records with distinct ids; the ids do not come in the order of their code units. */
export const someRecords: fc.Arbitrary<ReadRecord[]> = fc.uniqueArray(
  fc.record({
    id: fc.oneof(fc.integer({ min: 1, max: 99 }).map(String), fc.constantFrom('\u{1f600}', '\uffff', 'é', 'a b', "'")),
    data: someData,
  }),
  { selector: ({ id }) => id, maxLength: 40 },
)

const named = (...types: string[]) =>
  fc.constantFrom(...fieldNames.filter((field) => types.includes(searchable[field])))
const scalarField = named('string', 'integer', 'number', 'boolean')
const anyField = fc.constantFrom(...fieldNames)
const insideObject = fc.constantFrom('assignee.gid', 'assignee.name', 'assignee.deep.name', 'assignee.deep')
const textField = fc.oneof(named('string', 'object', 'array'), insideObject)
const elementField = fc.constantFrom('gid', 'name', 'deep.name', 'since')

const argument = (field: fc.Arbitrary<string>, value: (field: string) => fc.Arbitrary<unknown>) =>
  field.chain((name) => value(name).map((given) => ({ [name]: given })))

const fitting = (field: string): fc.Arbitrary<unknown> =>
  field in searchable ? fittingValue(field as keyof typeof searchable) : fc.oneof(someScalar, someObject)

const ordered = (field: string): fc.Arbitrary<unknown> =>
  field in searchable
    ? fittingValue(field as keyof typeof searchable)
    : fc.oneof(someText, someTime, someNumber, fc.boolean())

const somePattern = fc.oneof(
  someText,
  fc
    .array(
      fc.oneof(
        fc.constantFrom('%', '_', '\\', '\\%', '\\_', '%%'),
        someText,
        fc.constantFrom('aun', 'pl', 'ς', 'long', 'e', '\u0301', '\u093f', 'สื', '\u11ab'),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
)

const leaf = (inside: boolean): fc.Arbitrary<object> => {
  const equal = inside ? elementField : fc.oneof(anyField, insideObject)
  const order = inside ? elementField : fc.oneof(scalarField, insideObject)
  const text = inside ? elementField : textField
  const list = inside ? fc.constant('deep') : fc.oneof(named('array'), fc.constant('assignee.deep'))
  return fc.oneof(
    argument(equal, (field) => orNull(fitting(field))).chain((given) => fc.constantFrom({ eq: given }, { neq: given })),
    argument(order, ordered).chain((given) =>
      fc.constantFrom<object>({ gt: given }, { gte: given }, { lt: given }, { lte: given }),
    ),
    order.chain((field) =>
      fc
        .tuple(ordered(field), ordered(field))
        .chain(([low, high]) =>
          fc.constantFrom<object>(
            { gte: { [field]: low }, lt: { [field]: high } },
            { and: [{ gt: { [field]: low } }, { and: [{ lte: { [field]: high } }] }] },
          ),
        ),
    ),
    argument(equal, (field) => fc.array(orNull(fitting(field)), { maxLength: 4 })).map((given) => ({ in: given })),
    argument(text, () => somePattern).map((given) => ({ like: given })),
    argument(text, () => someText).chain((given) =>
      fc.constantFrom<object>({ fuzzy: given }, { keyword: given }, { startswith: given }, { endswith: given }),
    ),
    argument(list, () => fc.oneof(someScalar, someObject)).chain((given) =>
      fc.constantFrom<object>({ contains: given }, { array_contains: given }),
    ),
    argument(inside ? elementField : fc.oneof(named('string', 'array'), insideObject), () => someText).map((given) => ({
      contains: given,
    })),
  )
}

const filterOver = (inside: boolean): fc.Arbitrary<object> =>
  fc.letrec<{ condition: object }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'filter' },
      leaf(inside),
      tie('condition').map((of) => ({ not: of })),
      fc.array(tie('condition'), { maxLength: 3 }).chain((of) => fc.constantFrom<object>({ and: of }, { or: of })),
      ...(inside ? [] : [argument(named('array'), () => filterOver(true)).map((given) => ({ any: given }))]),
    ),
  })).condition

const someSort = fc
  .uniqueArray(fc.oneof({ weight: 3, arbitrary: scalarField }, { weight: 1, arbitrary: insideObject }), {
    maxLength: 3,
  })
  .chain((fields) => fc.tuple(...fields.map((field) => fc.constantFrom({ [field]: 'asc' }, { [field]: 'desc' }))))

/** Params of a search as a caller sends them. */
export const someSearch = fc.record({
  query: fc.record({ filter: filterOver(false), sort: someSort }, { requiredKeys: [] }),
  limit: fc.constantFrom(1, 2, 3, 7, 100),
})
