/** Prints the optional fields of records and the contents of objects, in one table for all operations that share them. */
import type { Connector } from '../../catalog/connector.ts'
import type { JsonSchema } from '../../catalog/json-schema.ts'
import { typeOf } from '../../catalog/schema-fields.ts'

/** The paragraphs for an operation: its table, or where the table is. */
export function documentedFields(connector: Connector): (entity: string, action: string) => string[] {
  const tables = Object.entries(connector.entities).flatMap(([entity, operations]) =>
    (['list', 'get'] as const).flatMap((action) => {
      const record = operations[action]?.record as JsonSchema | undefined
      if (record === undefined) return []
      return [
        {
          entity,
          action,
          names: Object.keys(record.properties ?? {})
            .sort()
            .join(),
          rows: rowsOf(record),
        },
      ]
    }),
  )
  const largestFirst = tables.toSorted((one, other) => other.rows.length - one.rows.length)
  return (entity, action) => {
    const own = tables.find((table) => table.entity === entity && table.action === action)
    if (own === undefined || own.rows.length === 0) return []
    const home = largestFirst.find(
      ({ names, rows }) => names === own.names && own.rows.every((row) => rows.includes(row)),
    )!
    if (home !== own)
      return [`The table under [\`${home.entity}\` ${home.action}](#${home.entity}) has the documented fields.`]
    return [
      'Fields that the system documents but does not always send, and the contents of objects:',
      ['| Field | Type | |', '|---|---|---|', ...own.rows].join('\n'),
    ]
  }
}

/** Optional fields, and those that contain others. */
function rowsOf({ properties = {}, required = [] }: JsonSchema): string[] {
  return Object.entries(properties).flatMap(([name, shape]) => {
    const inside = contents(shape)
    if (required.includes(name) && inside === '') return []
    const described =
      shape.description ?? shape.anyOf?.find(({ description }) => description !== undefined)?.description
    const about = [described, inside && `Contains ${inside}.`].filter(Boolean).join(' ')
    return [`| \`${name}\` | ${typeOf(shape)} | ${about.replaceAll('|', '\\|')} |`]
  })
}

/** The objects with a title, and the fields of each. */
export function titledObjects({ entities }: Connector): string[] {
  const found = new Map<string, JsonSchema>()
  for (const { list, get } of Object.values(entities))
    for (const operation of [list, get]) if (operation !== undefined) collect(operation.record as JsonSchema, found)
  if (found.size === 0) return []
  const sections = [...found].map(([title, shape]) => `### ${title}\n\n${fieldsIn(shape)}.`)
  return ['## Objects in records', ...sections.sort()]
}

function collect(shape: JsonSchema, found: Map<string, JsonSchema>): void {
  if (shape.title !== undefined) {
    if (found.has(shape.title)) return
    found.set(shape.title, shape)
  }
  for (const part of [...(shape.anyOf ?? []), ...Object.values(shape.properties ?? {})]) collect(part, found)
  if (shape.items !== undefined) collect(shape.items, found)
}

/** The fields inside of a field; those that are not text have their type: `gid`, `enabled` boolean, `user` (`gid`, …). */
function contents(shape: JsonSchema): string {
  const own = shape.anyOf?.find(({ type }) => type !== 'null') ?? shape
  if (own.items !== undefined) return contents(own.items)
  return own.title === undefined ? fieldsIn(own) : `[${own.title}](#${own.title.toLowerCase()})`
}

function fieldsIn({ properties = {} }: JsonSchema): string {
  return Object.entries(properties)
    .map(([name, field]) => {
      const inside = contents(field)
      const type = typeOf(field).replace('?', '')
      return `\`${name}\`${inside === '' ? (type === 'string' ? '' : ` ${type}`) : ` (${inside})`}`
    })
    .join(', ')
}
