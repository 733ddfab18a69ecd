/** A store whose copies the search suites fill and search. */
import type { Catalog } from '../catalog/catalog.ts'
import { parseQuery } from '../search/parse-query.ts'
import type { Hit } from '../search/query.ts'
import { hitsIn, type ReadRecord } from './copy.ts'
import { type Copy, CopyFixture } from './copy-fixture.suite.ts'
import { sampleCatalog, searchable } from './samples.suite.ts'
import type { SearchParams } from './search-comparison.suite.ts'
import type { Store } from './store.ts'

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

  async search(copy: Copy, params: SearchParams): Promise<FoundHits> {
    const found = await copy.search(parseQuery(searchable, params))
    return { hits: hitsIn(found), nextCursor: found.nextCursor }
  }

  async ids(copy: Copy, filter: object): Promise<string[]> {
    return (await this.search(copy, { query: { filter } })).hits.map(({ id }) => id)
  }
}
