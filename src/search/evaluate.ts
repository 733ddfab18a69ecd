/** The meaning of conditions, in plain code over one record. Every compiler must agree with it. */
import { words } from './fold.ts'
import { comparable, compare, isScalar, same, textKey } from './order.ts'
import { parsePattern, patternMatcher } from './pattern.ts'
import type { Condition, Json } from './query.ts'
import { beginningsMatcher, wholeWordMatcher } from './word-matcher.ts'

/** A record's fields, or an element of an array inside `any`. */
export type Fields = Json

/** Whether the fields meet a condition. */
export type Test = (fields: Fields) => boolean

/** Creates the test of a condition, with everything prepared that can be. */
export function testOf(condition: Condition): Test {
  switch (condition.op) {
    case 'and': {
      const tests = condition.of.map(testOf)
      return (fields) => tests.every((test) => test(fields))
    }
    case 'or': {
      const tests = condition.of.map(testOf)
      return (fields) => tests.some((test) => test(fields))
    }
    case 'not': {
      const test = testOf(condition.of)
      return (fields) => !test(fields)
    }
    default: {
      const test = valueTestOf(condition)
      const { path } = condition
      return (fields) => test(valueAt(fields, path))
    }
  }
}

/** The searchable fields of a condition. */
export function fieldsOf(condition: Condition): readonly string[] {
  if ('path' in condition) return [condition.path[0]]
  return condition.op === 'not' ? fieldsOf(condition.of) : condition.of.flatMap(fieldsOf)
}

/** A condition on one value. */
export type Leaf = Exclude<Condition, { readonly op: 'and' | 'or' | 'not' }>

/** Creates the test of a leaf on the value at its path. */
export function valueTestOf(leaf: Leaf): (value: Json) => boolean {
  switch (leaf.op) {
    case 'eq':
      return (value) => same(value, leaf.value)
    case 'in':
      return membership(leaf.values)
    case 'gt':
      return (value) => (compare(value, leaf.value) ?? 0) > 0
    case 'lt':
      return (value) => (compare(value, leaf.value) ?? 0) < 0
    case 'gte':
      return (value) => (compare(value, leaf.value) ?? -1) >= 0
    case 'lte':
      return (value) => (compare(value, leaf.value) ?? 1) <= 0
    case 'like': {
      const matches = patternMatcher(parsePattern(leaf.pattern))
      return (value) => someText(value, matches)
    }
    case 'fuzzy':
    case 'keyword': {
      const matches = leaf.op === 'keyword' ? wholeWordMatcher(leaf.words) : beginningsMatcher(leaf.words)
      return (value) => someText(value, matches)
    }
    case 'contains':
      return (value) => Array.isArray(value) && value.some((item) => same(item, leaf.value))
    case 'any': {
      const test = testOf(leaf.of)
      return (value) => Array.isArray(value) && value.some(test)
    }
  }
}

/** The value at the path; null if there is none. */
export function valueAt(fields: Fields, path: readonly string[]): Json {
  let value: Json = fields
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key)) return null
    value = (value as { readonly [key: string]: Json })[key] ?? null
  }
  return value
}

function membership(values: readonly Json[]): (value: Json) => boolean {
  // A list may have tens of thousands of values, too many to go through for each record.
  const scalars = new Set(values.filter((value) => value === null || isScalar(value)).map(setKey))
  const others = values.filter((value) => value !== null && !isScalar(value))
  return (given) => {
    const value = comparable(given)
    return value === null || isScalar(value) ? scalars.has(setKey(value)) : others.some((wanted) => same(value, wanted))
  }
}

/** Equal values have one key: texts by their comparison key, whole numbers past 2^53 as bigints. */
function setKey(value: Json): Json {
  if (typeof value === 'string') return textKey(value)
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return BigInt(value)
  return value
}

/** Whether the text, or any text inside an object or array, passes. Keeps its own stack, so any depth is safe. */
function someText(value: Json, passes: (text: string) => boolean): boolean {
  if (typeof value === 'string') return passes(value)
  for (const text of textsIn(value)) if (passes(text)) return true
  return false
}

/** Every text inside a value, at any depth; keys are not texts. */
export function* textsIn(value: Json): Generator<string> {
  const open: Json[] = [value]
  while (open.length > 0) {
    const next = open.pop()!
    if (typeof next === 'string') yield next
    else if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) open.push(part as Json)
  }
}

/**
 * The score of fields that meet a condition: for each `keyword` outside `not` and `any`, how many of its different
 * words occur; 1 if the condition has no such words. The scores are whole numbers, so that every database gives the
 * same.
 */
export function scoreOf(condition: Condition): (fields: Fields) => number {
  const ranks = rankingsOf(condition).map(({ path, words: wanted }) => {
    const set = new Set(wanted)
    return (fields: Fields) => countWords(valueAt(fields, path), set)
  })
  return (fields) =>
    Math.max(
      1,
      ranks.reduce((sum, rank) => sum + rank(fields), 0),
    )
}

export type Ranking = Extract<Condition, { readonly words: readonly string[] }>

/** The parts of a condition that affect the score; none if every hit would have the same. */
export function rankingsOf(condition: Condition): readonly Ranking[] {
  const found = keywordsOf(condition)
  return found.reduce((sum, { words: wanted }) => sum + wanted.length, 0) > 1 ? found : []
}

function keywordsOf(condition: Condition): Ranking[] {
  if (condition.op === 'and' || condition.op === 'or') return condition.of.flatMap(keywordsOf)
  return condition.op === 'keyword' ? [condition as Ranking] : []
}

/** How many of the words occur in the texts of a value. */
function countWords(value: Json, wanted: ReadonlySet<string>): number {
  const met = new Set<string>()
  for (const text of textsIn(value)) for (const word of words(text)) if (wanted.has(word)) met.add(word)
  return met.size
}
