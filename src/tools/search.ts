/** The tool `search`: finds records in the copy. */
import Type, { type Static } from 'typebox'
import { anyOf, arrayOf, integer, object, optional, text } from '../catalog/fields.ts'
import { searchOperators } from '../catalog/search-operators.ts'
import type { SearchMetadata } from '../wire.ts'
import { boundsFields } from './bounds.ts'
import { connectorField, findConnector } from './find-connector.ts'
import { present } from './present.ts'
import { searchLanguageUri } from './search-language.ts'
import type { ConnectorSummary, Source } from './source.ts'
import { type Call, defineTool, type ToolResult } from './tool.ts'

const usualHits = 50

/** The arguments of a search. */
export const searchFields = {
  filter: optional(object('{"keyword":{"name":"launch"},"gte":{"due_on":"2026-01-01"}}')),
  sort: optional(arrayOf(object(), '[{"due_on":"asc"}]')),
  fields: optional(arrayOf(anyOf([text(), arrayOf(text())]))),
  limit: optional(integer('50 by default', { minimum: 1, maximum: 10_000 })),
  cursor: optional(text()),
  ...boundsFields,
}

const asked = Type.Object(searchFields, { additionalProperties: false })

export const search = defineTool(
  'search',
  `Finds records in the synchronized copy: fast, filtered, sorted. Operators: ${searchOperators.join(' ')}; describe tells more of each by action search.`,
  Type.Object({ connector: connectorField, entity: text(), ...searchFields }, { additionalProperties: false }),
  async (given, source, signal, call) => {
    const { connector: named, entity, ...question } = given
    const connector = await findConnector(source, named)
    return searchRecords(source, connector, entity, question, call, signal)
  },
  searchLanguageUri,
)

interface FoundHits {
  readonly hits: readonly unknown[]
  readonly next_cursor: string | null
}

export async function searchRecords(
  source: Source,
  connector: ConnectorSummary,
  entity: string,
  question: Static<typeof asked>,
  call: Call,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { filter, sort, fields, limit = usualHits, cursor, ...bounds } = question
  const query = { ...(filter && { filter }), ...(sort && { sort }) }
  const params = { query, limit, ...(fields && { fields }), ...(cursor !== undefined && { cursor }) }
  const answer = await source.execute(connector, { entity, action: 'search', params }, signal)
  const { hits, next_cursor } = answer.result as FoundHits
  return present(answer, {
    call,
    bounds,
    hits,
    nextPage: next_cursor === null ? null : { cursor: next_cursor },
    chooser: 'fields',
    about: aboutCopy(answer.connector_metadata as unknown as SearchMetadata),
  })
}

/** The age of the copy, and whatever it lacks. */
export function aboutCopy({ age_seconds, complete, last_error }: SearchMetadata): string[] {
  const age = age_seconds === null ? 'The first sync is still running' : `The copy is ${age_seconds} s old`
  return [
    complete ? `${age}.` : `${age} and not complete, so records may be missing.`,
    ...(last_error === null ? [] : [`Its last sync failed: ${last_error.detail}`]),
  ]
}
