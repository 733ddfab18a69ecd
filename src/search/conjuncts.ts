/** What all that meet a condition have to meet. */
import type { Condition } from './query.ts'

/** The parts of a condition that all have to be met, also those of conjunctions inside it; itself where it is none. */
export const conjuncts = (condition: Condition): readonly Condition[] =>
  condition.op === 'and' ? condition.of.flatMap(conjuncts) : [condition]
