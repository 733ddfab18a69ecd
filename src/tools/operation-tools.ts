/** One tool per operation, for clients that name entities: its arguments are the params of the operation. */
import Type, { type TObject } from 'typebox'
import type { FieldChoice } from '../catalog/choose-fields.ts'
import { decode } from '../catalog/decode.ts'
import type { ActionDescription, ConnectorType, EntityDescription } from '../catalog/describe.ts'
import { actionOf, entityOf } from '../catalog/describe-text.ts'
import { object } from '../catalog/fields.ts'
import { type PublishedSchema, published } from '../catalog/published-schema.ts'
import { ConexError } from '../errors.ts'
import { boundsFields, usualCharacters } from './bounds.ts'
import { choiceFields, readRecords } from './execute.ts'
import { connectorField, findConnector } from './find-connector.ts'
import { readFileOf } from './get-file.ts'
import { outputSchema } from './output-schema.ts'
import { searchFields, searchRecords } from './search.ts'
import type { ConnectorSummary, Source } from './source.ts'
import { type Call, type Tool, type ToolResult, toolName, usualOffer, withUsual } from './tool.ts'

const mostEntities = 50

type Arguments = Readonly<Record<string, unknown>>

const anyArguments = object()

/** The tools for entities such as `asana.tasks`, or operations such as `asana.tasks.list`. */
export async function operationTools(source: Source, named: readonly string[]): Promise<readonly Tool[]> {
  const names = new Set(named)
  if (names.size > mostEntities)
    throw new ConexError('invalid_request', `Tools were asked for more than ${mostEntities} entities; name fewer.`)
  const tools = new Map<string, Tool>()
  for (const name of names) {
    const [kind = '', entity, action, ...more] = name.split('.')
    if (entity === undefined || more.length > 0)
      throw new ConexError(
        'invalid_request',
        'Tools are named by entities with their kind, such as asana.tasks, or by operations, such as gong.calls.list.',
      )
    const type = await source.type(kind)
    const found = entityOf(type, entity)
    for (const one of action === undefined ? found.actions : [actionOf(found, action)]) {
      const tool = toolOf(type, found, one)
      tools.set(tool.name, tool)
    }
  }
  return [...tools.values()]
}

/** Made once: schemas of records are large, and every HTTP request needs them. */
const made = new WeakMap<ActionDescription, Tool>()

function toolOf(type: ConnectorType, entity: EntityDescription, action: ActionDescription): Tool {
  const tool = made.get(action) ?? makeTool(type, entity, action)
  made.set(action, tool)
  return tool
}

/** The arguments of a tool besides the params of its operation. */
const ownFields = {
  list: { ...choiceFields, ...boundsFields },
  get: { ...choiceFields, ...boundsFields },
  download: { max_characters: boundsFields.max_characters },
  search: searchFields,
} as const

function makeTool(type: ConnectorType, entity: EntityDescription, action: ActionDescription): Tool {
  const { connector_type: kind, title } = type
  const name = toolName(`${kind}_${entity.name}_${action.name}`)
  const own: TObject = Type.Object(
    { connector: connectorField, ...ownFields[action.name] },
    { additionalProperties: false },
  )
  return {
    name,
    description: [`${title}: ${action.description}`, ...action.rules].join(' '),
    inputSchema: inputSchema(action, own),
    ...(action.name !== 'download' && { outputSchema: outputSchema(action) }),
    annotations: { readOnlyHint: true, idempotentHint: true },
    async call(given, source, signal, { nameOf, bounds } = usualOffer) {
      const [taken, params] = divided(decode(anyArguments, given ?? {}), own)
      const decoded: Arguments = decode(own, action.name === 'search' ? { ...taken, ...params } : taken)
      const { connector: named = kind, ...rest } = withUsual(decoded, own, bounds)
      const connector = await findConnector(source, named as string)
      if (connector.connector_type !== kind)
        throw new ConexError(
          'invalid_request',
          `${name} reads connectors of the type ${kind}; this one is ${connector.connector_type}.`,
        )
      return run(source, connector, rest, params, signal, { tool: nameOf(name) ?? name, arguments: given as Arguments })
    },
  }

  function run(
    source: Source,
    connector: ConnectorSummary,
    { select_fields, exclude_fields, ...rest }: Arguments,
    params: Arguments,
    signal: AbortSignal,
    call: Call,
  ): Promise<ToolResult> {
    const operation = { entity: entity.name, action: action.name, params }
    if (action.name === 'search') return searchRecords(source, connector, entity.name, rest, call, signal)
    if (action.name === 'download')
      return readFileOf(source, connector, operation, (rest.max_characters as number) ?? usualCharacters, signal)
    const fields = { select_fields, exclude_fields } as FieldChoice
    return readRecords(source, connector, { ...operation, fields }, rest, call, (next) => next, signal)
  }
}

function inputSchema({ name, params }: ActionDescription, own: TObject): PublishedSchema {
  if (name === 'search') return published(own)
  const { properties, required = [] } = params as TObject
  return published({
    type: 'object',
    properties: { ...properties, ...own.properties },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  })
}

/** The arguments that a tool takes itself, and the params of its operation. */
function divided(given: Arguments, own: TObject): [taken: Arguments, params: Arguments] {
  const entries = Object.entries(given)
  const isOwn = ([name]: [string, unknown]): boolean => Object.hasOwn(own.properties, name)
  return [Object.fromEntries(entries.filter(isOwn)), Object.fromEntries(entries.filter((entry) => !isOwn(entry)))]
}
