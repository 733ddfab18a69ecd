/** Searches among more records than are gone through in whatever way, where plans are kept and words name where to begin. */
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { searchRecord } from '../../search/record.ts'
import type { ReadRecord } from '../copy.ts'
import { type Copy, CopyFixture } from '../copy-fixture.suite.ts'
import { openStore } from '../open.ts'
import { sampleCatalog, searchable, someData, someSearch } from '../samples.suite.ts'
import { compareSearch, type SearchParams } from '../search-comparison.suite.ts'
import { Database } from './database.ts'
import { startPostgres, type TestServer } from './server.suite.ts'

let server: TestServer
let fixture: CopyFixture
let database: Database
before(async () => {
  server = await startPostgres()
  const url = await server.freshDatabase()
  fixture = await CopyFixture.open(() => openStore(url, sampleCatalog()))
  database = new Database(url, { connections: 1, statementMs: 10_000 })
})
after(async () => {
  await Promise.all([fixture.close(), database.close()])
  await server.stop()
})

async function copyOf(records: readonly ReadRecord[]): Promise<Copy> {
  const copy = await fixture.copy()
  await copy.begin()
  for (let from = 0; from < records.length; from += 1000) await copy.commit(records.slice(from, from + 1000))
  return copy
}

const numbered = (data: (number: number) => ReadRecord['data']): ReadRecord[] =>
  Array.from({ length: 2100 }, (_, number) => ({ id: String(number).padStart(4, '0'), data: data(number) }))

/** Asks them before the database knows which words are frequent, and twice afterwards, when the first has asked for it. */
async function compareAll(records: readonly ReadRecord[], searches: readonly SearchParams[]): Promise<void> {
  const copy = await copyOf(records)
  const kept = records.map(({ id, data }) => searchRecord(searchable, id, data))
  for (const params of searches) await compareSearch([copy], kept, params)
  await database.run('analyze')
  for (let time = 0; time < 2; time++) for (const params of searches) await compareSearch([copy], kept, params)
}

it('agree with the evaluator on random searches', async () => {
  const samples = fc.sample(someData, { numRuns: 200, seed: 7 })
  const searches = fc.sample(someSearch, { numRuns: 20, seed: 8 }) as SearchParams[]
  await compareAll(
    numbered((number) => samples[number % samples.length]!),
    searches.map((params) => ({ ...params, limit: 2000 })),
  )
})

it('find by any pattern what it matches, whichever words and parts are asked for', async () => {
  const texts = [
    (number: number) => `Common usual ${number % 7 === 0 ? 'Rare' : 'plain'} n${number}`,
    (number: number) => `100% ΣΊΣΥΦΟΣ ${number % 50 === 0 ? 'ŁĄKA łąka' : 'a_b'} common`,
    (number: number) => `c:\\common \0 usual${number % 3}`,
    (number: number) => `${'common '.repeat(30)}${number % 100 === 0 ? 'rare end' : 'end'}`,
    () => 'Common',
  ]
  const records = numbered((number) => ({ name: number % 11 === 0 ? null : texts[number % 5]!(number) }))
  const patterns = [
    'common usual%',
    'COMMON USUAL RARE%',
    '%ual rar%',
    '%mmon usu_l%',
    '%σ ł_ka%',
    '%σίσυφος łąka%',
    '100\\% %',
    '100% %mon',
    '%c:\\\\com%',
    '%on \0 us%',
    '%on _ us%',
    '%on \x01 us%',
    '%common rare end',
    '%common common%end',
    'common',
    '%n1004',
    '%usual rare n1__5',
    '% %',
  ]
  await compareAll(
    records,
    patterns.flatMap((name): SearchParams[] => [
      { query: { filter: { like: { name } } }, limit: 700 },
      {
        query: { filter: { and: [{ like: { name } }, { keyword: { name: 'rare n1005' } }] }, sort: [{ name: 'desc' }] },
      },
      {
        query: {
          filter: { and: [{ or: [{ like: { name } }, { fuzzy: { name: 'us ra' } }] }, { fuzzy: { name: 'n1' } }] },
        },
      },
    ]),
  )
})
