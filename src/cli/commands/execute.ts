/** `conex execute`: runs one operation from here, without a server, and prints records as JSON lines. */
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { findAction, findConnector } from '../../catalog/catalog.ts'
import { searchParams } from '../../catalog/search-params.ts'
import { connect } from '../../client/connect.ts'
import type { Uniform } from '../../client/connected.ts'
import { type ConnectorKind, catalog } from '../../connectors/index.ts'
import type { Answer } from '../../engine/call.ts'
import { ConexError } from '../../errors.ts'
import { parseJson, stringifyJson } from '../../json.ts'
import { collect, readPairs, typedParams } from '../pairs.ts'
import { paint } from '../report.ts'

interface Options {
  readonly param: readonly string[]
  readonly credential: readonly string[]
  readonly credentials?: string
  readonly all?: boolean
  readonly output?: string
  readonly baseUrl?: string
  readonly allowPrivateNetwork?: boolean
  readonly timeout?: string
}

export function addExecuteCommand(program: Command): void {
  program
    .command('execute')
    .description('run one operation from here, without a server; records come as JSON lines')
    .argument('<kind>', 'the connector kind, for example asana')
    .argument('<entity>', 'for example tasks')
    .argument('<action>', 'list, get or download')
    .option('--param <name=value>', 'one param; repeat for more', collect, [])
    .option('--credential <name=value>', 'one credential field; repeat for more', collect, [])
    .option(
      '--credentials <file>',
      'a JSON file with the credential fields, so that no secret stands on the command line',
    )
    .option('--all', 'follow the pages of a list to the end')
    .option('--output <file>', 'write a download to this file instead of standard output')
    .option('--base-url <address>', 'another address for the system, for example a simulator')
    .option('--allow-private-network', 'let the call reach private addresses and plain http')
    .option('--timeout <seconds>', 'the limit for the whole call, 60 when left out')
    .addHelpText(
      'after',
      `
Examples:
  conex execute asana workspaces list --credentials asana.json
  conex execute asana tasks list --param project=1208812345678901 --all --credentials asana.json
  conex execute asana attachments download --param attachment_gid=1209 --output plan.pdf --credentials asana.json`,
    )
    .action(run)
}

async function run(kindName: string, entity: string, action: string, options: Options): Promise<void> {
  const connector = findConnector(catalog, kindName)
  if (connector === null)
    throw new ConexError(
      'invalid_request',
      `There is no connector "${kindName}"; use one of ${Object.keys(catalog).join(', ')}.`,
    )
  const found = findAction(connector, entity, action)
  const operation = found === 'search' ? null : connector.entities[entity]![found]!
  const params = typedParams(operation?.params ?? searchParams, readPairs('--param', options.param))
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new Error('stopped')))
  const system: Uniform = connect(connector.kind as ConnectorKind, {
    credentials: (await readCredentials(options)) as never,
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    ...(options.allowPrivateNetwork === undefined ? {} : { allowPrivateNetwork: options.allowPrivateNetwork }),
    ...(options.timeout === undefined ? {} : { timeout: Number(options.timeout) * 1000 }),
  })
  try {
    const call = { signal: stop.signal }
    if (action === 'download') {
      const { body } = await system.download(entity, params, call)
      await pipeline(body, options.output === undefined ? process.stdout : createWriteStream(options.output), {
        end: options.output !== undefined,
      })
    } else if (options.all && action === 'list') {
      for await (const page of system.pages(entity, params, call)) print(page, false)
    } else print(await system.execute(entity, action, params, call), true)
  } finally {
    await system.close()
  }
}

function print({ result, connector_metadata: metadata }: Answer, paging: boolean): void {
  for (const record of Array.isArray(result) ? result : [result]) process.stdout.write(`${stringifyJson(record)}\n`)
  const { warnings = [], ...block } = metadata
  for (const { path, message } of warnings) process.stderr.write(`${paint('yellow', 'warning')} ${path} ${message}\n`)
  if (paging && Object.values(block).some(leadsOn))
    process.stderr.write(`${paint('dim', `more: ${stringifyJson(block)}; --all follows it`)}\n`)
}

/** Whether a paging block leads to a next page: some kinds always give one, with null in the place of its token at the end. */
const leadsOn = (block: unknown): boolean =>
  typeof block === 'object' && block !== null ? !Object.values(block).includes(null) : block !== null

async function readCredentials({ credential, credentials: file }: Options): Promise<unknown> {
  const pairs = readPairs('--credential', credential)
  if (file === undefined) return pairs
  let read: unknown
  try {
    read = parseJson(await readFile(file, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
    throw new ConexError('invalid_credentials', `The credentials file cannot be read: ${why}.`)
  }
  return typeof read === 'object' && read !== null ? { ...read, ...pairs } : read
}
