/** Random searches, each asked of the plain evaluator and of every database: all give the same hits in the same order. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Catalog } from '../catalog/catalog.ts'
import { parseJson, stringifyJson } from '../json.ts'
import { parseQuery } from '../search/parse-query.ts'
import type { SearchRecord } from '../search/query.ts'
import { searchRecord } from '../search/record.ts'
import { searchRecords } from '../search/search-records.ts'
import type { ReadRecord } from './copy.ts'
import { type Copy, CopyFixture } from './copy-fixture.suite.ts'
import { sampleCatalog, searchable, someRecords, someSearch } from './samples.suite.ts'
import type { Store } from './store.ts'

/** Params of a search as a caller sends them. */
export interface SearchParams {
  readonly query: object
  readonly limit?: number
  readonly cursor?: string
  readonly fields?: readonly unknown[]
}

/** Walks through all pages of a search in the evaluator and in copies that have the same key, and compares each page. */
export async function compareSearch(
  copies: readonly Copy[],
  kept: readonly SearchRecord[],
  params: SearchParams,
): Promise<void> {
  let cursor: string | undefined
  for (let page = 0; page < 100; page++) {
    const query = parseQuery(searchable, cursor === undefined ? params : { ...params, cursor })
    const expected = searchRecords(kept, copies[0]!.key, searchable, query)
    // As they go over the wire, where 2^63 as a double and as a whole number look alike.
    const hits = parseJson(stringifyJson(expected.hits))
    const found = await Promise.all(copies.map((copy) => copy.search(query)))
    for (const { hits: given, nextCursor } of found)
      assert.deepEqual({ hits: parseJson(given), nextCursor }, { ...expected, hits })
    if (expected.nextCursor === null) return
    cursor = expected.nextCursor
  }
  assert.fail('The pages do not end.')
}

const perRun = 40
const perTest = 1000

/** So many random cases. Each of `open` opens a database that is empty. */
export function searchAgreementSuite(
  databases: Readonly<Record<string, (catalog: Catalog) => Promise<Store>>>,
  cases: number,
): void {
  describe(`the evaluator, ${Object.keys(databases).join(' and ')}`, () => {
    const fixtures: CopyFixture[] = []
    before(async () => {
      for (const open of Object.values(databases)) fixtures.push(await CopyFixture.open(() => open(sampleCatalog())))
    })
    after(() => Promise.all(fixtures.map((fixture) => fixture.close())))

    /** The same connector everywhere, so that cursors are the same as well. */
    async function copiesOf(records: readonly ReadRecord[]): Promise<readonly Copy[]> {
      const id = await fixtures[0]!.connector()
      for (const other of fixtures.slice(1)) await other.connector('ann', id)
      const copies = await Promise.all(fixtures.map((fixture) => fixture.copy('things', id)))
      for (const copy of copies) {
        await copy.begin()
        await copy.commit(records)
      }
      return copies
    }

    for (let first = 1; first <= cases; first += perTest) {
      const last = Math.min(first + perTest - 1, cases)
      it(`agree on random searches ${first} to ${last}`, async () => {
        await fc.assert(
          fc.asyncProperty(
            someRecords,
            fc.array(someSearch, { minLength: perRun, maxLength: perRun }),
            async (records, searches) => {
              const copies = await copiesOf(records)
              const kept = records.map(({ id, data }) => searchRecord(searchable, id, data))
              for (const params of searches) {
                await compareSearch(copies, kept, params)
                // Twice not is the same, but no index answers it, so that each search takes two ways.
                const { filter, ...query } = params.query as { filter?: object }
                if (filter !== undefined)
                  await compareSearch(copies, kept, {
                    ...params,
                    query: { ...query, filter: { not: { not: filter } } },
                  })
              }
            },
          ),
          { numRuns: Math.ceil((last - first + 1) / perRun) },
        )
      })
    }
  })
}
