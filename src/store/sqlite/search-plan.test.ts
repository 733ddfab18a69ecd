/** Where searches begin, told by how many records a start names. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import Database from 'better-sqlite3'
import { parseQuery } from '../../search/parse-query.ts'
import { openStore } from '../open.ts'
import { searchable } from '../samples.suite.ts'
import { Searching } from '../search-fixture.suite.ts'
import { copyTable } from './copy-table.ts'
import { Landmarks } from './search-landmarks.ts'
import { Planner } from './search-plan.ts'
import { SearchStatements } from './search-statements.ts'

const folder = mkdtempSync(join(tmpdir(), 'conex-plan-'))
const file = join(folder, 'plan.db')
let searching: Searching
let database: Database.Database
const records = 5000
before(async () => {
  searching = await Searching.open((catalog) => openStore(`sqlite:${file}`, catalog))
  await searching.copyOf(
    Array.from({ length: records }, (_, index) => ({
      id: String(index),
      data: {
        serial: index,
        created_at: new Date(Date.UTC(2024, 0, 1) + index * 3_600_000).toISOString(),
        due_on: new Date(Date.UTC(2024, 0, 1 + (index % 365))).toISOString().slice(0, 10),
        completed: index % 2 === 0,
      },
    })),
  )
  database = new Database(file, { readonly: true })
})
after(async () => {
  database.close()
  await searching.close()
  rmSync(folder, { recursive: true })
})

/** How many records the start names of which all hits are, and whether these are just the hits; null where it is no short cut. */
function startOf(filter: object): readonly [records: number, exact: boolean] | null {
  const copy = database.prepare<[], number>('select number from copies').pluck().get()!
  const statements = new SearchStatements(database)
  const table = copyTable({ kind: 'sample-kind', entity: 'things', searchable })
  const planner = new Planner({ statements, landmarks: new Landmarks(), table, copy, records })
  const { filter: condition } = parseQuery(searchable, { query: { filter } })
  const start = planner.start(condition, { byIndex: 500, byWords: 500 }, true)
  return start === null ? null : [start.records, start.exact]
}

const day = { gte: { created_at: '2024-03-10T00:00:00Z' }, lt: { created_at: '2024-03-11T01:00:00+01:00' } }

it('takes the bounds of one field together, wherever they stand among what all hits meet', () => {
  for (const filter of [
    day,
    { and: [{ gte: day.gte }, { lt: day.lt }] },
    { and: [{ and: [{ gt: { created_at: '2024-03-09T23:30:00Z' } }] }, { and: [{ lt: day.lt }, {}] }] },
    {
      and: [
        { lte: { created_at: '2024-03-10T23:00:00Z' } },
        { gte: day.gte },
        { gte: { created_at: '2020-01-01T00:00:00Z' } },
      ],
    },
  ])
    assert.deepEqual(startOf(filter), [24, true], JSON.stringify(filter))
  assert.deepEqual(startOf({ gte: { serial: 4000 }, lt: { serial: 4100 } }), [100, true])
  assert.deepEqual(startOf({ gt: { due_on: '2024-03-10' }, lte: { due_on: '2024-03-12' } }), [28, true])
  assert.deepEqual(startOf({ gt: { serial: 10 }, lt: { serial: 5 } }), [0, true])
})

it('leaves other parts to be checked, and takes the field that names the fewest', () => {
  assert.deepEqual(startOf({ ...day, eq: { completed: true } }), [24, false])
  assert.deepEqual(startOf({ ...day, not: { eq: { serial: 1 } } }), [24, false])
  assert.deepEqual(startOf({ gte: { ...day.gte, serial: 1660 }, lt: { ...day.lt, serial: 1664 } }), [4, false])
  assert.deepEqual(startOf({ or: [day, { eq: { serial: 7 } }] }), [25, true])
})

it('is no short cut where the bounds leave most of it', () => {
  assert.equal(startOf({ gte: day.gte }), null)
  assert.equal(startOf({ gte: { serial: 100 }, lt: { serial: 4900 } }), null)
})
