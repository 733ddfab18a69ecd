/** The catalog's operations in the OpenAPI document: a schema and an example of each request and each answer. */
import { setImmediate as breath } from 'node:timers/promises'
import { answerSchema } from '../catalog/answer-schema.ts'
import { type Action, actionsOf, type Catalog } from '../catalog/catalog.ts'
import type { Entity } from '../catalog/entity.ts'
import { exampleAnswer, exampleParams } from '../catalog/examples.ts'
import type { Paging, PagingBlock } from '../catalog/paging.ts'
import { searchParams } from '../catalog/search-params.ts'
import { sqlActions, sqlParams } from '../catalog/sql-params.ts'
import { TitledSchemas } from '../catalog/titled-schemas.ts'
import { executionExtras } from '../service/execute.ts'
import { searchMetadataSchema } from '../wire.ts'
import { anyOfNamed, type Json } from './openapi-schemas.ts'

/** The schemas and examples of all operations. */
export interface Operations {
  readonly request: Json
  readonly requestExamples: Json
  readonly answer: Json
  readonly answerExamples: Json
  /**
   * By name: requests as `<kind>.<entity>.<action>`, answers with `.answer` behind that, the objects with a title that
   * answers contain as `<kind>.<title>`, and all requests of a kind.
   */
  readonly schemas: Json
}

/** Lets other work proceed between entities. */
export async function describeOperations(catalog: Catalog): Promise<Operations> {
  const schemas: Record<string, unknown> = {}
  const requestExamples: Record<string, unknown> = {}
  const answerExamples: Record<string, unknown> = {}
  const kinds = Object.values(catalog).filter(({ entities }) => Object.keys(entities).length > 0)

  for (const connector of kinds) {
    const { kind, title, entities } = connector
    const names: string[] = []
    const objects = new TitledSchemas(`#/components/schemas/${kind}.`)
    for (const [entityName, entity] of Object.entries(entities)) {
      await breath()
      for (const action of actionsOf(entity)) {
        const name = `${kind}.${entityName}.${action}`
        names.push(name)
        schemas[name] = requestSchema(entityName, entity, action)
        const summary = `${title}: ${entityName} ${action}`
        requestExamples[name] = {
          summary,
          value: { entity: entityName, action, params: exampleParams(connector, entityName, action) },
        }
        if (action === 'download') continue
        schemas[`${name}.answer`] = objects.use(operationAnswer(entity, action))
        answerExamples[name] = { summary, value: exampleAnswer(connector, entityName, action) }
      }
    }
    for (const [object, schema] of Object.entries(objects.named)) schemas[`${kind}.${object}`] = schema
    schemas[kind] = { title, description: `Every operation of ${title}.`, ...anyOfNamed(names) }
  }
  return {
    request: {
      description: 'An operation of the connector, SQL over its copies, or its check.',
      ...anyOfNamed([...kinds.map(({ kind }) => kind), 'sql', 'check']),
    },
    requestExamples: { ...requestExamples, sql: { summary: 'SQL over all copies of a connector', value: sqlExample } },
    answer,
    answerExamples: { ...answerExamples, sql: { summary: 'The rows of SQL', value: sqlAnswerExample } },
    schemas: { ...schemas, sql, 'sql.answer': sqlAnswer, check, 'check.answer': checkAnswer },
  }
}

/** Many operations have similar answers, so a reader could not tell which alternative applies. */
const answer: Json = {
  type: 'object',
  description: 'The answer of the operation. Its schema has the name of the request schema, followed by ".answer".',
  properties: {
    result: { description: 'The records of a list, the record of a get, the hits of a search, or the rows of SQL.' },
    connector_metadata: { type: 'object', description: 'The paging block for the next page, and warnings.' },
  },
  required: ['result', 'connector_metadata'],
}

/** SQL over the copies of a connector. */
const sql: Json = {
  type: 'object',
  description:
    'Runs one SQL select over all copies of the connector. Its tables are the searchable entities, with the sql_columns of the connector type.',
  properties: {
    entity: { const: '*' },
    action: { enum: [...sqlActions] },
    params: sqlParams,
    ...executionExtras,
  },
  required: ['entity', 'action', 'params'],
  additionalProperties: false,
}

const sqlAnswer: Json = {
  type: 'object',
  properties: {
    result: {
      type: 'object',
      properties: {
        data: { type: 'array', items: { type: 'object' } },
        meta: {
          type: 'object',
          properties: { has_more: { type: 'boolean' }, took_ms: { type: 'integer', minimum: 0 } },
          required: ['has_more', 'took_ms'],
        },
      },
      required: ['data', 'meta'],
    },
    connector_metadata: {
      type: 'object',
      description: 'The state of the oldest copy that was read; empty if the statement reads no table.',
      properties: searchMetadataSchema.properties,
    },
  },
  required: ['result', 'connector_metadata'],
}

const sqlExample = {
  entity: '*',
  action: 'sql',
  params: { sql: 'select assignee_name, count(*) as open from tasks where not completed group by 1', limit: 100 },
}

const sqlAnswerExample = {
  result: { data: [{ assignee_name: 'Ann', open: 12 }], meta: { has_more: false, took_ms: 8 } },
  connector_metadata: {
    synced_at: '2026-01-01T00:00:00.000Z',
    age_seconds: 60,
    complete: true,
    status: 'active',
    last_error: null,
  },
}

/** The check of a connector, as an operation. */
const check: Json = {
  type: 'object',
  description: 'Checks the connector with one cheap live call.',
  properties: {
    entity: { const: '*' },
    action: { const: 'check' },
    params: { type: 'object', description: 'Ignored.' },
    ...executionExtras,
  },
  required: ['entity', 'action'],
  additionalProperties: false,
}

function requestSchema(entityName: string, entity: Entity, action: Action): Json {
  const operation = action === 'search' ? null : entity[action]!
  const params = (operation?.params ?? searchParams) as { readonly required?: readonly string[] }
  const rules = (operation?.rules ?? []).map(({ sentence }) => sentence)
  const what = operation?.description ?? `Search the copy: ${entity.description}`
  const required = params.required ?? []
  return {
    type: 'object',
    description: [what, ...rules].join(' '),
    properties: { entity: { const: entityName }, action: { const: action }, params, ...executionExtras },
    required: ['entity', 'action', ...(required.length > 0 ? ['params'] : [])],
    additionalProperties: false,
  }
}

function operationAnswer(entity: Entity, action: Exclude<Action, 'download'>): Json {
  switch (action) {
    case 'search':
      return answerOf(hits(entity), searchMetadataSchema.properties)
    case 'list': {
      const list = entity.list!
      return answerOf({ type: 'array', items: answerSchema(list) }, pagingBlock(list.paging))
    }
    default:
      return answerOf(answerSchema(entity.get!), {})
  }
}

const answerOf = (result: object, metadata: Json): Json => ({
  type: 'object',
  properties: {
    result,
    connector_metadata: {
      type: 'object',
      properties: { ...metadata, warnings },
      required: Object.keys(metadata),
    },
  },
  required: ['result', 'connector_metadata'],
})

const warnings = {
  type: 'array',
  description: 'Values that do not have their declared type, and limits of the system that affect this answer.',
  items: {
    type: 'object',
    properties: { path: { type: 'string' }, message: { type: 'string' } },
    required: ['path', 'message'],
  },
}

function hits({ searchable = {} }: Entity): Json {
  const fields = Object.entries(searchable).map(([field, type]) => [field, { type: [type, 'null'] }])
  return {
    type: 'object',
    properties: {
      hits: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            score: { type: 'number', exclusiveMinimum: 0 },
            data: { type: 'object', properties: Object.fromEntries(fields), additionalProperties: false },
          },
          required: ['id', 'score', 'data'],
        },
      },
      next_cursor: { type: ['string', 'null'] },
      took_ms: { type: 'integer', minimum: 0 },
    },
    required: ['hits', 'next_cursor', 'took_ms'],
  }
}

/** The paging block beside the records of a list. */
function pagingBlock(paging: Paging): Json {
  switch (paging.style) {
    case 'none':
      return {}
    case 'whole':
    case 'time':
      return { [paging.blockName]: { type: ['object', 'null'] } }
    default:
      return blockSchema(paging.block)
  }
}

function blockSchema(block: PagingBlock): Json {
  if (block.holds === 'object') return { [block.name]: { type: ['object', 'null'] } }
  // What stands beside the token is as the system sent it.
  return {
    [block.name]: { type: ['string', 'integer', 'null'] },
    ...Object.fromEntries(Object.keys(block.beside ?? {}).map((name) => [name, {}])),
  }
}

const checkAnswer = answerOf(
  {
    type: 'object',
    properties: {
      status: { enum: ['healthy', 'unhealthy'] },
      checked_entity: { type: 'string' },
      checked_action: { type: 'string' },
      error: { type: 'string', description: 'The fault; absent if there is none.' },
    },
    required: ['status', 'checked_entity', 'checked_action'],
  },
  {},
)
