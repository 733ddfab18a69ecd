import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { askedWords, fold, words } from './fold.ts'

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

const marks = fc.constantFrom(
  'e',
  'E',
  'a',
  'J',
  'ς',
  'ᄒ',
  'ᅡ',
  'ᆫ',
  '\u0301',
  '\u0316',
  '\u030c',
  '\u0345',
  '\u093c',
  'क',
  '=',
)
const someText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(marks).map((parts) => parts.join('')),
)

it('gives the same for all spellings of a text, and nothing new of what is folded', () => {
  fc.assert(
    fc.property(someText, (text) => {
      const folded = fold(text)
      assert.equal(fold(text.normalize('NFD')), folded)
      assert.equal(folded.normalize('NFC'), folded)
      assert.equal(fold(folded), folded)
      // Folding makes no words and takes none apart.
      assert.deepEqual(words(folded), words(text))
    }),
    { numRuns: 5000 },
  )
  for (let code = 0; code < 0x1_10_00; code++) {
    const character = String.fromCodePoint(code)
    if (!character.isWellFormed()) continue
    const composed = [...character.normalize('NFC')].length
    assert.equal([...fold(character)].length, composed, code.toString(16))
    assert.equal(fold(fold(character)), fold(character), code.toString(16))
    assert.equal(words(fold(character)).length, words(character).length, code.toString(16))
  }
})

it('is done with a text of endless marks in no more time than with others', () => {
  const text = `a${'\u0301\u0316'.repeat(300_000)}`
  assert.equal(words(text).length, 1)
  const folded = fold(text)
  assert.equal(fold(folded), folded)
})

it('takes runs of letters, digits and their marks as words, and everything else as what separates them', () => {
  assert.deepEqual(words("Order BENCH-100821, don't panic"), ['order', 'bench', '100821', 'don', 't', 'panic'])
  assert.deepEqual(words('20.04 a_b ½ 東京 \u{1f600}'), ['20', '04', 'a', 'b', '½', '東京'])
  assert.deepEqual(words(' \0 "*" '), [])
  assert.deepEqual(words('हिन्दी परियोजना, द न'), ['हिन्दी', 'परियोजना', 'द', 'न'])
  assert.deepEqual(words('q\u0303 e\u0301'), ['q\u0303', 'é'])
  assert.deepEqual(askedWords('\u0301 हि \u0e31'), ['हि'])
})
