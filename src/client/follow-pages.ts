/** Follows the pages of an operation, using the paging in its description. */
import type { ConnectorType } from '../catalog/describe.ts'
import type { Params } from '../catalog/rules.ts'
import type { Answer } from '../engine/call/call.ts'
import { identityIn, watchProgress } from '../engine/paging/progress.ts'
import type { Mode, Operation, Signal } from './mode.ts'

/** All answers of an operation. Ends with an error if its pages stop bringing anything new. */
export async function* followPages(
  operation: Operation,
  signal: Signal,
  execute: Mode['execute'],
  describe: Mode['describe'],
): AsyncGenerator<Answer, void, undefined> {
  let watch: ReturnType<typeof watchProgress> | undefined
  for (let params: Params = operation.params; ; ) {
    const answer = await execute({ ...operation, params }, signal)
    yield answer
    const type = await describe(signal)
    const next = nextParams(type, { ...operation, params }, answer)
    if (next === null) return
    watch ??= watchProgress(identityIn((actionOf(type, operation)?.record as object | null | undefined) ?? null))
    const problem = watch({
      records: Array.isArray(answer.result) ? answer.result : [answer.result],
      next: JSON.stringify(next),
    })
    if (problem !== null) throw problem
    params = next
  }
}

/** The params for the page after this answer; null after the last one. */
export function nextParams(type: ConnectorType, operation: Operation, answer: Answer): Params | null {
  const { params } = operation
  const described = actionOf(type, operation)
  if (!described?.paging) return null
  const { param, next } = described.paging
  const token = valueAt(answer, next)
  if (token === undefined || token === null) return null
  const { properties } = described.params as { readonly properties?: Readonly<Record<string, { type?: string }>> }
  return { ...params, [param]: properties?.[param]?.type === 'integer' ? Number(token) : token }
}

const actionOf = (type: ConnectorType, { entity, action }: Operation) =>
  type.entities.find(({ name }) => name === entity)?.actions.find(({ name }) => name === action)

/** The value at a JSON Pointer. */
function valueAt(answer: unknown, pointer: string): unknown {
  let found = answer
  for (const step of pointer.split('/').slice(1)) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}
