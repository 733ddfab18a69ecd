/** `conex execute`: runs one operation, and prints its records or writes its file. */
import type { Command } from 'commander'
import { type Action, findAction } from '../../catalog/catalog.ts'
import { searchParams } from '../../catalog/search-params.ts'
import { ConexError } from '../../errors.ts'
import { findKind } from '../find-kind.ts'
import type { Io } from '../io.ts'
import type { CommandIo } from '../kinds.ts'
import {
  type HostedOptions,
  type LocalOptions,
  openSystem,
  pagesOf,
  type TimeOptions,
  withHosted,
  withLocal,
} from '../open-system.ts'
import { commaSeparated, type OutputOptions, withOutput } from '../output.ts'
import { seconds } from '../parse-number.ts'
import { printAnswer, printAnswers } from '../print-answers.ts'
import { readObjectOption } from '../read-option-value.ts'
import { collect, readPairs, typedParams } from '../read-pairs.ts'
import { checkOutput, saveDownload } from '../save-download.ts'

interface Options extends OutputOptions, LocalOptions, HostedOptions, TimeOptions {
  readonly param?: readonly string[]
  readonly params?: string
  readonly selectFields?: readonly string[]
  readonly excludeFields?: readonly string[]
  readonly all?: boolean
  readonly output?: string
}

export function addExecuteCommand(program: Command, io: CommandIo): void {
  const command = program
    .command('execute')
    .description('run one operation: a list, a get, a download or a search')
    .argument('<kind>', 'the connector type, for example asana')
    .argument('<entity>', 'for example tasks')
    .argument('<action>', 'list, get, download or search')
    .option('--param <name=value>', 'one param; repeat for more', collect)
    .option('--params <json>', 'params as a JSON object; "-" reads standard input, "@file" a file')
    .option('--select-fields <paths>', 'only these fields, for example name,assignee.name', commaSeparated)
    .option('--exclude-fields <paths>', 'without these fields, separated by commas', commaSeparated)
    .option('--all', 'read all pages of a list or a search')
    .option('--output <file>', 'write a download to this file instead of standard output')
    .option('--timeout <seconds>', 'time limit of each call; 60 by default', seconds)
  withHosted(withLocal(withOutput(command, 'with columns')))
    .addHelpText(
      'after',
      `
With --credentials, this machine makes the call; with --connector or --user, a hosted service does.
Records go to standard output, everything else to standard error. "conex catalog <kind> <entity>" lists the params.

Examples:
  conex execute asana workspaces list --credentials asana.json
  conex execute asana workspaces list --user ann
  conex execute asana tasks list --param project=1208 --select-fields name,due_on,assignee.name --user ann
  conex execute asana tasks list --param project=1208812345678901 --all --credentials asana.json
  conex execute asana attachments download --param attachment_gid=1209 --output plan.pdf --credentials asana.json`,
    )
    .action((kind: string, entity: string, action: string, options: Options) =>
      execute(kind, entity, action, options, io),
    )
}

async function execute(
  kind: string,
  entityName: string,
  actionName: string,
  options: Options,
  io: CommandIo,
): Promise<void> {
  const connector = findKind(io.kinds.catalog, kind)
  const { entity, action } = findAction(connector, entityName, actionName)
  checkUse(action, options, io)
  const schema = action === 'search' ? searchParams : connector.entities[entity]![action]!.params
  const params = {
    ...(options.params === undefined ? {} : await readObjectOption('--params', options.params, io)),
    ...typedParams(schema, readPairs('--param', options.param)),
  }
  const { selectFields: select_fields, excludeFields: exclude_fields } = options
  const signal = io.interruption()
  const reading = { signal, ...(select_fields && { select_fields }), ...(exclude_fields && { exclude_fields }) }
  const system = await openSystem(connector, options, io)
  try {
    if (action === 'download') await saveDownload(await system.download(entity, params, { signal }), options.output, io)
    else if (options.all) await printAnswers(pagesOf(system, entity, action as 'list')(params, reading), options, io)
    else printAnswer(await system.execute(entity, action, params, reading), options, io)
  } finally {
    await system.close()
  }
}

/** Refuses options that the action would silently ignore. */
function checkUse(action: Action, { all, output, selectFields, excludeFields }: Options, io: Io): void {
  if (all && action !== 'list' && action !== 'search')
    throw new ConexError('invalid_request', `--all follows lists and searches; a ${action} is one answer.`)
  if ((selectFields ?? excludeFields) !== undefined && action === 'download')
    throw new ConexError(
      'invalid_request',
      '--select-fields and --exclude-fields are for records; a download is a file.',
    )
  if (action === 'download') checkOutput(output, io)
  else if (output !== undefined)
    throw new ConexError('invalid_request', `--output is for downloads; a ${action} goes to standard output.`)
}
