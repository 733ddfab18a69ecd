/** A store whose copies the search suites fill, search, and compare with the plain evaluator. */
import assert from 'node:assert/strict'
import type { Catalog } from '../catalog/catalog.ts'
import { parseJson, stringifyJson } from '../json.ts'
import { parseQuery } from '../search/parse-query.ts'
import type { Hit, SearchRecord } from '../search/query.ts'
import { searchRecords } from '../search/search-records.ts'
import type { ReadRecord } from './copy.ts'
import { type Copy, CopyFixture } from './copy-fixture.suite.ts'
import { sampleCatalog, searchable } from './samples.suite.ts'
import type { Store } from './store.ts'

export interface Params {
  readonly query: object
  readonly limit?: number
  readonly cursor?: string
  readonly fields?: readonly unknown[]
}

export interface FoundHits {
  readonly hits: readonly Hit[]
  readonly nextCursor: string | null
}

export class Searching {
  readonly fixture: CopyFixture

  private constructor(fixture: CopyFixture) {
    this.fixture = fixture
  }

  static async open(open: (catalog: Catalog) => Promise<Store>): Promise<Searching> {
    return new Searching(await CopyFixture.open(() => open(sampleCatalog())))
  }

  close(): Promise<void> {
    return this.fixture.close()
  }

  /** A copy of these records. */
  async copyOf(records: readonly ReadRecord[]): Promise<Copy> {
    const copy = await this.fixture.copy()
    await copy.begin()
    await copy.commit(records)
    return copy
  }

  async search(copy: Copy, params: Params): Promise<FoundHits> {
    const found = await copy.search(parseQuery(searchable, params))
    return { hits: parseJson(found.hits) as Hit[], nextCursor: found.nextCursor }
  }

  async ids(copy: Copy, filter: object): Promise<string[]> {
    return (await this.search(copy, { query: { filter } })).hits.map(({ id }) => id)
  }

  /** Walks through all pages of a search here and in the evaluator, and compares them. */
  async compare(copy: Copy, kept: readonly SearchRecord[], params: Params): Promise<void> {
    let cursor: string | undefined
    for (let page = 0; page < 100; page++) {
      const now = cursor === undefined ? params : { ...params, cursor }
      const expected = searchRecords(kept, copy.key, searchable, parseQuery(searchable, now))
      const found = await this.search(copy, now)
      // Both as they go over the wire, where 2^63 as a double and as a whole number look alike.
      assert.deepEqual(found, { ...expected, hits: parseJson(stringifyJson(expected.hits)) })
      if (expected.nextCursor === null) return
      cursor = expected.nextCursor
    }
    assert.fail('The pages do not end.')
  }
}
