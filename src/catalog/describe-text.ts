/** A kind of connector in words for a model: its entities, one entity, or one operation. */

import { ConexError } from '../errors.ts'
import type { ActionDescription, ConnectorType, EntityDescription } from './describe.ts'
import { didYouMean } from './did-you-mean.ts'
import type { JsonSchema } from './json-schema.ts'
import { published } from './published-schema.ts'
import { typeOf } from './schema-fields.ts'
import { sqlDialects } from './sql-dialects.ts'
import { truncate } from './truncate.ts'

/** One line per entity. */
export function kindInWords({ connector_type, title, sql, entities }: ConnectorType): string[] {
  return [
    `${title} (${connector_type}). Entities and their actions:`,
    ...entities.map(
      ({ name, description, actions }) =>
        `${name} [${actions.map((action) => action.name).join(', ')}]: ${firstSentence(description)}`,
    ),
    ...(sql === null
      ? []
      : [`sql joins and groups their copies${inDialect(sql)}. Tables are the entities that have search.`]),
  ]
}

const inDialect = ({ dialect }: Sql): string => (dialect === undefined ? '' : `, in the dialect of ${dialect}`)

type Sql = NonNullable<ConnectorType['sql']>

export const firstSentence = (description: string): string => description.split(/(?<=\.)\s/, 1)[0] ?? description

/** The actions of an entity with the names and types of their params, and the names of its fields. */
export function entityInWords({ connector_type, sql }: ConnectorType, entity: EntityDescription): string[] {
  const { name, description, actions } = entity
  const records = actions.map(fieldsOf).filter((fields) => fields.length > 0)
  return [
    `${connector_type} ${name}: ${description}`,
    ...actions.map((action) =>
      action.name === 'search' ? searchInWords(entity) : [signatureOf(action), ...action.rules].join(' '),
    ),
    ...(sql === null || Object.keys(entity.sql_columns).length === 0 ? [] : [tableInWords(sql, entity)]),
    ...(records.length === 0 ? [] : [`Record fields: ${records[0]!.map(([field]) => field).join(', ')}`]),
  ]
}

/** One operation with all its params, and its record. */
export function actionInWords(entity: EntityDescription, action: ActionDescription): string[] {
  if (action.name === 'search') return [action.description, searchInWords(entity)]
  const { properties = {}, required = [] } = action.params as JsonSchema
  const params = Object.entries(properties).map(([name, shape]) => {
    const about = shape.description === undefined ? '' : ` — ${shape.description}`
    return `- ${name}${required.includes(name) ? '' : '?'}: ${plainType(shape)}${about}`
  })
  const fields = fieldsOf(action).map(([name, shape]): [string, string] => [name, plainType(shape)])
  return [
    `${entity.name} ${action.name}: ${action.description}`,
    params.length === 0 ? 'It takes no params.' : 'Params:',
    ...params,
    ...action.rules,
    ...(fields.length === 0 ? [] : [`Record: ${byType(fields)}`]),
  ]
}

/** The JSON Schemas of an operation. */
export const actionInFull = ({ params, record }: ActionDescription): string[] => [
  `Params: ${JSON.stringify(published(params))}`,
  ...(record === null ? [] : [`Record: ${JSON.stringify(published(record))}`]),
]

const signatureOf = ({ name, params, description }: ActionDescription): string => {
  const { properties = {}, required = [] } = params as JsonSchema
  const taken = Object.entries(properties).map(
    ([param, shape]) => `${param}${required.includes(param) ? '' : '?'}: ${plainType(shape)}`,
  )
  return `${name}(${taken.join(', ')}): ${description}`
}

function searchInWords({ searchable_fields }: EntityDescription): string {
  return `search, by and for these fields: ${byType(Object.entries(searchable_fields))}`
}

function tableInWords(sql: Sql, { name, searchable_fields, sql_columns }: EntityDescription): string {
  const paths = Object.keys(sql_columns).filter((column) => !Object.hasOwn(searchable_fields, column))
  const columns = [`columns are these fields`, ...(paths.length === 0 ? [] : [`as strings ${paths.join(', ')}`])]
  const note = sql.dialect === undefined ? '' : `; ${sqlDialects[sql.dialect]}`
  return `sql${inDialect(sql)}: table ${name}; ${columns.join(', and ')}${note}`
}

/** Names by their type, which says each type once. */
function byType(fields: readonly (readonly [name: string, type: string])[]): string {
  const groups = Map.groupBy(fields, ([, type]) => type)
  return [...groups].map(([type, some]) => `${type}: ${some.map(([name]) => name).join(', ')}`).join('; ')
}

/** A type as documents show it, without their marks for code and for null, which any field of a record can be. */
const plainType = (shape: JsonSchema): string => typeOf(shape).replaceAll(/[`?]/g, '')

/** The declared fields of the records that an action gives, each with its schema. */
export const fieldsOf = ({ record }: ActionDescription): [string, JsonSchema][] =>
  Object.entries((record as JsonSchema | null)?.properties ?? {})

export function entityOf({ connector_type, entities }: ConnectorType, name: string): EntityDescription {
  const found = entities.find((entity) => entity.name === name)
  if (found !== undefined) return found
  const known = entities.map((entity) => entity.name)
  const guess = didYouMean(name, known) || `; its entities are ${known.join(', ')}.`
  throw new ConexError('unknown_entity', `The ${connector_type} connector has no entity "${truncate(name)}"${guess}`)
}

export function actionOf({ name: entity, actions }: EntityDescription, name: string): ActionDescription {
  const found = actions.find((action) => action.name === name)
  if (found !== undefined) return found
  const known = actions.map((action) => action.name).join(', ')
  throw new ConexError('unknown_action', `The entity "${entity}" has no action "${truncate(name)}"; it has ${known}.`)
}
