/** The JSON Schema of a tool's structured content. */
import type { ActionDescription } from '../catalog/describe.ts'
import { type PublishedSchema, published } from '../catalog/published-schema.ts'

export function outputSchema({ name, record }: ActionDescription): PublishedSchema {
  const { $defs, ...one } = loose(record ?? { type: 'object' }) as Readonly<Record<string, unknown>>
  const result =
    name === 'list' ? { type: 'array', items: one } : name === 'get' ? { anyOf: [one, { type: 'null' }] } : hits
  return published({
    type: 'object',
    properties: { result, connector_metadata: { type: 'object' }, next: { type: 'object' }, note: { type: 'string' } },
    required: ['result'],
    ...($defs !== undefined && { $defs }),
  })
}

const hits = {
  type: 'object',
  properties: {
    hits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, score: { type: 'number' }, data: { type: 'object' } },
      },
    },
    next_cursor: { type: ['string', 'null'] },
    took_ms: { type: 'number' },
  },
}

/** Keywords that no longer hold once texts are cut, fields are chosen and empty ones left out. */
const strict = new Set(['required', 'pattern', 'format', 'minLength', 'maxLength', 'minItems', 'enum', 'const'])

/** The schema of a record that may have been shortened. Names of fields are no keywords. */
function loose(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(loose)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !strict.has(keyword))
      .map(([keyword, value]) => [
        keyword,
        keyword === 'properties' || keyword === '$defs' ? inside(value) : loose(value),
      ]),
  )
}

const inside = (named: object): object =>
  Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, loose(schema)]))
