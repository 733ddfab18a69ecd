/**
 * The tests and scores of `evaluate.ts` in steps, for records of any length that are looked at where requests are answered:
 * between two steps others may have their turn. A step is one condition about one value.
 */
import { countWords, type Fields, rankingsOf, valueAt } from './evaluate.ts'
import type { Condition } from './query.ts'
import { quickTestOf } from './quick-test.ts'

/** What a record is found to be, in steps. */
export type Steps<Found> = Generator<void, Found, void>

/** Makes the test of a condition. */
export function testStepsOf(condition: Condition): (fields: Fields) => Steps<boolean> {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const tests = condition.of.map(testStepsOf)
      const decides = condition.op === 'or'
      return function* (fields) {
        for (const test of tests) if ((yield* test(fields)) === decides) return decides
        return !decides
      }
    }
    case 'not': {
      const test = testStepsOf(condition.of)
      return function* (fields) {
        return !(yield* test(fields))
      }
    }
    case 'any': {
      const test = testStepsOf(condition.of)
      const { path } = condition
      return function* (fields) {
        const value = valueAt(fields, path)
        if (Array.isArray(value)) for (const element of value) if (yield* test(element)) return true
        return false
      }
    }
    default: {
      const test = quickTestOf(condition)
      const { path } = condition
      return function* (fields) {
        yield
        return test(valueAt(fields, path))
      }
    }
  }
}

/** Makes the score of a condition. */
export function scoreStepsOf(condition: Condition): (fields: Fields) => Steps<number> {
  const ranks = rankingsOf(condition).map(({ path, words }) => ({ path, wanted: new Set(words) }))
  return function* (fields) {
    let sum = 0
    for (const { path, wanted } of ranks) {
      yield
      sum += countWords(valueAt(fields, path), wanted)
    }
    return Math.max(1, sum)
  }
}
