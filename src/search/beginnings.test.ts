import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { beginningOf, waysToBegin, waysToWrite } from './beginnings.ts'
import { fold } from './fold.ts'

/** All ways to write the beginning that a pattern has. */
function beginningsOf(pattern: string): readonly string[] | null {
  const beginning = beginningOf(pattern)
  return beginning === null ? null : waysToBegin(beginning)
}

describe('the beginnings of what matches a pattern', () => {
  it('are all ways to write its first characters', () => {
    assert.deepEqual(beginningsOf('Q2%')?.toSorted(), ['Q2', 'q2'])
    assert.deepEqual(beginningsOf('k_')?.toSorted(), ['K', 'k', '\u212a'])
    assert.deepEqual(beginningsOf('#7 é%'), ['#7 '])
    assert.deepEqual(
      beginningsOf('ski')?.toSorted(),
      [
        ...['SK', 'Sk', 'sK', 'sk'].flatMap((before) => [`${before}I`, `${before}i`, `${before}\u0131`]),
        ...['S\u212a', 's\u212a', '\u017f'],
      ].toSorted(),
    )
    assert.equal(beginningsOf('Launch of the new site%')?.length, 32)
  })

  it('are no longer than the keys of an index, however long the pattern is', () => {
    assert.equal(beginningOf(`${'#'.repeat(1000)}%`)?.length, 40)
  })

  it('are not known where it begins with a wildcard, or with what is written in too many ways', () => {
    for (const pattern of ['', '%a', '_a', 'é%', 'É', 'e\u0301%']) assert.equal(beginningsOf(pattern), null, pattern)
  })

  it('are not known where a date-time could match, which compares as its instant', () => {
    for (const pattern of ['2%', '2024%', '2024-03%', '2024-03-10t%'])
      assert.equal(beginningsOf(pattern), null, pattern)
    assert.deepEqual(beginningsOf('2024 _'), ['2024 '])
    assert.deepEqual(beginningsOf('20245%'), ['20245'])
  })

  it('take in every character that folds to one of ASCII', () => {
    for (let code = 0; code <= 0x1_ff_ff; code++) {
      const character = String.fromCodePoint(code)
      const folded = fold(character)
      if (folded[0]! <= '\x7f') assert.ok(waysToWrite(folded[0]!).includes(character), code.toString(16))
    }
  })
})
