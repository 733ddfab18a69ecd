/** The operators of searches, for every place that names them. */

/** Those that take one value for each field, with their meaning. */
export const valueOperators = {
  eq: 'the field has this value',
  neq: 'the field does not have this value',
  gt: 'the field is greater, or later',
  gte: 'the field is greater or equal',
  lt: 'the field is less, or earlier',
  lte: 'the field is less or equal',
  like: 'the whole text matches the pattern: % any characters, _ one',
  startswith: 'the text begins with these characters',
  endswith: 'the text ends with these characters',
  contains: 'the text has these characters, or the list this element',
  array_contains: 'the list has this element',
  fuzzy: 'the words occur in this order, each as the beginning of a word',
  keyword: 'at least one of the words occurs as a whole word',
} as const

export type ValueOperator = keyof typeof valueOperators

/** All operators: the others take lists of values, and conditions. */
export const searchOperators = [
  ...(Object.keys(valueOperators) as ValueOperator[]),
  ...(['in', 'any', 'not', 'and', 'or'] as const),
]
