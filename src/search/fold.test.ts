import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { fold, words } from './fold.ts'

it('brings the cases of a letter together, whatever the script and the place in the word', () => {
  for (const [one, other] of [
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['ς', 'Σ'],
    ['ŁĄKA', 'łąka'],
    ['Привіт', 'ПРИВІТ'],
    ['\u212a', 'k'],
    ['ſ', 'S'],
    ['ẞ', 'ß'],
    ['\u{10400}', '\u{10428}'],
  ] as const)
    assert.equal(fold(one), fold(other), `${one} and ${other}`)
  assert.notEqual(fold('Straße'), fold('Strasse'))
  assert.notEqual(fold('é'), fold('e'))
})

it('makes one character of each, and nothing new of what is folded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal([...fold(text)].length, [...text].length)
      assert.equal(fold(fold(text)), fold(text))
      // Folding makes no words and takes none apart.
      assert.deepEqual(words(fold(text)), words(text))
    }),
    { numRuns: 2000 },
  )
  for (let code = 0; code < 0x1_10_00; code++) {
    const character = String.fromCodePoint(code)
    if (!character.isWellFormed()) continue
    assert.equal([...fold(character)].length, 1, code.toString(16))
    assert.equal(fold(fold(character)), fold(character), code.toString(16))
    assert.equal(words(fold(character)).length, words(character).length, code.toString(16))
  }
})

it('takes runs of letters and digits as words, and everything else as what separates them', () => {
  assert.deepEqual(words("Order BENCH-100821, don't panic"), ['order', 'bench', '100821', 'don', 't', 'panic'])
  assert.deepEqual(words('20.04 a_b ½ 東京 \u{1f600}'), ['20', '04', 'a', 'b', '½', '東京'])
  assert.deepEqual(words(' \0 "*" '), [])
})
