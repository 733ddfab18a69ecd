/** Asks one search of the plain evaluator, which is what a search means, and of databases: all have to give the same. */
import assert from 'node:assert/strict'
import { parseJson, stringifyJson } from '../json.ts'
import { parseQuery } from '../search/parse-query.ts'
import type { SearchRecord } from '../search/query.ts'
import { searchRecords } from '../search/search-records.suite.ts'
import { hitsIn } from './copy.ts'
import type { Copy } from './copy-fixture.suite.ts'
import { searchable } from './samples.suite.ts'

/** Params of a search as a caller sends them. */
export interface SearchParams {
  readonly query: object
  readonly limit?: number
  readonly cursor?: string
  readonly fields?: readonly unknown[]
}

/**
 * Walks through all pages of a search in the evaluator and in copies that have the same key, and compares each page; all of them
 * together are what the evaluator finds at once, since it reads cursors like everybody else.
 */
export async function compareSearch(
  copies: readonly Copy[],
  kept: readonly SearchRecord[],
  params: SearchParams,
): Promise<void> {
  let cursor: string | undefined
  const walked: string[] = []
  for (let page = 0; page < 100; page++) {
    const query = parseQuery(searchable, cursor === undefined ? params : { ...params, cursor })
    const expected = searchRecords(kept, copies[0]!.key, searchable, query)
    // As they go over the wire, where 2^63 as a double and as a whole number look alike.
    const hits = parseJson(stringifyJson(expected.hits))
    const found = await Promise.all(copies.map((copy) => copy.search(query)))
    for (const page of found)
      assert.deepEqual({ hits: hitsIn(page), nextCursor: page.nextCursor }, { ...expected, hits })
    walked.push(...expected.hits.map(({ id }) => id))
    if (expected.nextCursor === null) {
      const whole = searchRecords(
        kept,
        copies[0]!.key,
        searchable,
        parseQuery(searchable, { ...params, limit: 10_000 }),
      )
      assert.deepEqual(
        walked,
        whole.hits.map(({ id }) => id),
      )
      return
    }
    cursor = expected.nextCursor
  }
  assert.fail('The pages do not end.')
}
