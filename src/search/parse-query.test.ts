import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ConexError, type Issue } from '../errors.ts'
import { testOf } from './evaluate.ts'
import { parseQuery } from './parse-query.ts'
import type { Searchable } from './query.ts'

const searchable: Searchable = {
  name: 'string',
  num_likes: 'integer',
  size: 'number',
  completed: 'boolean',
  assignee: 'object',
  tags: 'array',
}

const parse = (params: object) => parseQuery(searchable, { query: {}, ...params })
const filter = (given: unknown) => parse({ query: { filter: given } }).filter

/** The faults of params that have to be refused. */
function faults(params: object): readonly Issue[] {
  try {
    parse(params)
  } catch (error) {
    assert.ok(error instanceof ConexError)
    assert.equal(error.code, 'invalid_query')
    assert.ok(error.issues !== undefined && error.issues.length > 0)
    for (const { path } of error.issues) assert.ok(path.length < 400)
    return error.issues
  }
  return assert.fail(`was taken: ${JSON.stringify(params).slice(0, 200)}`)
}

const fault = (given: unknown): Issue => faults({ query: { filter: given } })[0]!

it('reads several operators and several fields as all of them', () => {
  assert.deepEqual(filter({ eq: { name: 'a', completed: true }, gt: { size: 1 } }), {
    op: 'and',
    of: [
      { op: 'eq', path: ['name'], value: 'a' },
      { op: 'eq', path: ['completed'], value: true },
      { op: 'gt', path: ['size'], value: 1 },
    ],
  })
  assert.deepEqual(filter({}), { op: 'and', of: [] })
  assert.deepEqual(filter({ neq: { 'assignee.name': 'Ann' } }), {
    op: 'not',
    of: { op: 'eq', path: ['assignee', 'name'], value: 'Ann' },
  })
  assert.deepEqual(filter({ keyword: { name: 'Red  red-BLUE' } }), {
    op: 'keyword',
    path: ['name'],
    words: ['red', 'blue'],
  })
})

it('reads beginnings, ends and parts of texts literally', () => {
  const like = (path: string[], pattern: string) => ({ op: 'like', path, pattern })
  assert.deepEqual(filter({ startswith: { name: '50% _a\\' } }), like(['name'], '50\\% \\_a\\\\%'))
  assert.deepEqual(filter({ endswith: { 'assignee.name': 'nn' } }), like(['assignee', 'name'], '%nn'))
  assert.deepEqual(filter({ contains: { name: 'a' } }), like(['name'], '%a%'))
})

it('takes contains as a part of a text or as an element of an array, whichever is there', () => {
  const member = { op: 'contains', path: ['tags'], value: 'a' }
  assert.deepEqual(filter({ contains: { tags: 'a' } }), member)
  assert.deepEqual(filter({ array_contains: { tags: 'a' } }), member)
  const tests = ['Ab', ['a'], ['ab'], [], 7, null].map((name) => {
    const matches = testOf(filter({ contains: { 'assignee.name': 'a' } }))
    return matches({ assignee: { name } })
  })
  assert.deepEqual(tests, [true, true, false, false, false, false])
  assert.equal(fault({ array_contains: { name: 'a' } }).message, 'is not an array, so it has no elements')
  for (const field of ['size', 'completed', 'assignee'])
    assert.equal(fault({ contains: { [field]: 1 } }).message, 'is neither text nor an array, so it contains nothing')
})

it('says what is left out: every record, by score, 1000 of them, all fields', () => {
  assert.deepEqual(parse({}), { filter: { op: 'and', of: [] }, sort: [], fields: null, limit: 1000, cursor: null })
})

it('tells where an unknown name stands and which one may be meant', () => {
  assert.deepEqual(fault({ eq: { nmae: 'x' } }), {
    path: '/params/query/filter/eq/nmae',
    message: 'is not a searchable field; did you mean "name"?',
  })
  assert.match(fault({ equals: { name: 'x' } }).message, /^is not an operator/)
  assert.equal(fault({ gtt: { size: 1 } }).message, 'is not an operator; did you mean "gt"?')
  assert.equal(
    fault({ and: [{}, { not: { eq: { 'assginee.name': 'x' } } }] }).path,
    '/params/query/filter/and/1/not/eq/assginee.name',
  )
  assert.equal(
    faults({ query: { sort: [{ nam: 'asc' }] } })[0]!.message,
    'is not a searchable field; did you mean "name"?',
  )
  assert.deepEqual(faults({ query: { filtre: {} } }), [
    { path: '/params/query/filtre', message: 'is not known here; did you mean "filter"?' },
  ])
  assert.deepEqual(faults({ limti: 5, toString: 1 }), [
    { path: '/params/limti', message: 'is not known here; did you mean "limit"?' },
    { path: '/params/toString', message: 'is not known here; it takes query, limit, cursor, fields' },
  ])
})

it('tells which values of a list do not fit', () => {
  assert.deepEqual(
    faults({ query: { filter: { in: { name: ['a', 1, null, {}] } } } }).map(({ path }) => path),
    ['/params/query/filter/in/name/1', '/params/query/filter/in/name/3'],
  )
  const deep = nested(100_000, 1, (of) => ({ a: of }))
  assert.equal(fault({ in: { assignee: [null, deep] } }).path, '/params/query/filter/in/assignee/1')
})

it('refuses values that are not of the field’s type', () => {
  for (const wrong of [
    { eq: { name: 1 } },
    { eq: { num_likes: '1' } },
    { eq: { num_likes: 1.5 } },
    { gt: { num_likes: null } },
    { eq: { size: '1' } },
    { eq: { completed: 0 } },
    { eq: { assignee: 'Ann' } },
    { eq: { assignee: [] } },
    { eq: { tags: {} } },
    { gt: { assignee: {} } },
    { lt: { tags: [] } },
    { gte: { 'assignee.name': null } },
    { in: { name: 'a' } },
    { in: { name: ['a', 1] } },
    { like: { name: 1 } },
    { like: { num_likes: '1' } },
    { keyword: { completed: 'true' } },
    { contains: { num_likes: 1 } },
    { any: { name: {} } },
    { any: { tags: 'x' } },
    { not: [] },
    { and: {} },
    { or: [1] },
    { eq: 'name' },
    { eq: null },
    { eq: [] },
    null,
    [],
    'name',
  ])
    assert.ok(fault(wrong).path.startsWith('/params/query/filter'), JSON.stringify(wrong))
  for (const right of [
    { eq: { name: null } },
    { in: { size: [1, null, 2n ** 60n] } },
    { eq: { num_likes: 10n ** 30n } },
    { eq: { assignee: { gid: '1' } } },
  ])
    filter(right)
})

it('never takes a name for anything but a name', () => {
  const names = [
    "name' or '1'='1",
    'x") or 1=1--',
    "assignee.na'me; drop table copies".replace('assignee', 'asignee'),
    'name; drop table copies',
    '$.name',
    "name->>'x'",
    '*',
    '',
    'x'.repeat(10_000),
    'na\0me',
    'constructor',
    'toString',
    'name.first',
    'tags.name',
    'assignee.',
    'assignee..name',
  ]
  for (const name of names) {
    assert.ok(fault({ eq: { [name]: 'x' } }).path.startsWith('/params/query/filter/eq/'), name)
    assert.equal(faults({ query: { sort: [{ [name]: 'asc' }] } }).length, 1, name)
    if (name !== 'tags.name') assert.equal(faults({ fields: [name] }).length, 1, name)
  }
  assert.ok(fault({ constructor: { prototype: {} } }).path.endsWith('/constructor'))
  // Inside an object every name is a key, whatever it looks like.
  assert.deepEqual(filter({ eq: { "assignee.na'me": 'x' } }), { op: 'eq', path: ['assignee', "na'me"], value: 'x' })
})

/** A condition inside so many others. */
function nested(levels: number, inner: unknown, wrap: (of: unknown) => unknown = (of) => ({ not: of })): unknown {
  let condition = inner
  for (let level = 0; level < levels; level++) condition = wrap(condition)
  return condition
}

it('takes patterns of any length, and refuses only what would be compared at every place of a text', () => {
  const open = 'a_'.repeat(500)
  for (const pattern of [`%${open}%`, `${open}_`, `${open}_%${open}_`, `%${'a'.repeat(100_000)}%`, `%${open}%${open}%`])
    assert.deepEqual(filter({ like: { name: pattern } }), { op: 'like', path: ['name'], pattern })
  const { path, message } = fault({ like: { name: `%${open}a%` } })
  assert.equal(path, '/params/query/filter/like/name')
  assert.match(message, /more than 1000 characters between two %/)
})

it('goes 16 levels deep and no deeper, whatever is at the bottom', () => {
  const leaf = { eq: { name: 'a' } }
  filter(nested(16, leaf))
  for (const levels of [17, 100_000]) assert.match(fault(nested(levels, leaf)).message, /deeper than 16 levels/)
  assert.equal(fault(nested(17, 'nonsense')).path, `/params/query/filter${'/not'.repeat(17)}`)
  let alternating = 0
  assert.match(
    fault(nested(17, leaf, (of) => (alternating++ % 2 === 0 ? { and: [of] } : { or: [of] }))).message,
    /deeper than 16/,
  )
  assert.match(fault(nested(17, leaf, (of) => ({ any: { tags: of } }))).message, /deeper than 16/)
  assert.equal(faults({ query: { filter: { eq: { assignee: nested(100_000, 1, (of) => ({ a: of })) } } } }).length, 1)
  assert.equal(faults({ fields: [nested(100_000, 'x', (of) => [of])] }).length, 1)
})

it('takes 256 conditions and no more, empty ones counted', () => {
  const many = (count: number, one: (index: number) => object) =>
    Array.from({ length: count }, (_, index) => one(index))
  filter({ or: many(256, (index) => ({ eq: { num_likes: index } })) })
  assert.match(fault({ or: many(257, (index) => ({ eq: { num_likes: index } })) }).message, /256 conditions/)
  assert.match(fault({ and: many(100_000, () => ({})) }).message, /256 conditions/)
  filter({ in: { num_likes: many(50_000, (index) => index as never) } })
})

it('reads sort, fields and limit', () => {
  const { sort, fields, limit } = parse({
    query: { sort: [{ size: 'desc' }, { name: 'asc' }, { 'assignee.a.b': 'asc' }] },
    fields: ['name', 'assignee.name', ['assignee', 'a.b'], ['tags', 'name']],
    limit: 10_000,
  })
  assert.deepEqual(sort, [
    { path: ['size'], descending: true },
    { path: ['name'], descending: false },
    { path: ['assignee', 'a', 'b'], descending: false },
  ])
  assert.deepEqual(fields, [['name'], ['assignee', 'name'], ['assignee', 'a.b'], ['tags', 'name']])
  assert.equal(limit, 10_000)
  for (const wrong of [
    { size: 'down' },
    { size: 'asc', name: 'asc' },
    {},
    'size',
    { assignee: 'asc' },
    { 'assignee.name': 'down' },
    { 'assignee.': 'asc' },
    { tags: 'asc' },
    { 'tags.name': 'asc' },
  ])
    assert.equal(faults({ query: { sort: [wrong] } }).length, 1)
  for (const wrong of [[], [1], {}, null, ['name', 0], 'nothing', ['name', 'first']])
    assert.equal(faults({ fields: [wrong] }).length, 1)
  for (const wrong of [0, 10_001, 1.5, '5', null, -1]) assert.equal(faults({ limit: wrong })[0]!.path, '/params/limit')
  assert.equal(faults({ cursor: '' })[0]!.path, '/params/cursor')
})

it('refuses a field that is sorted by twice where it stands the second time, and sorts without end', () => {
  assert.deepEqual(
    faults({ query: { sort: [{ 'assignee.name': 'asc' }, { size: 'asc' }, { 'assignee.name': 'desc' }] } }),
    [{ path: '/params/query/sort/2/assignee.name', message: 'is already in the sort; name each field once' }],
  )
  const many = Array.from({ length: 100_000 }, (_, index) => ({ [`assignee.a${index}`]: 'asc' }))
  assert.deepEqual(faults({ query: { sort: many } }), [
    { path: '/params/query/sort', message: 'has more than 32 fields' },
  ])
})

it('replaces half surrogates in values as it does in records', () => {
  assert.deepEqual(filter({ eq: { name: 'a\ud800' } }), { op: 'eq', path: ['name'], value: 'a\ufffd' })
  assert.equal(fault({ eq: { 'na\ud800me': 'x' } }).path.isWellFormed(), true)
})
