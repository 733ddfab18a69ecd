/** Rows are looked at and written where requests are answered, so that others have to get their turn meanwhile. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseQuery } from '../../search/parse-query.ts'
import { hitsIn } from '../copy.ts'
import { copyTable } from './copy-table.ts'
import type { Search } from './search-asked.ts'
import type { Row } from './search-hits.ts'
import { hitsAmong, pageOf } from './search-run.ts'

const count = 10_000
const searchable = { name: 'string', tags: 'array' } as const
const table = copyTable({ kind: 'sample-kind', entity: 'things', searchable })
const rows: readonly Row[] = Array.from({ length: count }, (_, index) => [
  String(index).padStart(6, '0'),
  true,
  `${index % 2 === 0 ? 'é' : 'ü'}${'long '.repeat(100)}`,
  JSON.stringify({ tags: Array.from({ length: 20 }, (_, gid) => ({ gid, name: 'é' })) }),
])

function searchFor(params: object): Search {
  const session = {} as Search['session']
  const copy = { connectorId: 'one', entity: 'things', number: 1, records: count }
  const query = parseQuery(searchable, { query: {}, limit: count, ...params })
  return { session, kept: session, table, copy, shares: null, query, after: null, tick() {} }
}

/** How many turns others have while the work is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let working = true
  const other = (): void => {
    turns++
    if (working) setImmediate(other)
  }
  setImmediate(other)
  await work()
  working = false
  return turns
}

describe('many rows', () => {
  it('are looked at again in turns', async () => {
    const search = searchFor({ query: { filter: { like: { name: '%é_ong%g_l%' } } } })
    let found = 0
    const turns = await turnsDuring(async () => {
      found = (await hitsAmong(search, 'all', rows)).length
    })
    assert.equal(found, count / 2)
    assert.equal((await hitsAmong(search, 'all', rows, 7)).length, 7)
    assert.ok(turns > 3, `others had ${turns} turns`)
  })

  for (const [what, params] of Object.entries({ whole: {}, 'in part': { fields: ['name', 'tags.gid'] } }))
    it(`are written ${what} in turns`, async () => {
      const search = searchFor(params)
      const found = rows.map((row) => ({ row, score: 1 }))
      let hits: string | Buffer = ''
      const turns = await turnsDuring(async () => {
        hits = (await pageOf(search, found)).hits
      })
      assert.deepEqual(
        hitsIn({ hits }).map(({ id }) => id),
        rows.map(([id]) => id),
      )
      assert.ok(turns > 3, `others had ${turns} turns`)
    })
})
