/** An error as a result: what was wrong, and what to try next. */
import type { ConexError, ErrorCode } from '../errors.ts'
import type { ToolResult } from './tool.ts'

/** `remedy` says what to do, where that is known better than from the error. */
export function failed(error: ConexError, tool: string, given: unknown, remedy?: string): ToolResult {
  const { code, message, issues = [], retryAfter, upstream } = error
  const said = upstream?.message == null || message.includes(upstream.message) ? [] : [`It said: ${upstream.message}`]
  const lines = [
    `${code}: ${named(message).replace(/ \(and \d+ more; see errors\)/, '')}`,
    ...said,
    // A single issue is the message again.
    ...(issues.length > 1 ? issues.map(({ path, message }) => `- ${named(path)} ${message}`) : []),
    ...(remedy === undefined ? nextStep(code, tool, given, retryAfter) : [remedy]),
  ]
  return { content: [{ type: 'text', text: lines.join('\n') }], isError: true }
}

/** Paths of a search are one level up in the tool. */
const named = (text: string): string => text.replaceAll('/params/query/', '/')

function nextStep(code: ErrorCode, tool: string, given: unknown, retryAfter: number | undefined): string[] {
  const { connector, entity, action } = (given ?? {}) as Readonly<Record<string, unknown>>
  const describe = (named: object): string => `Next: describe ${JSON.stringify(named)}`
  if (retryAfter !== undefined) return [`Wait ${Math.ceil(retryAfter)} s, then repeat the same call.`]
  if (tool === 'describe' || typeof connector !== 'string') return []
  switch (code) {
    case 'invalid_params':
      return [describe({ connector, entity, action: actionFor(tool) ?? action })]
    case 'invalid_query':
    case 'unknown_action':
      return [describe({ connector, entity })]
    case 'unknown_entity':
      return [describe({ connector })]
    case 'not_found':
      return ['Next: list_connectors {}']
    case 'invalid_cursor':
      return ['Begin again without the cursor.']
    case 'search_unavailable':
      return [`Next: execute with action list, or ${tool} again later.`]
    default:
      return []
  }
}

const actionFor = (tool: string): string | undefined => ({ search: 'search', get_file: 'download' })[tool]
