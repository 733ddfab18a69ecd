import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { fold } from './fold.ts'
import { parsePattern, patternMatcher } from './pattern.ts'

/** The same said as a regular expression: slow for some patterns, and plain. */
function asExpression(pattern: string): RegExp {
  const characters = [...pattern]
  let source = ''
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index]!
    if (character === '%') source += '[^]*'
    else if (character === '_') source += '[^]'
    else {
      const literal = character === '\\' && index + 1 < characters.length ? characters[++index]! : character
      source += `\\u{${fold(literal).codePointAt(0)!.toString(16)}}`
    }
  }
  return new RegExp(`^${source}$`, 'u')
}

it('matches what the same pattern as a regular expression matches', () => {
  const piece = fc.constantFrom('a', 'A', 'b', 'ς', 'Σ', '%', '_', '\\', '\\%', '\\_', '\u{1f600}', '\0', '\n', 'ß')
  const text = fc.array(fc.constantFrom('a', 'B', 'σ', '%', '_', '\\', '\u{1f600}', '\0', '\n', 'ß'), { maxLength: 8 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), text, (pieces, letters) => {
      const [pattern, given] = [pieces.join(''), letters.join('')]
      assert.equal(patternMatcher(parsePattern(pattern))(given), asExpression(pattern).test(fold(given)), pattern)
    }),
    { numRuns: 5000 },
  )
})

it('means the characters that are composed, however pattern and text spell them', () => {
  const matches = (pattern: string, text: string) => patternMatcher(parsePattern(pattern))(text)
  for (const text of ['caf\u00e9', 'cafe\u0301', 'CAFE\u0301'])
    for (const pattern of ['caf\u00e9', 'cafe\u0301', 'caf_', '%\u00c9', 'caf\\e\u0301'])
      assert.ok(matches(pattern, text), `${pattern} ${text}`)
  assert.ok(!matches('cafe%', 'caf\u00e9'))
  assert.ok(matches('한_', '\u1112\u1161\u11ab\u1100\u1173\u11af'))
  assert.ok(matches('J\u030c%', '\u01f0x') && matches('\u01f0', 'J\u030c') && matches('J\\\u030c', '\u01f0'))
})

it('stays quick for patterns that make others try every way', () => {
  const matches = patternMatcher(parsePattern('%a_'.repeat(40)))
  assert.equal(matches('a'.repeat(20_000)), true)
  assert.equal(matches(`${'a'.repeat(60)}${'b'.repeat(20_000)}`), false)
})

it('finds pieces of any length at every place', () => {
  const letters = (size: number) => fc.array(fc.constantFrom('a', 'a', 'a', 'b', '\u{1f600}'), { maxLength: size })
  const hole = fc.nat(120)
  fc.assert(
    fc.property(letters(90), letters(90), hole, letters(20), fc.boolean(), (before, piece, at, after, isOpen) => {
      // Parts of the text, so that most are found, or nearly.
      const wanted: string[] = [...piece, ...before.slice(-at)]
      if (isOpen && wanted.length > 0) wanted[at % wanted.length] = '_'
      const [pattern, text] = [`%${wanted.join('')}%a%`, [...before, ...piece, ...before, ...after].join('')]
      assert.equal(patternMatcher(parsePattern(pattern))(text), asExpression(pattern).test(text), pattern)
    }),
    { numRuns: 2000 },
  )
})
