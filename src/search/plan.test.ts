import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { candidatesOf } from './candidates.ts'
import { testOf } from './evaluate.ts'
import { parseQuery } from './parse-query.ts'
import { planOf } from './plan.ts'
import type { Columns } from './query.ts'

const searchable = { name: 'string', due_on: 'string', serial: 'integer', assignee: 'object' } as const
const columns: Columns = {
  searchable,
  columns: new Map([
    ['name', { type: 'string' }],
    ['due_on', { type: 'string' }],
    ['serial', { type: 'integer' }],
    ['assignee.gid', { type: 'inner' }],
  ]),
}
const scope = { connectorId: 'one', entity: 'things' }
const planned = (query: object) => planOf(scope, columns, parseQuery(searchable, { query }))

describe('a plan', () => {
  it('has one stage where nothing ranks, or the query has an order of its own', () => {
    for (const query of [
      {},
      { filter: { keyword: { name: 'red' } } },
      { filter: { keyword: { name: 'red blue' } }, sort: [{ serial: 'asc' }] },
    ])
      assert.equal(planned(query).stages.length, 1)
  })

  it('has one stage for each score, best first, and every hit in the one of its score', () => {
    const { stages } = planned({ filter: { keyword: { name: 'red blue green' } } })
    assert.deepEqual(
      stages.map(({ score }) => score),
      [3, 2, 1],
    )
    const tests = stages.map(({ filter }) => testOf(filter))
    const metBy = (name: string) => tests.map((test) => test({ name }))
    assert.deepEqual(metBy('green blue red'), [true, false, false])
    assert.deepEqual(metBy('red or blue'), [false, true, false])
    assert.deepEqual(metBy('blue'), [false, false, true])
    assert.deepEqual(metBy('grey'), [false, false, false])
  })

  it('has an order of columns, also of those for paths into objects', () => {
    const [stage] = planned({ sort: [{ 'assignee.gid': 'desc' }, { serial: 'asc' }] }).stages
    assert.equal(stage?.sort?.length, 2)
  })

  it('orders by nothing that the filter has equal in all hits', () => {
    const [stage] = planned({
      filter: { eq: { name: 'one' }, gt: { serial: 2 } },
      sort: [{ serial: 'asc' }, { name: 'desc' }, { due_on: 'asc' }],
    }).stages
    assert.deepEqual(
      stage?.sort?.map(({ path }) => path[0]),
      ['serial', 'due_on'],
    )
  })

  it('leaves to the language an order by what else stands inside objects, and scores of many words', () => {
    for (const query of [
      { sort: [{ 'assignee.name': 'asc' }] },
      { filter: { keyword: { name: 'one two three four five six' } } },
    ])
      assert.deepEqual(
        planned(query).stages.map(({ sort }) => sort),
        [null],
      )
  })
})

describe('candidates', () => {
  const of = (filter: object) => candidatesOf(columns, parseQuery(searchable, { query: { filter } }).filter)

  it('are taken together by field, wherever its bounds stand among what all hits meet', () => {
    for (const filter of [
      { gte: { due_on: '2024-03-10' }, lt: { due_on: '2024-03-12' } },
      { and: [{ and: [{ gt: { due_on: '2024-03-09' } }] }, { and: [{ lt: { due_on: '2024-03-12' } }, {}] }] },
    ])
      assert.deepEqual(
        of(filter).map((set) => [set.by, set.by === 'field' && set.all.length, set.exact]),
        [['field', 2, true]],
      )
  })

  it('are ranges of a field where a text has to begin in one of a few ways, together with its bounds', () => {
    const [begun] = of({ like: { name: 'q%' }, gte: { name: 'a' } })
    assert.deepEqual(begun?.by === 'field' && [begun.all.map(({ op }) => op).sort(), begun.exact], [
      ['begins', 'gte'],
      false,
    ])
    assert.equal(
      of({ like: { assignee: 'q%' } }).some(({ by }) => by === 'field'),
      false,
    )
  })

  it('are texts inside objects where these have an index, which nothing else asks for there', () => {
    assert.deepEqual(
      of({ in: { 'assignee.gid': ['1', '2'] } }).map((set) => [set.by, set.exact]),
      [['field', true]],
    )
    for (const filter of [
      { eq: { 'assignee.gid': 1 } },
      { eq: { 'assignee.gid': null } },
      { in: { 'assignee.gid': ['1', null] } },
      { eq: { 'assignee.gid': '1'.repeat(300) } },
      { eq: { 'assignee.name': 'one' } },
      { like: { 'assignee.gid': '1%' } },
    ])
      assert.equal(
        of(filter).some(({ by }) => by === 'field'),
        false,
      )
  })

  it('are not exact where a part has to be met besides', () => {
    const sets = of({ gte: { due_on: '2024-03-10' }, eq: { serial: 7 }, keyword: { name: 'red' } })
    assert.deepEqual(
      sets.map(({ by, exact }) => [by, exact]),
      [
        ['field', false],
        ['field', false],
        ['words', false],
      ],
    )
  })

  it('are united where one of several conditions is enough, and every one of them names some', () => {
    const either = { or: [{ eq: { serial: 7 } }, { keyword: { name: 'red' } }] }
    assert.deepEqual(
      of(either).map(({ by, exact }) => [by, exact]),
      [['union', true]],
    )
    assert.deepEqual(of({ or: [...either.or, { not: { eq: { serial: 1 } } }] }), [])
    assert.deepEqual(
      of({ or: [{ keyword: { name: 'red' } }, { fuzzy: { name: 'bl' } }] }).map(({ by }) => by),
      ['words'],
    )
  })
})
