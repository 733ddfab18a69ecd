/** `conex catalog`: what can be read, as a table for people or as JSON for programs. */
import type { Command } from 'commander'
import { findConnector } from '../../catalog/catalog.ts'
import { type ConnectorType, describeConnector } from '../../catalog/describe.ts'
import { catalog } from '../../connectors/index.ts'
import { ConexError } from '../../errors.ts'

export function addCatalogCommand(program: Command): void {
  program
    .command('catalog')
    .description('show the connector kinds, their entities, actions and params')
    .argument('[kind]', 'one kind, for example asana; all when left out')
    .option('--json', 'print JSON: an array of connector types')
    .action((kind: string | undefined, options: { json?: boolean }) => {
      const types = chosen(kind).map(describeConnector)
      process.stdout.write(options.json ? `${JSON.stringify(types, null, 2)}\n` : types.map(table).join('\n'))
    })
}

function chosen(kind: string | undefined) {
  if (kind === undefined) return Object.values(catalog)
  const found = findConnector(catalog, kind)
  if (found === null)
    throw new ConexError(
      'invalid_request',
      `There is no connector "${kind}"; use one of ${Object.keys(catalog).join(', ')}.`,
    )
  return [found]
}

function table({ connector_type, title, auth_methods, entities }: ConnectorType): string {
  const lines = [`${title} (${connector_type}): ${auth_methods.map((method) => method.title).join(' or ')}`]
  const width = Math.max(...entities.map(({ name }) => name.length), 0)
  for (const { name, actions } of entities)
    for (const [index, action] of actions.entries()) {
      const { properties = {}, required = [] } = action.params as { properties?: object; required?: readonly string[] }
      const params = Object.keys(properties).map((param) => (required.includes(param) ? `${param}*` : param))
      lines.push(`  ${(index === 0 ? name : '').padEnd(width)}  ${action.name.padEnd(8)}  ${params.join(', ')}`)
    }
  return `${lines.join('\n')}\n`
}
