/** The tests of `evaluate.ts` made for going through many records: the same answers, sooner. */
import { type Leaf, someText, textsIn, valueTestOf } from './evaluate.ts'
import { instantOf } from './instant.ts'
import type { Condition, Json } from './query.ts'
import { beginningsMatcher, wholeWordMatcher } from './word-matcher.ts'

/** Makes the test that a leaf puts to the value at its path. */
export function quickTestOf(leaf: Leaf): (value: Json) => boolean {
  if (leaf.op !== 'keyword' && leaf.op !== 'fuzzy') return valueTestOf(leaf)
  const matches = leaf.op === 'keyword' ? wholeWordMatcher(leaf.words) : beginningsMatcher(leaf.words)
  return (value) => someText(value, matches)
}

/**
 * A text that stands, exactly as it is here, somewhere in every value that meets the condition; the longest known, or null
 * when there is none. Date-times are none, because equal ones may be written in different ways.
 */
export function requiredText(condition: Condition): string | null {
  switch (condition.op) {
    case 'eq':
    case 'contains':
      return longest([...textsIn(condition.value)].filter((text) => instantOf(text) === null))
    case 'and':
      return longest(condition.of.map(requiredText))
    case 'any':
      return requiredText(condition.of)
    default:
      return null
  }
}

const longest = (texts: readonly (string | null)[]): string | null =>
  texts.reduce((best, text) => (best === null || (text !== null && text.length > best.length) ? text : best), null)
