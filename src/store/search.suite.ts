/** What every store finds: exactly what the plain evaluator finds, in the same order, page by page. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Catalog } from '../catalog/catalog.ts'
import { ConexError } from '../errors.ts'
import { parseJson, stringifyJson } from '../json.ts'
import { parseQuery } from '../search/parse-query.ts'
import type { Hit, SearchRecord } from '../search/query.ts'
import { searchRecord } from '../search/record.ts'
import { searchRecords } from '../search/search-records.ts'
import type { ReadRecord } from './copy.ts'
import { CopyFixture } from './copy-fixture.suite.ts'
import { sampleCatalog, searchable, someRecords, someSearch } from './samples.suite.ts'
import type { Store } from './store.ts'

interface Params {
  readonly query: object
  readonly limit?: number
  readonly cursor?: string
  readonly fields?: readonly unknown[]
}

/** Judges the search of a store. `open` opens the same database each time, which is empty before the first time. */
export function searchSuite(name: string, open: (catalog: Catalog) => Promise<Store>, cases = 1000): void {
  describe(`search in ${name}`, () => {
    let fixture: CopyFixture
    before(async () => {
      fixture = await CopyFixture.open(() => open(sampleCatalog()))
    })
    after(() => fixture.close())

    /** A copy of these records. */
    const copyOf = async (records: readonly ReadRecord[]) => {
      const copy = await fixture.copy()
      await copy.begin()
      await copy.commit(records)
      return copy
    }

    const search = async (copy: Awaited<ReturnType<typeof copyOf>>, params: Params) => {
      const found = await copy.search(parseQuery(searchable, params))
      return { hits: parseJson(found.hits) as Hit[], nextCursor: found.nextCursor }
    }

    const ids = async (copy: Awaited<ReturnType<typeof copyOf>>, filter: object): Promise<string[]> =>
      (await search(copy, { query: { filter } })).hits.map(({ id }) => id)

    /** Walks through all pages of a search here and in the evaluator, and compares them. */
    const compare = async (copy: Awaited<ReturnType<typeof copyOf>>, kept: readonly SearchRecord[], params: Params) => {
      let cursor: string | undefined
      for (let page = 0; page < 100; page++) {
        const now = cursor === undefined ? params : { ...params, cursor }
        const expected = searchRecords(kept, copy.key, searchable, parseQuery(searchable, now))
        const found = await search(copy, now)
        // Both as they go over the wire, where 2^63 as a double and as a whole number look alike.
        assert.deepEqual(found, { ...expected, hits: parseJson(stringifyJson(expected.hits)) })
        if (expected.nextCursor === null) return
        cursor = expected.nextCursor
      }
      assert.fail('The pages do not end.')
    }

    it(`finds what the evaluator finds, in the same order, in ${cases} random searches`, async () => {
      const perRun = 40
      await fc.assert(
        fc.asyncProperty(
          someRecords,
          fc.array(someSearch, { minLength: perRun, maxLength: perRun }),
          async (records, searches) => {
            const copy = await copyOf(records)
            const kept = records.map(({ id, data }) => searchRecord(searchable, id, data))
            for (const params of searches) {
              await compare(copy, kept, params)
              // Twice not is the same, but no index answers it, so that each search takes two ways.
              const { filter } = params.query as { filter?: object }
              if (filter !== undefined)
                await compare(copy, kept, { ...params, query: { ...params.query, filter: { not: { not: filter } } } })
            }
          },
        ),
        { numRuns: Math.ceil(cases / perRun) },
      )
    })
  })
}
