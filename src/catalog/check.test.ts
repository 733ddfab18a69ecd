import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import { checkOf, checkParams } from './check.ts'
import {
  anyOf,
  arrayOf,
  boolean,
  closedObjectOf,
  date,
  dateTime,
  exactly,
  integer,
  number,
  object,
  oneOf,
  optional,
  text,
} from './fields.ts'
import { atLeastOneOf, exactlyOneOf } from './rules.ts'
import { escapePointer } from './unknown-names.ts'

const params = Type.Object(
  {
    gid: text(undefined, { pattern: '^[0-9]{1,64}$' }),
    name: optional(text()),
    limit: optional(integer('', { minimum: 1, maximum: 100 })),
    least: optional(number('', { minimum: 0 })),
    open: optional(boolean()),
    day: optional(date()),
    since: optional(anyOf([exactly('now'), dateTime(), date()])),
    order: optional(oneOf(['up', 'down'])),
    words: optional(arrayOf(text())),
    filter: optional(closedObjectOf({ ids: arrayOf(text()), inner: optional(closedObjectOf({ deep: integer() })) })),
    free: optional(object()),
    'a/b~c': optional(text()),
  },
  { additionalProperties: false },
)

const faults = (given: unknown) => checkParams(params, undefined, given, '/params')
const paths = (given: unknown) => faults(given).map(({ path }) => path)
const sentence = (given: object) => faults({ gid: '1', ...given }).map(({ message }) => message)[0]

describe('params are checked', () => {
  it('and pass when they fit', () => {
    const fitting = { gid: '1', limit: 1e2, since: 'now', filter: { ids: [], inner: { deep: 1 } }, free: { any: 1 } }
    assert.deepEqual(faults(fitting), [])
    assert.deepEqual(faults({ gid: '1', name: undefined }), [])
  })

  it('with the path of each fault, however deep and however many there are', () => {
    const wrong = {
      name: 1,
      limit: 101,
      open: 'true',
      words: ['a', 2, null],
      filter: { ids: 'x', inner: { deep: 1.5, other: 1 }, more: 1 },
      free: [],
      'a/b~c': 1,
      'x/y~z': 1,
    }
    assert.deepEqual(paths(wrong).sort(), [
      '/params/a~1b~0c',
      '/params/filter/ids',
      '/params/filter/inner/deep',
      '/params/filter/inner/other',
      '/params/filter/more',
      '/params/free',
      '/params/gid',
      '/params/limit',
      '/params/name',
      '/params/open',
      '/params/words/1',
      '/params/words/2',
      '/params/x~1y~0z',
    ])
  })

  it('and any number of unknown names is refused', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 60 }), (names) => {
        const unknown = names.filter((name) => !Object.hasOwn(params.properties, name))
        fc.pre(unknown.length > 0)
        const given = Object.fromEntries([['gid', '1'], ...unknown.map((name) => [name, 1])])
        assert.ok(paths(given).length > 0)
        assert.ok(paths(given).length <= 20)
      }),
    )
  })

  it('and many faults of the type are all told beside many unknown names', () => {
    const unknown = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`u${index}`, 1]))
    assert.ok(paths({ gid: '1', limit: 'x', ...unknown }).includes('/params/limit'))
  })

  it('as an object and nothing else', () => {
    for (const given of [null, undefined, [], 'x', 5, true])
      assert.deepEqual(faults(given), [{ path: '/params', message: 'must be an object' }])
  })

  it('and names that mean something to the language are unknown like any other', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])
      assert.deepEqual(paths(JSON.parse(`{"gid":"1",${JSON.stringify(name)}:{"a":1}}`)), [`/params/${name}`])
  })

  it('and a very long name is told in part', () => {
    const [fault] = faults({ gid: '1', ['x'.repeat(100_000)]: 1 })
    assert.ok(fault!.path.length < 100)
    assert.ok(fault!.message.length < 300)
  })

  it('and numbers that are none are refused', () => {
    for (const limit of [Number.NaN, Number.POSITIVE_INFINITY, 100n, '50', 0, -1, 101, 1.5, null, true])
      assert.deepEqual(paths({ gid: '1', limit }), ['/params/limit'])
  })
})

describe('what is said of a fault', () => {
  const said: [object, string][] = [
    [{ gid: 'x' }, 'must be an id: digits, as text'],
    [{ name: {} }, 'must be text'],
    [{ limit: 0 }, 'must be a whole number from 1 to 100'],
    [{ least: -1 }, 'must be a number of at least 0'],
    [{ open: 0 }, 'must be true or false'],
    [{ day: '2024-02-30' }, 'must be a date that exists, as YYYY-MM-DD'],
    [{ order: 'left' }, 'must be one of up, down'],
    [{ words: 'a' }, 'must be a list, each item text'],
    [{ filter: [] }, 'must be an object'],
    [{ filter: {} }, 'is required'],
    [{ nmae: 'x' }, 'is not known here; did you mean "name"?'],
    [{ filter: { ids: [], iner: 1 } }, 'is not known here; did you mean "inner"?'],
    [{ filter: { ids: [], idz: 1 } }, 'is not known here; it takes ids, inner'],
    [
      { since: 'yesterday' },
      'must be "now" or a time that exists, as YYYY-MM-DDTHH:MM:SSZ or with an offset or a date that exists, as YYYY-MM-DD',
    ],
  ]
  for (const [given, words] of said)
    it(`tells what ${JSON.stringify(given)} should be`, () => assert.equal(sentence(given), words))

  it('names a missing param', () => {
    assert.deepEqual(faults({}), [{ path: '/params/gid', message: 'is required' }])
    assert.deepEqual(faults({ gid: undefined }), [{ path: '/params/gid', message: 'is required' }])
  })

  it('lists what is taken when nothing known is near', () => {
    assert.match(sentence({ zzzzzzzz: 1 })!, /^is not known here; it takes gid, name, limit/)
    assert.equal(
      checkOf(Type.Object({}, { additionalProperties: false }), '/params')({ a: 1 })[0]!.message,
      'is not known here; it takes none',
    )
  })

  it('starts at the place that the check was asked for', () => {
    const schema = closedObjectOf({ a: text() })
    assert.equal(checkOf(schema, '/one')({})[0]!.path, '/one/a')
    assert.equal(checkOf(schema, '/two')({})[0]!.path, '/two/a')
  })
})

describe('dates and times have to exist', () => {
  const day = (value: string) => paths({ gid: '1', day: value }).length === 0
  const since = (value: string) => paths({ gid: '1', since: value }).length === 0

  it('so that no day is moved to another', () => {
    for (const real of ['2024-02-29', '2000-02-29', '2023-12-31']) assert.ok(day(real), real)
    for (const none of [
      '2024-02-30',
      '2023-02-29',
      '1900-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-1-1',
      '2024-04-31',
      '',
    ])
      assert.ok(!day(none), none)
  })

  it('and times carry Z or an offset', () => {
    for (const real of ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00+01:00', '2024-01-01T00:00:00.123456Z', 'now'])
      assert.ok(since(real), real)
    for (const none of [
      '2024-02-30T00:00:00Z',
      '2024-01-01T24:00:00Z',
      '2024-01-01T00:61:00Z',
      '2024-01-01T00:00:00',
      '2024-01-01T00:00Z',
      '2024-01-01T00:00:00+24:00',
      '2024-01-01T00:00:00Z\n',
      'Now',
    ])
      assert.ok(!since(none), none)
  })
})

describe('rules are looked at when the schema is kept', () => {
  const schema = Type.Object(
    { a: optional(text()), 'b/c': optional(text()), d: optional(text()) },
    { additionalProperties: false },
  )
  const scope = exactlyOneOf([['a'], ['b/c', 'd']], 'Give a, or b/c with d.')
  const any = atLeastOneOf(['a', 'd'], 'Give a or d.')

  it('and blame the params at fault, or the params as a whole', () => {
    const check = (given: object) => checkParams(schema, [scope], given, '/params')
    assert.deepEqual(check({ a: '1' }), [])
    assert.deepEqual(check({ 'b/c': '1', d: '2' }), [])
    assert.deepEqual(check({}), [{ path: '/params', message: scope.sentence }])
    assert.deepEqual(check({ 'b/c': '1' }), [{ path: '/params/b~1c', message: scope.sentence }])
    assert.deepEqual(
      check({ a: '1', d: '2' }).map(({ path }) => path),
      ['/params/a', '/params/d'],
    )
    assert.deepEqual(check({ a: undefined, d: undefined }), [{ path: '/params', message: scope.sentence }])
    assert.deepEqual(checkParams(schema, [any], { 'b/c': '1' }, '/params'), [
      { path: '/params', message: any.sentence },
    ])
  })

  it('but not before', () => {
    assert.deepEqual(checkParams(schema, [scope], { a: 1 }, '/params'), [
      { path: '/params/a', message: 'must be text' },
    ])
  })
})

it('a name is escaped as one step of a JSON Pointer', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      const escaped = escapePointer(name)
      assert.ok(!escaped.includes('/'))
      assert.equal(escaped.replaceAll('~1', '/').replaceAll('~0', '~'), name)
    }),
  )
})
