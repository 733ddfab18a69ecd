/** The tool `execute`: lists and gets records. */
import Type from 'typebox'
import { arrayOf, object, optional, text } from '../catalog/fields.ts'
import { sqlActions } from '../catalog/sql-params.ts'
import { nextParams } from '../client/follow-pages.ts'
import type { Operation } from '../client/mode.ts'
import { ConexError } from '../errors.ts'
import { connectorField, findConnector } from './find-connector.ts'
import { type Bounds, boundsFields, type Call, present } from './present.ts'
import type { Answer, ConnectorSummary, Source } from './source.ts'
import { defineTool, type ToolResult } from './tool.ts'

const paths = optional(arrayOf(text()))

/** The arguments that choose fields of records. */
export const choiceFields = { select_fields: paths, exclude_fields: paths }

export const execute = defineTool(
  'execute',
  'Reads live records: action list (a page) or get (one record). describe gives the params. Choose fields for short answers, e.g. select_fields ["name","assignee.name"].',
  Type.Object(
    {
      connector: connectorField,
      entity: text(),
      action: text('list or get'),
      params: optional(object()),
      ...choiceFields,
      ...boundsFields,
    },
    { additionalProperties: false },
  ),
  async (given, source, signal) => {
    const { connector: named, entity, action, params = {}, select_fields, exclude_fields, ...bounds } = given
    if (action === 'download') throw new ConexError('unknown_action', 'execute gives no files; call get_file instead.')
    if (sqlActions.has(action)) throw new ConexError('unknown_action', 'execute runs no SQL; call sql instead.')
    if (action === 'search') throw new ConexError('unknown_action', 'execute does not search; call search instead.')
    const connector = await findConnector(source, named)
    const fields = { ...(select_fields && { select_fields }), ...(exclude_fields && { exclude_fields }) }
    const operation = { entity, action, params, fields }
    const call = { tool: 'execute', arguments: given }
    return readRecords(source, connector, operation, bounds, call, (params) => ({ params }), signal)
  },
)

/** Reads one page or one record; `pageArguments` are the arguments that give the params of the next page. */
export async function readRecords(
  source: Source,
  connector: ConnectorSummary,
  operation: Operation,
  bounds: Bounds,
  call: Call,
  pageArguments: (params: Operation['params']) => Call['arguments'],
  signal: AbortSignal,
): Promise<ToolResult> {
  const answer = await source.execute(connector, operation, signal)
  const next = nextParams(await source.type(connector.connector_type), operation, answer)
  return present(answer, {
    call,
    bounds,
    nextPage: next && pageArguments(next),
    chooser: 'select_fields',
    about: aboutAnswer(answer),
  })
}

/** The counts and the warnings in the metadata of an answer. */
function aboutAnswer({ connector_metadata: { warnings = [], ...block } }: Answer): string[] {
  const counts = numbersIn(block)
  return [
    ...(counts.length === 0 ? [] : [`The system says: ${counts.join(', ')}.`]),
    ...warnings.map(({ path, message }) => `Warning: ${path === '' ? '' : `${path} `}${message}`),
  ]
}

/** The numbers of a paging block, such as a total. */
function numbersIn(block: object): string[] {
  return Object.entries(block).flatMap(([name, value]) =>
    typeof value === 'number'
      ? [`${name} ${value}`]
      : typeof value === 'object' && value !== null && !(value instanceof Number)
        ? numbersIn(value)
        : [],
  )
}
