import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import type { Json, Searchable } from '../../search/query.ts'
import { wordsOf, wordsWriter } from './copy-words.ts'
import { Database } from './database.ts'
import { startPostgres, type TestServer } from './server.suite.ts'
import { encodeText } from './text-code.ts'
import { TextList } from './text-list.ts'

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

it('reads the same tokens in what is written for a record, whatever its texts are made of', async () => {
  const searchable: Searchable = { one: 'string', two: 'integer', three: 'array' }
  const write = wordsWriter(searchable)
  const records = fc.sample(fc.record({ one: someValue, two: someValue, three: someValue }), 2000)
  const [written, wanted] = [new TextList(), new TextList()]
  for (const record of records) {
    const { text, whole } = write(23, record)
    assert.equal(whole, true)
    written.addEncoded(text)
    wanted.addEncoded(Buffer.from(encodeText(wordsOf(searchable, 23, record))))
  }
  const differ = await database.all(
    `select written, wanted from unnest($1::text[], $2::text[]) as given (written, wanted)
    where written::tsvector <> wanted::tsvector`,
    written.written(),
    wanted.written(),
  )
  assert.deepEqual(differ, [])
})

it('keeps all words of a text that repeats them, and none of one with more than the database takes', () => {
  const write = wordsWriter({ notes: 'string' })
  const many = (count: number) => Array.from({ length: 100_000 }, (_, index) => `word${index % count}`).join(' ')
  assert.equal(write(1, { notes: many(500) }).whole, true)
  const overflowed = write(1, { notes: many(100_000) })
  assert.deepEqual([overflowed.whole, overflowed.text.toString()], [false, "'1!'"])
  assert.equal(write(1, { notes: 'Never again!' }).whole, true)
})

it('gives back the texts of a list as they were', async () => {
  const texts = [null, '', 'a', '{"b"}', '\\', '\0', '\x01', 'é\u{1f600}', 'NULL', 'x'.repeat(100_000)]
  const list = new TextList()
  for (const text of texts) list.add(text)
  const rows = await database.all<{ text: string | null }>('select unnest($1::text[]) as text', list.written())
  assert.deepEqual(
    rows.map(({ text }) => text),
    texts,
  )
  const none = await database.all('select unnest($1::text[])', new TextList().written())
  assert.deepEqual(none, [])
})
