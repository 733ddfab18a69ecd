/** Requests that no operation describes: what a kind allows of them, and the check of one. */
import Type from 'typebox'
import { ConexError, type Issue } from '../errors.ts'
import { checkOf } from './check.ts'
import type { Connector } from './connector.ts'
import { oneOf, optional } from './fields.ts'

export const rawRequestSchema = Type.Object(
  {
    method: optional(oneOf(['GET', 'POST'], 'GET by default; POST only where the system reads by it.')),
    path: Type.String({
      description: 'The path below the system’s address, for example /users/me.',
      maxLength: 2048,
      pattern: "^(/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)+/?$",
      'x-form': 'a path that begins with "/", without a query',
    }),
    query: optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'Query parameters.',
        'x-form': 'an object with texts, numbers and booleans',
      }),
    ),
    body: optional(Type.Unknown({ description: 'The JSON body of a POST.' })),
  },
  { additionalProperties: false },
)

/** A request below the address of a connector's system. */
export interface RawRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
}

/** The request, if the kind knows it as a read; otherwise `invalid_params`. Sends nothing. */
export function checkRawRequest(connector: Connector, given: unknown): RawRequest {
  const issues = checkOf(rawRequestSchema, '')(given)
  if (issues.length > 0) throw refused(issues)
  const request = given as RawRequest
  const { method = 'GET', path, query = {}, body } = request
  const steps = path.split('/').slice(1)
  const { get = [], post = [], refusedQuery = [] } = connector.rawReads ?? { get: [] }
  const reads = method === 'GET' ? get : [...post, ...postsOf(connector)]
  const wrong = (at: string, message: string): never => {
    throw refused([{ path: at, message }])
  }
  if (!steps.every(isStep)) wrong('/path', 'cannot have "..", an encoded slash or a control character in a step')
  if (!reads.some((pattern) => matches(pattern.split('/').slice(1), steps)))
    wrong('/path', `is not known as a read of ${connector.title} by ${method}`)
  for (const name of Object.keys(query))
    if (refusedQuery.includes(name.toLowerCase())) wrong(`/query/${name}`, 'would make the request something else')
  if (method === 'GET' && body !== undefined) wrong('/body', 'is for a POST')
  return request
}

/** The paths of the kind's lists and gets that read by POST. */
const postsOf = ({ entities }: Connector): string[] =>
  Object.values(entities)
    .flatMap(({ list, get }) => [list, get])
    .filter((operation) => operation?.method === 'POST')
    .map((operation) => operation!.path.replaceAll(/\{[^}]+\}/g, '*'))

/** Whether a step stays one, and is none to elsewhere, however it is decoded. */
function isStep(step: string): boolean {
  try {
    return !/^\.{1,2}$|[/\\\x00-\x1f\x7f%]/.test(decodeURIComponent(step))
  } catch {
    return false
  }
}

function matches([first, ...pattern]: readonly string[], steps: readonly string[]): boolean {
  if (first === '**' && pattern.length === 0) return true
  const [step, ...rest] = steps
  if (first === undefined || step === undefined) return first === step
  return (first === '*' || first === step) && matches(pattern, rest)
}

const refused = (issues: readonly Issue[]): ConexError =>
  new ConexError('invalid_params', `The request cannot be sent: ${issues[0]!.path.slice(1)} ${issues[0]!.message}.`, {
    issues,
  })
