import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { asana } from '../src/connectors/asana/connector.ts'
import { parseQuery } from '../src/search/parse-query.ts'

it('takes every search and every condition that the page about search shows', () => {
  const page = readFileSync(new URL('../docs/search.md', import.meta.url), 'utf8')
  const searches = [...page.matchAll(/```json\n(.*?)```/gs)].map((match) => match[1]!)
  const conditions = [...page.matchAll(/`(\{"(?:eq|neq|gte|in|like|fuzzy|keyword|contains|any|or|not)": .*?\})`/g)].map(
    (match) => match[1]!,
  )
  assert.ok(searches.length >= 4 && conditions.length >= 9)
  const { searchable } = asana.entities.tasks
  for (const search of searches) parseQuery(searchable, JSON.parse(search))
  for (const filter of conditions) parseQuery(searchable, { query: { filter: JSON.parse(filter) } })
})
