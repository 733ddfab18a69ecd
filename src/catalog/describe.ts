/** The catalog as plain data, for `connector-types`, `conex catalog --json` and the documents. */
import Type, { type Static, type TSchema } from 'typebox'
import { answerSchema } from './answer-schema.ts'
import { type Action, actionNames, actionsOf } from './catalog.ts'
import type { Connector } from './connector.ts'
import type { Entity, FieldType } from './entity.ts'
import { arrayOf, nullable, oneOf, optional, text } from './fields.ts'
import { pageLink } from './paging.ts'
import { searchParams } from './search-params.ts'
import { sqlColumns } from './sql-columns.ts'
import { sqlDialectNames } from './sql-dialects.ts'
import { sqlParams } from './sql-params.ts'
import { TitledSchemas } from './titled-schemas.ts'

/** JSON Schema, as a value. */
const jsonSchema = (description: string) => Type.Unsafe<TSchema>({ type: 'object', description })

const actionSchema = Type.Object({
  name: oneOf(actionNames),
  description: text(),
  params: jsonSchema('JSON Schema of the params.'),
  rules: arrayOf(text(), 'Conditions on the params that a schema cannot express, one sentence each.'),
  record: nullable(jsonSchema('JSON Schema of a record in an answer; null for search and download.')),
  paging: nullable(
    Type.Object(
      { param: text('The param that takes it.'), next: text('A JSON Pointer into the answer.') },
      { description: 'How to get the next page; null if one answer contains everything.' },
    ),
  ),
})

const fieldTypes = (description: string) =>
  Type.Record(
    Type.String(),
    oneOf(['string', 'integer', 'number', 'boolean', 'object', 'array'] satisfies [FieldType, ...FieldType[]]),
    { description },
  )

const entitySchema = Type.Object({
  name: text(),
  description: text(),
  actions: arrayOf(actionSchema),
  searchable_fields: fieldTypes('The type of each searchable field.'),
  sql_columns: fieldTypes(
    'The type of each column that SQL finds in the table of this entity; none if it has no table.',
  ),
})

const sqlSchema = Type.Object(
  {
    params: jsonSchema('JSON Schema of the params.'),
    dialect: optional(oneOf(sqlDialectNames, 'The dialect of the database; absent where no server answers.')),
  },
  { description: 'SQL over all copies of a connector: action sql of the entity "*". Null if no copy is kept.' },
)

const authMethodSchema = Type.Object({
  name: text('The auth_method of connectors that use it.'),
  title: text(),
  credentials: jsonSchema('JSON Schema of the credentials.'),
  scopes: optional(arrayOf(text(), 'The scopes that a consent asks for, if a consent can give these credentials.')),
})

/** A connector kind as plain data. */
export const connectorTypeSchema = Type.Object(
  {
    connector_type: text('The kind.'),
    definition_id: text('Its id.'),
    title: text(),
    auth_methods: arrayOf(authMethodSchema),
    replication_config: nullable(jsonSchema('JSON Schema of the settings of the copy; null if there are none.')),
    sql: nullable(sqlSchema),
    entities: arrayOf(entitySchema),
  },
  { title: 'ConnectorType' },
)

export type ActionDescription = Static<typeof actionSchema>
export type EntityDescription = Static<typeof entitySchema>
export type ConnectorType = Static<typeof connectorTypeSchema>

/** Describes a connector kind in plain JSON values. */
export function describeConnector(connector: Connector): ConnectorType {
  return plain({
    connector_type: connector.kind,
    definition_id: connector.definitionId,
    title: connector.title,
    auth_methods: connector.authMethods.map(({ name, title, credentials, consent }) => ({
      name,
      title,
      credentials,
      ...(consent && { scopes: [...consent.scopes] }),
    })),
    replication_config: connector.replicationConfig,
    sql: Object.values(connector.entities).some(({ sync }) => sync !== undefined) ? { params: sqlParams } : null,
    entities: Object.entries(connector.entities).map(([name, entity]) => ({
      name,
      description: entity.description,
      actions: actionsOf(entity).map((action) => describeAction(entity, action)),
      searchable_fields: entity.searchable ?? {},
      sql_columns: columnsOf(entity),
    })),
  })
}

const columnsOf = ({ searchable = {}, indexed = [] }: Entity) =>
  Object.fromEntries(
    sqlColumns(searchable, indexed).map(({ name, type }): [string, FieldType] => [
      name,
      type === 'path' ? 'string' : type,
    ]),
  )

function describeAction(entity: Entity, action: Action): ActionDescription {
  if (action === 'search')
    return {
      name: action,
      description: [
        'Search the copy:',
        entity.description,
        ...(entity.sync?.note === undefined ? [] : [entity.sync.note]),
      ].join(' '),
      params: searchParams,
      rules: [],
      record: null,
      paging: { param: 'cursor', next: '/result/next_cursor' },
    }
  const operation = entity[action]!
  return {
    name: action,
    description: operation.description,
    params: operation.params,
    rules: (operation.rules ?? []).map((rule) => rule.sentence),
    record: operation.action === 'download' ? null : withDefinitions(answerSchema(operation)),
    paging: operation.action === 'list' ? pageLink(operation.paging) : null,
  }
}

/** With the objects that have a title in `$defs`. */
function withDefinitions(schema: object): TSchema {
  const objects = new TitledSchemas('#/$defs/')
  const record = objects.use(schema) as TSchema
  return Object.keys(objects.named).length === 0 ? record : { ...record, $defs: objects.named }
}

/** Keeps only JSON: schemas contain hidden marks of their library. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
