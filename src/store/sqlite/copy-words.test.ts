import assert from 'node:assert/strict'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import type { Json } from '../../search/query.ts'
import { recordTokens } from '../search/record-tokens.ts'
import { indexedText, tokenForm } from './copy-words.ts'

const someText = fc
  .array(fc.constantFrom('a', 'Bc', 'K', '7', ' ', '-', '_', '\0', '\x7f', 'é', 'ẞ', '\u{1f600}', '中', 'x'.repeat(70)))
  .map((parts) => parts.join(''))
const someValue: fc.Arbitrary<Json> = fc.oneof(
  someText,
  fc.constantFrom(null, true, 12),
  fc.array(fc.oneof(someText, fc.dictionary(someText, fc.oneof(someText, fc.constant(null)), { maxKeys: 3 }))),
)

it('has the index read the tokens of a record again, whatever its texts are made of', () => {
  const database = new Database(':memory:')
  database.exec("create virtual table index_of_words using fts5 (words, detail = none, tokenize = 'ascii')")
  database.exec('create virtual table kept using fts5vocab (index_of_words, row)')
  const write = database.prepare('insert into index_of_words (words) values (?)')
  const kept = database.prepare<[], string>('select term from kept').pluck()
  const names = ['one', 'two', 'three']
  try {
    fc.assert(
      fc.property(fc.constantFrom(1, 23), fc.tuple(someValue, someValue, someValue), (copy, values) => {
        const data = Object.fromEntries(names.map((name, place) => [name, values[place]!]))
        database.exec('delete from index_of_words')
        write.run(indexedText(names, copy, data))
        assert.deepEqual(new Set(kept.all()), new Set(recordTokens(tokenForm, names, copy, data)))
      }),
      { numRuns: 500 },
    )
  } finally {
    database.close()
  }
})

it('writes tokens as the copies have them that are there already', () => {
  const data = { name: 'A-b É', id: 'A-1', tags: [{ name: `one ${'x'.repeat(70)}` }] }
  assert.deepEqual(indexedText(['name', 'id', 'tags'], 7, data).split(' '), [
    ...['7w0xa', '7w0xb', '7w0xé', '7p0xa\ue02db', '7p0x\ue02db\ue020', '7p0xb\ue020é'],
    ...['7w1xa', '7w1x1', '7z1'],
    ...['7w2xone', `7w2x${'x'.repeat(64)}`],
  ])
})

it('makes room for a text of any length', () => {
  const words = Array.from({ length: 40_000 }, (_, index) => `w${index}`)
  assert.equal(indexedText(['notes'], 4, { notes: words.join(' ') }).split(' ').length, words.length + 1)
})
