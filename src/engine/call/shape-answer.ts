/** Changes the records of an answer, and lets other work run in between. */
import { setImmediate as breath } from 'node:timers/promises'
import type { Shaper } from '../../catalog/choose-fields.ts'
import type { Answer } from './call.ts'

/** The answer of a list or a get with each record changed; unchanged without a shape. */
export async function shapeAnswer(answer: Answer, shape: Shaper | null): Promise<Answer> {
  if (shape === null) return answer
  const { result } = answer
  return { ...answer, result: Array.isArray(result) ? await shapeAll(result, shape) : shape(result) }
}

export async function shapeAll(records: readonly unknown[], shape: Shaper): Promise<unknown[]> {
  const shaped: unknown[] = []
  for (const record of records) {
    if (shaped.length % 50 === 49) await breath()
    shaped.push(shape(record))
  }
  return shaped
}
