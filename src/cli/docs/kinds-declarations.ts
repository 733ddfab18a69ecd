/**
 * Prints the declarations of `src/client/kinds.ts` for the published package. They equal the types that are inferred
 * from the catalog, and add the description of each operation, param and field as a comment, which inference cannot do.
 */
import type { Connector } from '../../catalog/connector.ts'
import { type ActionDescription, describeConnector, type EntityDescription } from '../../catalog/describe.ts'
import { TitledSchemas } from '../../catalog/titled-schemas.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly string[]
  readonly const?: string | boolean
}

export function kindsDeclarations(connectors: readonly Connector[]): string {
  const kinds = connectors.map(({ kind }) => kind)
  return [
    "import type { DownloadAction, GetAction, ListAction, SearchAction, Uniform } from './connector-types.js'",
    '/** Any JSON object, unchanged. */\nexport interface JsonObject { readonly [key: string]: unknown }',
    `export type ConnectorKind = ${kinds.map(quoted).join(' | ')}`,
    '/** What a connection to a system of each kind offers. */',
    `export interface Kinds { ${kinds.map((kind) => `readonly ${quoted(kind)}: ${nameOf(kind)}`).join('; ')} }`,
    '/** The credentials that each kind takes: the fields of one of its auth methods. */',
    `export interface KindCredentials { ${kinds.map((kind) => `readonly ${quoted(kind)}: ${nameOf(kind, 'credentials')}`).join('; ')} }`,
    ...connectors.flatMap(kindDeclarations),
    '',
  ].join('\n')
}

function kindDeclarations(connector: Connector): string[] {
  const { connector_type: kind, title, auth_methods, entities } = describeConnector(connector)
  const methods = auth_methods.map(({ credentials }) => typeOf(credentials as Schema))
  const names = entities.map(({ name }) => quoted(name)).join(' | ') || 'never'
  const objects = new TitledSchemas(nameOf(kind))
  return [
    ...entities.flatMap((entity) =>
      entity.actions.flatMap((action) => actionDeclarations(connector, entity, action, objects)),
    ),
    ...Object.entries(objects.named as Readonly<Record<string, Schema>>).map(
      ([object, schema]) =>
        `${comment(schema.description)}export interface ${nameOf(kind, object)} {\n${membersOf(schema)}}`,
    ),
    `export type ${nameOf(kind, 'credentials')} = ${methods.join(' | ') || 'never'}`,
    `${comment(`A connection to ${title}.`)}export interface ${nameOf(kind)} extends Uniform<${names}> {`,
    ...entities.map((entity) => entityMember(kind, entity)),
    '}',
  ]
}

function actionDeclarations(
  connector: Connector,
  entity: EntityDescription,
  action: ActionDescription,
  objects: TitledSchemas,
): string[] {
  const name = (what: string): string => nameOf(connector.kind, entity.name, action.name, what)
  if (action.name === 'search') {
    const data = Object.entries(entity.searchable_fields).map(([field, type]) => {
      const own =
        type === 'integer'
          ? 'number'
          : type === 'object'
            ? 'JsonObject'
            : type === 'array'
              ? 'readonly unknown[]'
              : type
      return `readonly ${quoted(field)}: ${own} | null`
    })
    return [`export interface ${name('data')} { ${data.join('; ')} }`]
  }
  const params = `export interface ${name('params')} ${typeOf(action.params as Schema)}`
  if (action.name === 'download') return [params]
  // The declared record, from which the types are inferred, and not the weaker schema of answers (decision 31).
  const { properties, required } = objects.use(connector.entities[entity.name]![action.name]!.record) as Schema
  const members = membersOf({ properties: properties ?? {}, required: required ?? [] })
  return [params, `export interface ${name('record')} {\n${members}readonly [field: string]: unknown\n}`]
}

function entityMember(kind: string, { name, description, actions }: EntityDescription): string {
  const members = actions.map((action) => {
    const named = (what: string): string => nameOf(kind, name, action.name, what)
    const type = {
      list: () => `ListAction<${named('params')}, ${named('record')}>`,
      get: () => `GetAction<${named('params')}, ${named('record')}>`,
      download: () => `DownloadAction<${named('params')}>`,
      search: () => `SearchAction<${named('data')}>`,
    }[action.name]()
    return `${comment([action.description, ...action.rules].join('\n'))}readonly ${action.name}: ${type}\n`
  })
  return `${comment(description)}readonly ${quoted(name)}: {\n${members.join('')}}`
}

/** The TypeScript type of a schema, using the catalog's own type names. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return schema.type
    case 'integer':
      return 'number'
    case 'array':
      return schema.items === undefined ? 'readonly unknown[]' : `(${typeOf(schema.items)})[]`
    case 'object':
      return schema.properties === undefined && othersOf(schema) === ''
        ? 'JsonObject'
        : `{\n${membersOf(schema)}${othersOf(schema)}}`
    default:
      return 'unknown'
  }
}

/** The fields of an object under names that are not listed, if they have a type. */
const othersOf = ({ additionalProperties: others }: Schema): string =>
  typeof others === 'object' ? `readonly [name: string]: ${typeOf(others)} | undefined\n` : ''

function membersOf({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const optional = required.includes(name) ? '' : '?'
      return `${comment(describe(schema))}readonly ${quoted(name)}${optional}: ${typeOf(schema)}\n`
    })
    .join('')
}

/** The description of a nullable field belongs to its other type. */
const describe = ({ description, anyOf = [] }: Schema): string | undefined =>
  description ?? anyOf.find((one) => one.description !== undefined)?.description

const comment = (text: string | undefined): string =>
  text === undefined || text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', '\n * ')} */\n`

const quoted = (name: string): string => JSON.stringify(name)

/** `asana`, `task_subtasks`, `list`, `params` become `AsanaTaskSubtasksListParams`. */
const nameOf = (...words: readonly string[]): string =>
  words
    .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
