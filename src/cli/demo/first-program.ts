/** A program of ten lines that reads through the demo's server, for the person who takes the tour. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface FirstRead {
  readonly origin: string
  readonly kind: string
  readonly entity: string
  readonly params: Readonly<Record<string, unknown>>
  readonly columns: readonly string[]
}

/** The program reads its access from variables, so that the file contains no secret. */
export const firstProgram = ({ origin, kind, entity, params, columns }: FirstRead): string =>
  `import { env } from 'node:process'
import { connect } from 'conex'

const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, CONNECTOR_ID: connectorId } = env
const connector = connect('${kind}', { baseUrl: '${origin}', clientId, clientSecret, connectorId })

const params = ${JSON.stringify(params)}
for await (const page of connector.pages('${entity}', params))
  for (const record of page.result) console.log(${columns.map((column) => `record.${column}`).join(', ')})
`

/** Writes it into the folder, and returns the command that runs it. */
export function writeFirstProgram(folder: string, program: string): string {
  const file = join(folder, 'first-program.mjs')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, program)
  // In a clone, the sources replace the installed package, and node_modules contains the right Node.
  return import.meta.filename.endsWith('.ts') ? `npx node --conditions=conex-source ${file}` : `node ${file}`
}
