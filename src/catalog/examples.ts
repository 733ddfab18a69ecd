/**
 * Examples for documents: params and answers of operations, from the declared schemas and the kind's example values.
 */
import Schema from 'typebox/schema'
import { type Action, findEntity } from './catalog.ts'
import type { Connector } from './connector.ts'
import type { Entity } from './entity.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Paging, PagingBlock } from './paging.ts'
import type { Params } from './rules.ts'

/** Params that fit the operation and its rules. */
export function exampleParams(connector: Connector, entityName: string, action: Action): Params {
  const given = connector.examples?.params?.[`${entityName}.${action}`]
  if (given !== undefined) return given
  const entity = findEntity(connector, entityName)
  if (action === 'search') return exampleSearch(connector, entityName, entity)
  return sample(entity[action]!.params as JsonSchema, entityName, valuesOf(connector, entityName)) as Params
}

/** An answer that fits the operation. A download answers a file instead. */
export function exampleAnswer(connector: Connector, entityName: string, action: Exclude<Action, 'download'>): object {
  const entity = findEntity(connector, entityName)
  const values = valuesOf(connector, entityName)
  switch (action) {
    case 'search':
      return exampleHits(entity, values)
    case 'get':
      return { result: whole(entity.get!.record as JsonSchema, values), connector_metadata: {} }
    case 'list': {
      const { record, paging } = entity.list!
      return { result: [whole(record as JsonSchema, values)], connector_metadata: lastPage(paging) }
    }
  }
}

/** The example value for a name, if there is one. */
type Values = (name: string) => unknown

const valuesOf =
  ({ examples }: Connector, entity: string): Values =>
  (name) =>
    examples?.entities?.[entity]?.[name] ?? examples?.values[name]

/**
 * The example value if it fits; otherwise a value made from the schema: null if allowed, and only the required fields
 * of an object.
 */
function sample(shape: JsonSchema, name: string, values: Values): unknown {
  const shown = values(name)
  if (shown !== undefined && Schema.Check(shape as never, shown)) return shown
  if (shape.const !== undefined) return shape.const
  if (shape.enum !== undefined) return shape.enum[0]
  if (shape.anyOf !== undefined)
    return shape.anyOf.some(({ type }) => type === 'null') ? null : sample(shape.anyOf[0]!, name, values)
  switch (shape.type) {
    case 'object':
      return ofFields(shape, shape.required ?? [], within(shown, values))
    case 'array':
      return shape.items?.properties === undefined ? [] : [sample(shape.items, name, values)]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return shape.minimum ?? 1
    default:
      return shape.format === 'date' ? '2026-06-01' : shape.format === 'date-time' ? '2026-06-01T09:00:00Z' : 'text'
  }
}

/** Inside an object, the fields of its example value come first. */
const within =
  (shown: unknown, values: Values): Values =>
  (name) =>
    (shown as Readonly<Record<string, unknown>> | undefined)?.[name] ?? values(name)

/** A record with every required field. */
const whole = (shape: JsonSchema, values: Values): object => ofFields(shape, shape.required ?? [], values)

const ofFields = ({ properties = {} }: JsonSchema, names: readonly string[], values: Values): object =>
  Object.fromEntries(names.map((name) => [name, sample(properties[name]!, name, values)]))

/** The paging block of a last page. */
function lastPage(paging: Paging): object {
  if (paging.style === 'none') return {}
  if (paging.style === 'whole' || paging.style === 'time') return { [paging.blockName]: null }
  const { block } = paging
  const beside = block.holds === 'token' ? Object.keys(block.beside ?? {}).map((name) => [name, null]) : []
  return { [block.name]: endOf(block), ...Object.fromEntries(beside) }
}

const endOf = (block: PagingBlock): object | null =>
  block.holds === 'object' && block.counted !== undefined
    ? { ...block.counted(null, 1), ...(block.token !== undefined && { [block.token]: null }) }
    : null

/** A search that finds the record with the example values. */
function exampleSearch(connector: Connector, entityName: string, entity: Entity): Params {
  const data = searchedRecord(entity, valuesOf(connector, entityName))
  const key = entity.sync?.confirm?.field
  const shown = Object.entries(data).filter(([, one]) => typeof one === 'string')
  const [field, value] = shown.find(([name]) => name === key) ?? shown[0] ?? []
  return { query: { filter: field === undefined ? { and: [] } : { eq: { [field]: value } } }, limit: 10 }
}

function exampleHits(entity: Entity, values: Values): object {
  const data = searchedRecord(entity, values)
  return {
    result: { hits: [{ id: entity.sync?.identity(data) ?? '1', score: 1, data }], next_cursor: null, took_ms: 2 },
    connector_metadata: {
      synced_at: '2026-06-15T20:00:00.000Z',
      age_seconds: 60,
      complete: true,
      status: 'active',
      last_error: null,
    },
  }
}

function searchedRecord({ searchable = {} }: Entity, values: Values): Readonly<Record<string, unknown>> {
  const fields = Object.entries(searchable).map(([name, type]) => {
    const shown = values(name)
    // Integers past 2^53 are shown with all their digits.
    const fits = typeof shown === 'bigint' ? type === 'integer' : Schema.Check({ type } as never, shown)
    return [name, shown !== undefined && fits ? shown : null]
  })
  return Object.fromEntries(fields)
}
