/** Binds the tools to what they read, for programs that run models themselves. */
import Type, { type TObject } from 'typebox'
import { decode } from '../catalog/decode.ts'
import { published } from '../catalog/published-schema.ts'
import type { Conex } from '../client/conex.ts'
import type { Uniform } from '../client/connector-types.ts'
import { type CallOptions, unlessAborted, withTimeout } from '../client/with-timeout.ts'
import type {
  BoundTool,
  ImageType,
  ServiceToolOptions,
  SystemToolOptions,
  ToolOutput,
  ToolSchema,
} from './bound-tool.ts'
import { type Bounds, boundsFields, boundsFieldsFor } from './bounds.ts'
import { expected, failed } from './failure.ts'
import { hostedSource } from './hosted-source.ts'
import { listConnectors } from './list-connectors.ts'
import { operationTools } from './operation-tools.ts'
import type { Source } from './source.ts'
import { systemSource } from './system-source.ts'
import { type Offer, type Tool, type ToolResult, toolName } from './tool.ts'
import { generalTools, withoutCopies } from './tools.ts'

export async function toolsOfService(service: Conex, options: ServiceToolOptions): Promise<BoundTool[]> {
  const { only, prefix = '', saveFile } = options
  const source = hostedSource(service, saveFile)
  const found = only === undefined ? generalTools : await operationTools(source, only)
  return bindAll(found, (tool) => prefix + tool, source, boundsOf(options))
}

/** There is a single connector, so no tool lists connectors, and none takes the argument that names one. */
export async function toolsOfSystem(system: Uniform, options: SystemToolOptions): Promise<BoundTool[]> {
  const { connector_type: kind, title } = await system.describe()
  const { only, prefix = `${kind}_`, saveFile } = options
  const source = systemSource(kind, title, system, saveFile)
  const found = only === undefined ? generalToolsOf(title, system) : await operationTools(source, only.map(ofKind))
  // The names of tools for operations begin with their kind.
  const begin = only === undefined ? 0 : `${kind}_`.length
  return bindAll(found.map(withoutConnector), (tool) => prefix + tool.slice(begin), source, boundsOf(options))

  function ofKind(name: string): string {
    return `${kind}.${name}`
  }
}

function bindAll(
  tools: readonly Tool[],
  rename: (tool: string) => string,
  source: Source,
  bounds: Bounds,
): BoundTool[] {
  const names = new Map(tools.map(({ name }) => [name, toolName(rename(name))]))
  const offer: Offer = { nameOf: (tool) => names.get(tool), bounds }
  return tools.map((tool) => bind(tool, names.get(tool.name)!, source, offer))
}

function generalToolsOf(title: string, { mode }: Uniform): readonly Tool[] {
  return (mode === 'local' ? withoutCopies : generalTools)
    .filter((tool) => tool !== listConnectors)
    .map((tool) => ({ ...tool, description: `${title}: ${tool.description}` }))
}

const optionsSchema = Type.Object({
  maxCharacters: boundsFields.max_characters,
  maxText: boundsFields.max_text,
  omitEmpty: boundsFields.omit_empty,
})

/** The chosen bounds; `invalid_request` if a call could not set them. */
function boundsOf({ maxCharacters, maxText, omitEmpty }: ServiceToolOptions | SystemToolOptions): Bounds {
  decode(optionsSchema, JSON.parse(JSON.stringify({ maxCharacters, maxText, omitEmpty })))
  return {
    ...(maxCharacters !== undefined && { max_characters: maxCharacters }),
    ...(maxText !== undefined && { max_text: maxText }),
    ...(omitEmpty !== undefined && { omit_empty: omitEmpty }),
  }
}

function bind(tool: Tool, name: string, source: Source, offer: Offer): BoundTool {
  return {
    name,
    description: tool.description,
    inputSchema: withBounds(tool.inputSchema, offer.bounds),
    async execute(input, { signal, timeout }: CallOptions = {}) {
      try {
        const run = (ends = new AbortController().signal) => unlessAborted(tool.call(input, source, ends, offer), ends)
        return outputOf(await withTimeout({ signal, timeout }, run))
      } catch (error) {
        if (signal?.aborted) throw error
        return { ...outputOf(failed(error, tool.name, input, offer.nameOf)), error: problemOf(error) }
      }
    },
  }
}

/** The schema, which says what holds where a call sets no bounds. */
function withBounds({ properties, required = [] }: Tool['inputSchema'], bounds: Bounds): ToolSchema {
  const fields = published(Type.Object(boundsFieldsFor(bounds))).properties as ToolSchema['properties']
  const own = Object.entries(properties as ToolSchema['properties'])
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(([name, schema]) => [name, fields[name] ?? schema])),
    required: required as string[],
    additionalProperties: false,
  }
}

function withoutConnector({ inputSchema, ...tool }: Tool): Tool {
  const { connector: _, ...properties } = inputSchema.properties as TObject['properties']
  return { ...tool, inputSchema: { ...inputSchema, properties } }
}

function outputOf({ content, structuredContent: structured }: ToolResult): ToolOutput {
  const image = content.find((part) => part.type === 'image')
  if (image !== undefined) {
    const mediaType = image.mimeType as ImageType
    return { text: `The file is an image (${mediaType}).`, image: { data: image.data, mediaType } }
  }
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return { text, ...(structured && { structured }) }
}

function problemOf(error: unknown): NonNullable<ToolOutput['error']> {
  const { code, message: detail, issues, retryAfter } = expected(error)
  return {
    code,
    detail,
    ...(issues && { errors: issues }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
  }
}
