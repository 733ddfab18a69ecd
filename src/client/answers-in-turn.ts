/** Follows an operation from answer to answer, by what its description says of paging. */
import type { ConnectorType } from '../catalog/describe.ts'
import type { Params } from '../catalog/rules.ts'
import type { Answer } from '../engine/call.ts'
import { ConexError } from '../errors.ts'
import type { Mode, Operation, Signal } from './mode.ts'

/** The answers of an operation, to the last. Refuses a page token that comes a second time, since its pages would never end. */
export async function* answersInTurn(
  operation: Operation,
  signal: Signal,
  execute: Mode['execute'],
  describe: Mode['describe'],
): AsyncGenerator<Answer, void, undefined> {
  const seen = new Set<string>()
  for (let params: Params = operation.params; ; ) {
    const answer = await execute({ ...operation, params }, signal)
    yield answer
    const next = nextParams(await describe(signal), { ...operation, params }, answer)
    if (next === null) return
    const key = JSON.stringify(next)
    if (seen.has(key)) throw repeated()
    seen.add(key)
    params = next
  }
}

/** The params of the page after this answer; null after the last one. */
export function nextParams(type: ConnectorType, { entity, action, params }: Operation, answer: Answer): Params | null {
  const described = type.entities.find(({ name }) => name === entity)?.actions.find(({ name }) => name === action)
  if (!described?.paging) return null
  const { param, next } = described.paging
  const token = valueAt(answer, next)
  if (token === undefined || token === null || token === '') return null
  const { properties } = described.params as { readonly properties?: Readonly<Record<string, { type?: string }>> }
  return { ...params, [param]: properties?.[param]?.type === 'integer' ? Number(token) : token }
}

/** What stands at a JSON Pointer. */
function valueAt(answer: unknown, pointer: string): unknown {
  let found = answer
  for (const step of pointer.split('/').slice(1)) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}

const repeated = (): ConexError =>
  new ConexError(
    'upstream_invalid_response',
    'The same page token came twice, so the pages would never end; what came before it is complete up to that page.',
  )
