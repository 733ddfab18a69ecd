/** The tool `execute`: lists and gets records. */
import Type from 'typebox'
import { arrayOf, object, optional, text } from '../catalog/fields.ts'
import { nextParams } from '../client/follow-pages.ts'
import type { Operation } from '../client/mode.ts'
import { ConexError } from '../errors.ts'
import { type Bounds, boundsFields } from './bounds.ts'
import { checkChosenFields } from './check-chosen-fields.ts'
import { elsewhere } from './failure.ts'
import { connectorField, findConnector } from './find-connector.ts'
import { present } from './present.ts'
import type { Answer, ConnectorSummary, Source } from './source.ts'
import { type Call, defineTool, type ToolResult } from './tool.ts'

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
  async (given, source, signal, call) => {
    const { connector: named, entity, action, params = {}, select_fields, exclude_fields, ...bounds } = given
    if (elsewhere(given) !== null)
      throw new ConexError('unknown_action', `This tool lists and gets records; it has no action ${action}.`)
    const connector = await findConnector(source, named)
    const fields = { ...(select_fields && { select_fields }), ...(exclude_fields && { exclude_fields }) }
    const operation = { entity, action, params, fields }
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
  const type = await source.type(connector.connector_type)
  checkChosenFields(type, operation, answer.result)
  const next = nextParams(type, operation, answer)
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
