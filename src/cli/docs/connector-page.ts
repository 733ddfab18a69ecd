/** Prints the page of one connector kind from its catalog. */
import type { Connector } from '../../catalog/connector.ts'
import { type ActionDescription, describeConnector, type EntityDescription } from '../../catalog/describe.ts'
import { exampleParams } from '../../catalog/examples.ts'
import type { JsonSchema } from '../../catalog/json-schema.ts'
import { schemaFields, typeOf } from '../../catalog/schema-fields.ts'
import { stringifyJson } from '../../json.ts'
import { documentedFields, titledObjects } from './documented-fields.ts'

export function connectorPage(connector: Connector): string {
  const type = describeConnector(connector)
  const documented = documentedFields(connector)
  return `${[
    `# ${type.title}`,
    'Printed from the catalog by `npm run docs`; edit the connector, not this page.',
    `\`connector_type\` is \`${type.connector_type}\`, the definition id \`${type.definition_id}\`.`,
    '## Credentials',
    ...type.auth_methods.map(({ title, name, credentials, scopes }) =>
      [
        `**${title}** (\`auth_method\` is \`${name}\`)`,
        fieldTable(credentials as JsonSchema),
        ...(scopes === undefined
          ? []
          : [`A [consent](../consent.md) asks for ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`]),
      ].join('\n\n'),
    ),
    type.replication_config === null
      ? ''
      : `## Replication settings\n\n${fieldTable(type.replication_config as JsonSchema)}`,
    '## Entities',
    type.entities.length === 0
      ? 'None yet: you can create and check connectors of this type.'
      : [overview(type.entities), conventions, ...(type.sql === null ? [] : [sqlInWords])].join('\n\n'),
    ...type.entities.map((entity) => entitySection(connector, entity, documented)),
    ...titledObjects(connector),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`
}

const conventions = `\`*\` marks required params, and record fields that every answer contains; \`?\` marks fields that can be null.
The JSON under an action is a request to the execute endpoint. Pass the same params to the client library, or with \`--param\` on the command line. The OpenAPI document, which every server provides at \`/openapi.json\`, shows the answers as well.`

const sqlInWords = `Action \`sql\` of the entity \`*\` runs [SQL](../sql.md) over all copies: the entities with search are its tables, their fields the columns, and
a path that is indexed inside an object has a column, too, with \`_\` for the dot.`

function overview(entities: readonly EntityDescription[]): string {
  const rows = entities.map(
    ({ name, description, actions }) =>
      `| [\`${name}\`](#${name}) | ${actions.map((action) => action.name).join(', ')} | ${cell(description)} |`,
  )
  return ['| Entity | Actions | Description |', '|---|---|---|', ...rows].join('\n')
}

function entitySection(
  connector: Connector,
  entity: EntityDescription,
  documented: ReturnType<typeof documentedFields>,
): string {
  const { name, description, actions, searchable_fields } = entity
  const searchable = Object.entries(searchable_fields).map(([field, type]) => `\`${field}\` ${type}`)
  const { indexed = [] } = connector.entities[name]!
  const inside =
    indexed.length === 0 ? '' : ` Indexed inside objects: ${indexed.map((path) => `\`${path}\``).join(', ')}.`
  const parts = actions.map((action) =>
    [
      ...(action.name === 'search'
        ? [`**search**: ${action.description} [Search](../search.md) explains the query.`]
        : live(action)),
      request(connector, name, action),
      ...(action.name === 'search'
        ? [`Fields: ${searchable.join(', ')}.${inside}`]
        : [...answer(connector, name, action), ...documented(name, action.name)]),
    ].join('\n\n'),
  )
  return [`### ${name}`, description, ...parts].join('\n\n')
}

function live({ name, description, params, rules }: ActionDescription): string[] {
  const table = fieldTable(params as JsonSchema, 'Param')
  const sentences = rules.map((rule) => `- ${rule}`).join('\n')
  return [`**${name}**: ${description}`, table, sentences].filter((part) => part !== '')
}

function request(connector: Connector, entity: string, { name: action }: ActionDescription): string {
  const params = exampleParams(connector, entity, action)
  const body = { entity, action, ...(Object.keys(params).length > 0 && { params }) }
  return ['```json', stringifyJson(body), '```'].join('\n')
}

function answer(connector: Connector, entity: string, { name, record, paging }: ActionDescription): string[] {
  if (name === 'download' || name === 'search') return ['Returns the bytes of the file.']
  const { properties = {}, required = [] } = record as JsonSchema
  const fields = (connector.entities[entity]![name]!.record.required ?? []).map(
    (field: string) => `\`${field}\`${required.includes(field) ? '*' : ''} ${typeOf(properties[field]!)}`,
  )
  const next =
    paging === null
      ? name === 'list'
        ? [' One answer contains everything.']
        : []
      : [` The next page: \`${paging.param}\` from \`${paging.next.slice(1).replaceAll('/', '.')}\`.`]
  return [`Record: ${fields.join(', ')}; and all other fields that the system sends.${next.join('')}`]
}

function fieldTable(shape: JsonSchema, heading = 'Field'): string {
  const rows = schemaFields(shape).map(
    ({ name, required, type, description }) => `| \`${name}\`${required ? '*' : ''} | ${type} | ${cell(description)} |`,
  )
  return rows.length === 0 ? '' : [`| ${heading} | Type | |`, '|---|---|---|', ...rows].join('\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
