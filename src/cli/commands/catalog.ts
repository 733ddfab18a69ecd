/** `conex catalog`: lists everything that can be read, for people or as JSON for programs. */
import type { Command } from 'commander'
import { type Catalog, findEntity } from '../../catalog/catalog.ts'
import { type ActionDescription, type ConnectorType, describeConnector } from '../../catalog/describe.ts'
import { findKind } from '../find-kind.ts'
import type { CommandIo } from '../kinds.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'
import { paintFor } from '../terminal/screen.ts'

export function addCatalogCommand(program: Command, io: CommandIo): void {
  withOutput(
    program
      .command('catalog')
      .description('show the connector types, their entities, actions and params')
      .argument('[kind]', 'one connector type, for example asana; all by default')
      .argument('[entity]', 'one of its entities, with a description of every param'),
  )
    .addHelpText(
      'after',
      `
As JSON, each line describes a connector type: credentials, params and records as JSON Schema, rules, searchable fields.

Examples:
  conex catalog
  conex catalog asana tasks
  conex catalog --json | jq '.entities[].name'`,
    )
    .action((kind: string | undefined, entity: string | undefined, options: OutputOptions) => {
      const types = described(io.kinds.catalog, kind, entity)
      const output = createOutput(options, io)
      const paint = paintFor(io.stdout)
      if (!output.forPeople) output.rows(types)
      else
        io.stdout.write(
          types.map((type) => (entity === undefined ? overview(type, paint) : details(type, paint))).join('\n'),
        )
    })
}

function described(catalog: Catalog, kind: string | undefined, entity: string | undefined): ConnectorType[] {
  if (kind === undefined) return Object.values(catalog).map(describeConnector)
  const connector = findKind(catalog, kind)
  if (entity !== undefined) findEntity(connector, entity)
  const type = describeConnector(connector)
  const entities = type.entities.filter(({ name }) => entity === undefined || name === entity)
  return [{ ...type, entities }]
}

type Paint = ReturnType<typeof paintFor>

/** One line per action, with its params; a star marks required ones. */
function overview({ connector_type, title, auth_methods, sql, entities }: ConnectorType, paint: Paint): string {
  const methods = auth_methods.map((method) => method.title).join(' or ')
  const lines = [`${paint('bold', title)} (${connector_type}): ${methods}`]
  const width = Math.max(...entities.map(({ name }) => name.length), 0)
  for (const { name, actions } of entities)
    for (const [index, action] of actions.entries()) {
      const params = paramsOf(action).map(nameOf)
      lines.push(`  ${(index === 0 ? name : '').padEnd(width)}  ${action.name.padEnd(8)}  ${params.join(', ')}`)
    }
  if (sql !== null) lines.push(`  ${'*'.padEnd(width)}  ${'sql'.padEnd(8)}  ${paramsOf(sql).map(nameOf).join(', ')}`)
  return `${lines.join('\n')}\n`
}

/** An entity with its actions, a description of each param, and its searchable fields. */
function details({ entities }: ConnectorType, paint: Paint): string {
  return entities
    .map(({ name, description, actions, searchable_fields, sql_columns }) => {
      const paths = Object.keys(sql_columns).filter((column) => !Object.hasOwn(searchable_fields, column))
      const fields = Object.entries(searchable_fields).map(([field, type]) => `${field} (${type})`)
      return [
        `${paint('bold', name)}: ${description}`,
        ...actions.map((action) => actionLines(action, paint)),
        ...(fields.length === 0 ? [] : [`\nsearchable fields: ${fields.join(', ')}`]),
        ...(paths.length === 0 ? [] : [`also columns of SQL: ${paths.join(', ')}`]),
        '',
      ].join('\n')
    })
    .join('\n')
}

function actionLines(action: ActionDescription, paint: Paint): string {
  const params = paramsOf(action)
  const width = Math.max(0, ...params.map((param) => nameOf(param).length))
  return [
    `\n${paint('bold', action.name)}  ${action.description}`,
    ...params.map((param) => `  ${nameOf(param).padEnd(width)}  ${param.description}`),
    ...action.rules.map((rule) => `  ${paint('dim', rule)}`),
  ].join('\n')
}

interface Param {
  readonly name: string
  readonly required: boolean
  readonly description: string
}

const nameOf = ({ name, required }: Param): string => (required ? `${name}*` : name)

function paramsOf({ params }: Pick<ActionDescription, 'params'>): Param[] {
  const { properties = {}, required = [] } = params as {
    readonly properties?: Readonly<Record<string, { readonly description?: string; readonly type?: string }>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, type }]) => ({
    name,
    required: required.includes(name),
    description: description ?? type ?? '',
  }))
}
