/** Prints the page of one connector kind from its catalog. */
import type { ActionDescription, ConnectorType, EntityDescription } from '../../catalog/describe.ts'

/** JSON Schema, as far as the pages read it. */
interface Schema {
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export function connectorPage(type: ConnectorType): string {
  return `${[
    `# ${type.title}`,
    'Printed from the catalog by `npm run docs`; edit the connector, not this page.',
    `\`connector_type\` is \`${type.connector_type}\`, the definition id \`${type.definition_id}\`.`,
    '## Credentials',
    ...type.auth_methods.map(({ title, name, credentials, scopes }) =>
      [
        `**${title}** (\`auth_method\` is \`${name}\`)`,
        fieldTable(credentials as Schema),
        ...(scopes === undefined
          ? []
          : [`A [consent](../consent.md) asks for ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`]),
      ].join('\n\n'),
    ),
    type.replication_config === null
      ? ''
      : `## Replication settings\n\n${fieldTable(type.replication_config as Schema)}`,
    '## Entities',
    type.entities.length === 0
      ? 'None yet: connectors of this kind can be created and checked.'
      : overview(type.entities),
    ...type.entities.map(entitySection),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`
}

function overview(entities: readonly EntityDescription[]): string {
  const rows = entities.map(
    ({ name, description, actions }) =>
      `| [\`${name}\`](#${name}) | ${actions.map((action) => action.name).join(', ')} | ${cell(description)} |`,
  )
  return ['| Entity | Actions | What it is |', '|---|---|---|', ...rows].join('\n')
}

function entitySection({ name, description, actions, searchable_fields }: EntityDescription): string {
  const live = actions.filter((action) => action.name !== 'search').map(actionPart)
  const searchable = Object.entries(searchable_fields).map(([field, type]) => `\`${field}\` ${type}`)
  const search = actions
    .filter((action) => action.name === 'search')
    .map((action) => `**search** ${action.description} Fields: ${searchable.join(', ')}.`)
  return [`### ${name}`, description, ...live, ...search].join('\n\n')
}

function actionPart({ name, description, params, rules, record }: ActionDescription): string {
  const parts = [`**${name}** ${description}`, fieldTable(params as Schema, 'Param')]
  for (const rule of rules) parts.push(`- ${rule}`)
  if (record !== null) {
    const fields = Object.entries((record as Schema).properties ?? {}).map(
      ([field, schema]) => `\`${field}\` ${typeOf(schema)}`,
    )
    parts.push(`Record: ${fields.join(', ')}; and whatever else the system sends.`)
  }
  return parts.filter((part) => part !== '').join('\n\n')
}

function fieldTable({ properties = {}, required = [] }: Schema, heading = 'Field'): string {
  const rows = Object.entries(properties).map(
    ([name, schema]) =>
      `| \`${name}\`${required.includes(name) ? '*' : ''} | ${typeOf(schema)} | ${cell(schema.description ?? '')} |`,
  )
  return rows.length === 0 ? '' : [`| ${heading} | Type | |`, '|---|---|---|', ...rows].join('\n')
}

function typeOf(schema: Schema): string {
  if (schema.anyOf) {
    const nullable = schema.anyOf.some(({ type }) => type === 'null')
    const types = schema.anyOf.filter(({ type }) => type !== 'null').map(typeOf)
    return `${[...new Set(types)].join(' or ')}${nullable ? '?' : ''}`
  }
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.enum) return schema.enum.map((word) => `\`${word}\``).join(', ')
  const range =
    schema.minimum !== undefined && schema.maximum !== undefined ? ` ${schema.minimum}–${schema.maximum}` : ''
  if (schema.type === 'array') return schema.items ? `array of ${typeOf(schema.items)}` : 'array'
  return `${schema.format === 'date' || schema.format === 'date-time' ? schema.format : (schema.type ?? 'any')}${range}`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
