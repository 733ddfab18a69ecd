/** Turns the operations of a connected system into tools for language models. */
import type { ActionDescription, ConnectorType, EntityDescription } from '../catalog/describe.ts'
import { ConexError } from '../errors.ts'
import type { Uniform } from './connector-types.ts'
import { readFile } from './tool-file.ts'
import { checkFields, checkNames, chosenFields, fieldsSchema } from './tool-input.ts'
import { boundedAnswer, failure, type ToolOutput } from './tool-output.ts'
import type { CallOptions } from './with-timeout.ts'

/** An operation, in the form that every framework for language models uses for a tool. */
export interface Tool {
  /** Letters, digits, `_` and `-`; at most 64. */
  readonly name: string
  /** The purpose of the operation, its usage rules, and how to get the next page. */
  readonly description: string
  readonly inputSchema: ToolSchema
  /**
   * Runs the operation. Errors come back as data, so that the model can correct its call; only the caller's own abort
   * is thrown.
   */
  execute(input: unknown, options?: CallOptions): Promise<ToolOutput>
}

/** The JSON Schema of a tool's input. */
export interface ToolSchema {
  readonly [keyword: string]: unknown
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required: string[]
  readonly additionalProperties: false
}

export interface ToolOptions<E extends string = string> {
  /**
   * The maximum number of characters in the output of a call, as JSON; 30,000 by default. Whole records are left out to
   * stay below it.
   */
  readonly maxCharacters?: number
  /** The operations that become tools, for example `['tasks.list', 'tasks.get']`; all by default. */
  readonly only?: readonly `${E}.${'list' | 'get' | 'search' | 'download'}`[]
  /** The prefix of names; the kind by default, which keeps the tools of several systems apart. */
  readonly prefix?: string
}

/** The operations of a connected system as tools. Local mode has no search, so there are no tools for it. */
export async function tools<E extends string>(
  connected: Uniform<E>,
  options: ToolOptions<NoInfer<E>> = {},
): Promise<Tool[]> {
  const type = await connected.describe()
  const made: Tool[] = []
  const wanted = new Set<string>(options.only)
  for (const entity of type.entities)
    for (const action of entity.actions) {
      const chosen = options.only === undefined || wanted.delete(`${entity.name}.${action.name}`)
      const able = action.name !== 'search' || connected.mode === 'hosted'
      if (chosen && able) made.push(toolOf(connected, type, entity, action, options))
    }
  const [unknown] = wanted
  if (unknown === undefined) return made
  throw new ConexError(
    'invalid_request',
    `${type.title} has no operation "${unknown}"; describe() lists all operations.`,
  )
}

function toolOf(
  connected: Uniform,
  type: ConnectorType,
  entity: EntityDescription,
  action: ActionDescription,
  { maxCharacters = 30_000, prefix = `${type.connector_type}_` }: ToolOptions,
): Tool {
  const inputSchema = schemaOf(action)
  const ownFields = 'fields' in (action.params as unknown as ToolSchema).properties
  const declared = Object.keys((action.record as unknown as ToolSchema | null)?.properties ?? {})
  const run = async (input: Record<string, unknown>, call?: CallOptions): Promise<ToolOutput> => {
    checkNames(input, Object.keys(inputSchema.properties))
    if (action.name === 'download') return readFile(await connected.download(entity.name, input, call), maxCharacters)
    const { fields, ...params } = input
    const chosen = ownFields ? undefined : chosenFields(fields)
    const reading = { ...call, ...(chosen && { select_fields: chosen }) }
    const answer = await connected.execute(entity.name, action.name, ownFields ? input : params, reading)
    if (chosen !== undefined) checkFields(chosen, [answer.result].flat(), declared)
    return boundedAnswer(answer, { maxCharacters, limit: 'limit' in inputSchema.properties })
  }
  return {
    name: `${prefix}${entity.name}_${action.name}`.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64),
    description: descriptionOf(type, entity, action),
    inputSchema,
    async execute(input, call) {
      try {
        return await run(asObject(input), call)
      } catch (error) {
        if (call?.signal?.aborted) throw error
        return failure(error)
      }
    },
  }
}

function descriptionOf({ title }: ConnectorType, entity: EntityDescription, action: ActionDescription): string {
  const { name, description, rules, paging } = action
  const sentences = [`${title}: ${description}`, ...rules]
  if (name === 'search') sentences.push(`Fields: ${Object.keys(entity.searchable_fields).join(', ')}.`)
  if (paging !== null) {
    const place = paging.next.slice(1).replaceAll('/', '.')
    sentences.push(
      `Gives one page; for the next one repeat the call with ${paging.param} from ${place}, which is absent or null on the last page.`,
    )
  }
  return sentences.join(' ')
}

/** The params from the catalog, and a selection of fields if the operation has none of its own. */
function schemaOf({ name, params }: ActionDescription): ToolSchema {
  const { properties, required = [] } = withoutOwnKeywords(params) as ToolSchema
  return {
    type: 'object',
    properties: name === 'download' || 'fields' in properties ? properties : { ...properties, fields: fieldsSchema },
    required,
    additionalProperties: false,
  }
}

/** Keywords that begin with `x-` are for people; some models refuse unknown keywords. */
function withoutOwnKeywords(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith('x-form') ? undefined : value)))
}

function asObject(input: unknown): Record<string, unknown> {
  if (input === undefined || input === null) return {}
  if (typeof input === 'object' && !Array.isArray(input)) return input as Record<string, unknown>
  throw new ConexError('invalid_params', 'The input of this tool must be an object with its params.')
}
