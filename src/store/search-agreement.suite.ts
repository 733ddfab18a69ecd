/** Random searches, each asked of the plain evaluator and of every database: all give the same hits in the same order. */
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Catalog } from '../catalog/catalog.ts'
import { searchRecord } from '../search/record.ts'
import type { ReadRecord } from './copy.ts'
import { type Copy, CopyFixture } from './copy-fixture.suite.ts'
import { sampleCatalog, searchable, someRecords, someSearch } from './samples.suite.ts'
import { compareSearch } from './search-comparison.suite.ts'
import type { Store } from './store.ts'

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
