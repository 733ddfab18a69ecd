/** `conex connector`: writes a connector of one's own; the commands that test and try it are beside this file. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Command, Option } from 'commander'
import { findConnector } from '../../catalog/catalog.ts'
import { checkedAddress } from '../../client/check-access.ts'
import { ConexError } from '../../errors.ts'
import type { CommandIo } from '../kinds.ts'
import { configFile, connectorFiles, type NewConnector } from '../new-connector.ts'
import { canPrompt, promptText } from '../terminal/prompt.ts'
import { addConnectorTestCommand } from './connector-test.ts'
import { addConnectorTryCommand } from './connector-try.ts'

interface Options {
  readonly url?: string
  readonly auth?: NewConnector['auth']
  readonly entity?: string
  readonly folder: string
}

export function addConnectorCommand(program: Command, io: CommandIo): void {
  const connector = program.command('connector').description('write, test and try a connector of your own')
  connector
    .command('new')
    .description('write a small working connector, its simulated system and its test')
    .argument('<name>', 'the connector type, for example service-desk')
    .option('--url <address>', 'the base address of the system; asked for on a terminal')
    .addOption(
      new Option('--auth <kind>', 'how requests are authorized; asked for on a terminal').choices(['bearer', 'basic']),
    )
    .option('--entity <name>', 'the first entity, for example tickets; asked for on a terminal')
    .option('--folder <folder>', 'where the folder of the connector is made', 'connectors')
    .addHelpText(
      'after',
      `
The folder gets connector.ts, simulator/simulator.ts and connector.test.ts. Without a conex.config.ts here, one is
written that loads the connector.

Examples:
  conex connector new service-desk
  conex connector new service-desk --url https://api.service-desk.example/v2 --auth bearer --entity tickets
  conex connector test service-desk`,
    )
    .action((name: string, options: Options) => write(name, options, io))
  addConnectorTestCommand(connector, io)
  addConnectorTryCommand(connector, io)
}

async function write(kind: string, options: Options, io: CommandIo): Promise<void> {
  const wrong = (sentence: string) => new ConexError('invalid_request', sentence)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(kind) || kind.length > 30)
    throw wrong(`"${kind}" must be small letters and digits, with single dashes between words, at most 30 in all.`)
  const taken = findConnector(io.kinds.catalog, kind)
  if (taken !== null) throw wrong(`"${kind}" is the name of ${taken.title}; choose another one.`)
  const path = `./${join(options.folder, kind)}`
  const folder = join(io.folder, path)
  if (existsSync(folder)) throw wrong(`${path} exists already; nothing was written.`)

  const ask = async (flag: string, question: string, given: string | undefined): Promise<string> => {
    if (given !== undefined) return given
    if (canPrompt(io)) return promptText(question, io)
    throw wrong(`Pass ${flag}; there is no terminal to ask.`)
  }
  const baseUrl = await ask('--url', 'Base address of the system', options.url)
  checkedAddress('--url', baseUrl)
  const auth = await ask('--auth', 'Authorization, bearer or basic', options.auth)
  if (auth !== 'bearer' && auth !== 'basic') throw wrong(`"${auth}" must be bearer or basic.`)
  const entity = await ask('--entity', 'First entity, for example tickets', options.entity)
  if (!/^[a-z][a-z0-9_]{0,23}$/.test(entity))
    throw wrong(`"${entity}" must be small letters, digits and "_", at most 24, for example tickets.`)

  const files = connectorFiles({ kind, definitionId: randomUUID(), baseUrl, auth, entity })
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
    io.stdout.write(`${path}/${file}\n`)
  }
  const config = join(io.folder, 'conex.config.ts')
  if (!['ts', 'js', 'mjs'].some((end) => existsSync(join(io.folder, `conex.config.${end}`)))) {
    writeFileSync(config, configFile(path))
    io.stdout.write('./conex.config.ts\n')
  } else io.stderr.write(`Add '${path}' to connectors in the configuration file of this folder.\n`)
}
