/** An error as a result: what was wrong, and what to try next. */
import { sqlActions } from '../catalog/sql-params.ts'
import { ConexError, type ErrorCode } from '../errors.ts'
import type { NameOf, ToolResult } from './tool.ts'

/**
 * `nameOf` gives the name under which the program offers a tool, if it does; `remedy` says what to do, where that is known
 * better than from the error.
 */
export function failed(error: unknown, tool: string, given: unknown, nameOf: NameOf, remedy?: string): ToolResult {
  const { code, message, issues = [], retryAfter, upstream } = expected(error)
  const said = upstream?.message == null || message.includes(upstream.message) ? [] : [`It said: ${upstream.message}`]
  const lines = [
    `${code}: ${named(message).replace(/ \(and \d+ more; see errors\)/, '')}`,
    ...said,
    // A single issue is the message again.
    ...(issues.length > 1 ? issues.map(({ path, message }) => `- ${named(path)} ${message}`) : []),
    ...(remedy === undefined ? nextStep(code, tool, given, retryAfter, nameOf) : [remedy]),
  ]
  return { content: [{ type: 'text', text: lines.join('\n') }], isError: true }
}

/** The error as one that callers may see: the details of a defect stay hidden. */
export const expected = (error: unknown): ConexError =>
  error instanceof ConexError
    ? error
    : new ConexError('internal', 'Conex failed; repeat the call, and if it fails again, tell the operator.', {
        cause: error,
      })

/** Paths of a search are one level up in the tool. */
const named = (text: string): string => text.replaceAll('/params/query/', '/')

function nextStep(
  code: ErrorCode,
  tool: string,
  given: unknown,
  retryAfter: number | undefined,
  nameOf: NameOf,
): string[] {
  const args = (given ?? {}) as Arguments
  const { connector, entity, action = actionFor(tool) } = args
  const next = (general: string, passed: object): string[] => {
    const name = nameOf(general)
    return name === undefined ? [] : [`Next: ${name} ${JSON.stringify(passed)}`]
  }
  if (retryAfter !== undefined) return [`Wait ${Math.ceil(retryAfter)} s, then repeat the same call.`]
  if (tool === 'describe') return []
  switch (code) {
    case 'invalid_params':
      return next('describe', { connector, entity, action })
    case 'invalid_query':
      return next('describe', { connector, entity })
    case 'unknown_action':
      return next(...((tool === 'execute' ? elsewhere(args) : null) ?? (['describe', { connector, entity }] as const)))
    case 'unknown_entity':
      return next('describe', { connector })
    case 'not_found':
      return typeof connector === 'string' ? next('list_connectors', {}) : []
    case 'invalid_cursor':
      return ['Begin again without the cursor.']
    case 'search_unavailable':
      return next('execute', { connector, entity, action: 'list' })
    default:
      return []
  }
}

const actionFor = (tool: string): string | undefined => ({ search: 'search', get_file: 'download' })[tool]

type Arguments = Readonly<Record<string, unknown>>

/** The call of another tool that does what `execute` does not; null if there is none. */
export function elsewhere({ connector, entity, action, params }: Arguments): [tool: string, passed: object] | null {
  if (action === 'download') return ['get_file', { connector, entity, params }]
  if (action === 'search') return ['search', { connector, entity }]
  return sqlActions.has(action as string) ? ['sql', { connector, ...(params as object) }] : null
}
