/**
 * Prints the declarations of `src/client/kinds.ts` for the published package. They equal the types that are inferred
 * from the catalog, and add the description of each operation, param and field as a comment, which inference cannot do.
 */
import type { Connector } from '../../catalog/connector.ts'
import { type ActionDescription, describeConnector, type EntityDescription } from '../../catalog/describe.ts'

interface Schema {
  readonly title?: string
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
  const shapes: Shapes = new Map()
  return [
    "import type { DownloadAction, GetAction, ListAction, Uniform } from './connector-types.js'",
    "import type { SearchAction } from './search-types.js'",
    '/** Any JSON object, unchanged. */\nexport interface JsonObject { readonly [key: string]: unknown }',
    `export type ConnectorKind = ${kinds.map(quoted).join(' | ')}`,
    '/** What a connection to a system of each kind offers. */',
    `export interface Kinds { ${kinds.map((kind) => `readonly ${quoted(kind)}: ${nameOf(kind)}`).join('; ')} }`,
    '/** The credentials that each kind takes: the fields of one of its auth methods. */',
    `export interface KindCredentials { ${kinds.map((kind) => `readonly ${quoted(kind)}: ${nameOf(kind, 'credentials')}`).join('; ')} }`,
    ...connectors.flatMap((connector) => kindDeclarations(connector, shapes)),
    '',
  ].join('\n')
}

/** The names of object types in records by their text: each type is printed once. */
type Shapes = Map<string, string>

function kindDeclarations(connector: Connector, shapes: Shapes): string[] {
  const { connector_type: kind, title, auth_methods, entities } = describeConnector(connector)
  const methods = auth_methods.map(({ credentials }) => typeOf(credentials as Schema))
  const names = entities.map(({ name }) => quoted(name)).join(' | ') || 'never'
  return [
    ...entities.flatMap((entity) =>
      entity.actions.flatMap((action) => actionDeclarations(connector, entity, action, shapes)),
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
  shapes: Shapes,
): string[] {
  const name = (what: string): string => nameOf(connector.kind, entity.name, action.name, what)
  if (action.name === 'search') {
    const { get, list } = connector.entities[entity.name]!
    const declared = [get, list].map((operation) => (operation?.record as Schema | undefined)?.properties ?? {})
    const data = Object.entries(entity.searchable_fields).map(([field, type]) => {
      // Objects and lists have the type of the record's field, as in the types that are inferred.
      const isNested = type === 'object' || type === 'array'
      const own = isNested ? declared.find((fields) => Object.hasOwn(fields, field))?.[field] : undefined
      return `readonly ${quoted(field)}: ${typeOf(own ?? { type })} | null`
    })
    return [`export interface ${name('data')} { ${data.join('; ')} }`]
  }
  const params = `export interface ${name('params')} ${typeOf(action.params as Schema)}`
  if (action.name === 'download') return [params]
  // The declared record, from which the types are inferred, and not the weaker schema of answers (decision 31).
  const record = connector.entities[entity.name]![action.name]!.record as Schema
  const declared: string[] = []
  const write: WriteObject = (body, path) => {
    const known = shapes.get(body)
    if (known !== undefined) return known
    const own = unused(nameOf(connector.kind, ...path), shapes)
    shapes.set(body, own)
    declared.push(`export type ${own} = ${body}`)
    return own
  }
  const type = typeOf(record, write, [entity.name, action.name, 'record'])
  return [params, ...declared, ...(type === name('record') ? [] : [`export type ${name('record')} = ${type}`])]
}

/** Paths of different words can give the same name. */
function unused(name: string, shapes: Shapes): string {
  const used = new Set(shapes.values())
  let own = name
  for (let count = 2; used.has(own); count++) own = `${name}${count}`
  return own
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

/** How an object type is written: in place, or by a name from its path, which begins at the operation or at a title. */
type WriteObject = (body: string, path: readonly string[]) => string

const inPlace: WriteObject = (body) => body

/** The TypeScript type of a schema, using the catalog's own type names. */
function typeOf(schema: Schema, write: WriteObject = inPlace, path: readonly string[] = []): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((one) => typeOf(one, write, path)))].join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ')
  const at = schema.title === undefined ? path : [schema.title]
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return schema.type
    case 'integer':
      return 'number'
    case 'array':
      return schema.items === undefined ? 'readonly unknown[]' : `(${typeOf(schema.items, write, path)})[]`
    case 'object':
      return schema.properties === undefined && typeof schema.additionalProperties !== 'object'
        ? 'JsonObject'
        : write(`{\n${membersOf(schema, write, at)}${othersOf(schema, write, at)}}`, at)
    default:
      return 'unknown'
  }
}

/** The fields of an object under names that are not listed, if they have a type. */
const othersOf = ({ additionalProperties: others }: Schema, write: WriteObject, path: readonly string[]): string =>
  typeof others === 'object'
    ? `readonly [name: string]: ${typeOf(others, write, [...path, 'other'])} | undefined\n`
    : ''

function membersOf({ properties = {}, required = [] }: Schema, write: WriteObject, path: readonly string[]): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const optional = required.includes(name) ? '' : '?'
      return `${comment(describe(schema))}readonly ${quoted(name)}${optional}: ${typeOf(schema, write, [...path, name])}\n`
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
