/** `conex connector try`: runs one operation, and shows each request and answer of it. */
import type { Command } from 'commander'
import { findAction } from '../../catalog/catalog.ts'
import type { Connector } from '../../catalog/connector.ts'
import type { Uniform } from '../../client/connector-types.ts'
import type { Answer } from '../../engine/call/call.ts'
import { ConexError } from '../../errors.ts'
import { findOwnKind } from '../find-own-kind.ts'
import type { Io } from '../io.ts'
import type { CommandIo } from '../kinds.ts'
import { type LocalOptions, localAccess, openLocal, pagesOf, type TimeOptions, withLocal } from '../open-system.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'
import { seconds, wholeNumber } from '../parse-number.ts'
import { printAnswer, printAnswers } from '../print-answers.ts'
import { readObjectOption } from '../read-option-value.ts'
import { collect, readPairs, typedParams } from '../read-pairs.ts'
import { oneLine } from '../terminal/safe-text.ts'
import { paintFor } from '../terminal/screen.ts'
import { compareFields } from '../try/compare-fields.ts'
import { createMask } from '../try/mask.ts'
import { tracePrinter } from '../try/print-trace.ts'
import { tracing } from '../try/trace.ts'

interface Options extends OutputOptions, LocalOptions, TimeOptions {
  readonly param?: readonly string[]
  readonly params?: string
  readonly all?: boolean
  readonly body: number
}

export function addConnectorTryCommand(connector: Command, io: CommandIo): void {
  const command = connector
    .command('try')
    .description('run one operation against the real system, and show every request and answer')
    .argument('<kind>', 'the name of the connector, or its folder')
    .argument('<entity>', 'for example tickets')
    .argument('<action>', 'list, get or download')
    .option('--param <name=value>', 'one param; repeat for more', collect)
    .option('--params <json>', 'params as a JSON object; "-" reads standard input, "@file" a file')
    .option('--all', 'read all pages of a list')
    .option('--timeout <seconds>', 'time limit of each call; 60 by default', seconds)
    .option('--body <characters>', 'how much of a body is shown', wholeNumber, 2000)
  withLocal(withOutput(command))
    .addHelpText(
      'after',
      `
Records go to standard output as Conex returns them; the requests and answers behind them go to standard error, repeats
and renewals of credentials among them, and with --json they are JSON lines as well. Credentials, tokens, cookies and
signatures are masked. At the end, the command compares the records with the declared fields.

Examples:
  conex connector try library books list --credentials library.json
  conex connector try library books get --param book_id=b1 --credentials -
  conex connector try ./connectors/library books list --param author=Woolf --base-url http://127.0.0.1:9400/library \\
    --allow-private-network --credential token=simulated-token`,
    )
    .action((kind: string, entity: string, action: string, options: Options) => run(kind, entity, action, options, io))
}

async function run(
  kind: string,
  entityName: string,
  actionName: string,
  options: Options,
  io: CommandIo,
): Promise<void> {
  const { connector } = await findOwnKind(kind, io)
  const { entity, action } = findAction(connector, entityName, actionName)
  if (action === 'search')
    throw new ConexError('invalid_request', 'A search reads a copy, not the system; try the list that fills it.')
  if (options.all && action !== 'list')
    throw new ConexError('invalid_request', `--all follows lists; a ${action} is one answer.`)
  const operation = connector.entities[entity]![action]!
  const params = {
    ...(options.params === undefined ? {} : await readObjectOption('--params', options.params, io)),
    ...typedParams(operation.params, readPairs('--param', options.param)),
  }
  const system = await openTraced(connector, options, io)
  const reading = { signal: io.interruption() }
  const compared = (answer: Answer): Answer => {
    if (operation.action !== 'download')
      for (const note of compareFields([answer.result].flat(), operation.record)) say(note, io)
    return answer
  }
  try {
    if (action === 'download') await measure(await system.download(entity, params, reading), options, io)
    else if (options.all)
      await printAnswers(each(pagesOf(system, entity, 'list')(params, reading), compared), options, io)
    else {
      const answer = await system.execute(entity, action, params, reading)
      printAnswer(answer, options, io)
      compared(answer)
    }
  } finally {
    await system.close()
  }
}

async function openTraced(connector: Connector, options: Options, io: Io): Promise<Uniform> {
  if (options.credential === undefined && options.credentials === undefined)
    throw new ConexError('invalid_request', 'Pass --credentials with a file, or --credential name=value.')
  const access = await localAccess(options, io)
  const mask = createMask()
  const learn = (credentials: object): void =>
    mask.add(Object.values(credentials).filter((value): value is string => typeof value === 'string'))
  learn(access.credentials)
  return openLocal(connector, options, {
    ...access,
    engine: tracing(mask, tracePrinter(io, options.json === true, options.body)),
    onCredentialsRenewed(renewed: object) {
      learn(renewed)
      say('the system renewed the credentials: those that you passed may not work any more', io)
    },
  })
}

async function* each<T>(values: AsyncIterable<T>, visit: (value: T) => T): AsyncGenerator<T> {
  for await (const value of values) yield visit(value)
}

/** Reads a file to its end, and prints what it is. */
async function measure({ status, headers, body }: Response, options: Options, io: Io): Promise<void> {
  let bytes = 0
  for await (const chunk of body ?? []) bytes += chunk.length
  createOutput(options, io).record({ status, bytes, ...Object.fromEntries(headers) })
}

const say = (sentence: string, { stderr }: Io): void =>
  void stderr.write(`${paintFor(stderr)('yellow', oneLine(sentence))}\n`)
