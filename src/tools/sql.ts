/** The tool `sql`: one statement over all copies of a connector. */
import Type from 'typebox'
import { integer, optional, text } from '../catalog/fields.ts'
import { rowLimits, statementLengths, usualRows } from '../catalog/sql-params.ts'
import type { SearchMetadata } from '../wire.ts'
import { boundsFields } from './bounds.ts'
import { connectorField, findConnector } from './find-connector.ts'
import { present } from './present.ts'
import { aboutCopy } from './search.ts'
import { defineTool } from './tool.ts'

const { maximum: mostRows } = rowLimits

export const sql = defineTool(
  'sql',
  'Runs one SQL select over all copies of a connector: joins, groups, windows, CTEs. Tables are the entities that have search; describe gives columns and dialect. Use order by.',
  Type.Object(
    {
      connector: connectorField,
      sql: text(undefined, statementLengths),
      limit: optional(integer(`Rows, ${usualRows} by default`, rowLimits)),
      ...boundsFields,
    },
    { additionalProperties: false },
  ),
  async (given, source, signal, call) => {
    const { connector: named, sql, limit = usualRows, ...bounds } = given
    const connector = await findConnector(source, named)
    const operation = { entity: '*', action: 'sql', params: { sql, limit } }
    const { result, connector_metadata } = await source.execute(connector, operation, signal)
    const { data, meta } = result as {
      readonly data: readonly unknown[]
      readonly meta: { readonly has_more: boolean }
    }
    const goesOn = meta.has_more && limit < mostRows
    return present(
      { result: data, connector_metadata },
      {
        call,
        bounds,
        nextPage: goesOn ? { limit: Math.min(mostRows, limit * 10), skip: data.length } : null,
        chooser: 'select',
        ...(meta.has_more && { end: `There are more than ${mostRows} rows; group or filter them.` }),
        about: aboutRead(connector_metadata as Partial<SearchMetadata>),
      },
    )
  },
)

/** A statement that reads no table tells of no copy. */
const aboutRead = ({ complete, ...metadata }: Partial<SearchMetadata>): string[] =>
  complete === undefined ? [] : aboutCopy({ ...metadata, complete } as SearchMetadata)
