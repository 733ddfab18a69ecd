import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import type { Json, Searchable } from '../../search/query.ts'
import { quotedTokens, wordsOf } from './copy-words.ts'
import { Database } from './database.ts'
import { decodeText } from './nul-escaping.ts'
import { startPostgres, type TestServer } from './server.suite.ts'

let server: TestServer
let database: Database
before(async () => {
  server = await startPostgres()
  database = new Database(await server.freshDatabase(), { connections: 1, statementMs: 60_000 })
})
after(async () => {
  await database.close()
  await server.stop()
})

const characters = ['a', 'Bc', '7', ' ', "'", '\\', ':', '!', '\0', '\x01', '\t', 'é', 'ẞ', '\u{1f600}', 'x'.repeat(70)]
const someText = fc.array(fc.constantFrom(...characters)).map((parts) => parts.join(''))
const someValue: fc.Arbitrary<Json> = fc.oneof(someText, fc.constantFrom(null, true, 12), fc.array(someText))

it('reads the tokens of a record again, whatever its texts are made of', async () => {
  const searchable: Searchable = { one: 'string', two: 'integer', three: 'array' }
  const records = fc.sample(fc.record({ one: someValue, two: someValue, three: someValue }), 2000)
  const tokens = records.map((record) => wordsOf(searchable, 23, record).tokens)
  const rows = await database.all<{ kept: string[] }>(
    'select tsvector_to_array(given::tsvector) as kept from unnest($1::text[]) with ordinality as list (given, place) order by place',
    tokens.map(quotedTokens),
  )
  assert.deepEqual(
    rows.map(({ kept }) => new Set(kept.map(decodeText))),
    tokens.map((of) => new Set(of)),
  )
})

it('writes tokens as the copies have them that are there already', () => {
  const long = 'x'.repeat(70)
  const { tokens } = wordsOf({ name: 'string', id: 'string', tags: 'array' }, 7, {
    name: "It's É",
    id: 'A-1',
    tags: [{ name: `one ${long}` }],
  })
  const hash = createHash('sha256').update(long).digest('base64url')
  assert.deepEqual(tokens, [
    ...['7.0wit', '7.0ws', '7.0wé', "7.0pit'", "7.0pt's", "7.0p's ", '7.0ps é'],
    ...['7.1wa', '7.1w1', '7.1x'],
    ...['7.2wone', `7.2w${'x'.repeat(64)}#${hash}`],
  ])
})

it('keeps all words of a text that repeats them, and none of one with more than the database takes', () => {
  const searchable: Searchable = { notes: 'string' }
  const many = (count: number) => Array.from({ length: 100_000 }, (_, index) => `word${index % count}`).join(' ')
  assert.equal(wordsOf(searchable, 1, { notes: many(500) }).whole, true)
  assert.deepEqual(wordsOf(searchable, 1, { notes: many(100_000) }), { tokens: ['1!'], whole: false })
})
