/** `conex sql`: runs SQL over the copies that a hosted service keeps. */
import type { Command } from 'commander'
import { findKind } from '../find-kind.ts'
import type { CommandIo } from '../kinds.ts'
import { type HostedOptions, openHosted, type TimeOptions, withHosted } from '../open-system.ts'
import { type OutputOptions, withOutput } from '../output.ts'
import { seconds, wholeNumber } from '../parse-number.ts'
import { printRows } from '../print-answers.ts'
import { readOptionText } from '../read-option-value.ts'

interface Options extends OutputOptions, HostedOptions, TimeOptions {
  readonly limit?: number
}

export function addSqlCommand(program: Command, io: CommandIo): void {
  const command = program
    .command('sql')
    .description('run a select statement over the copies that a hosted service keeps')
    .argument('<kind>', 'the connector type, for example asana')
    .argument('<statement>', 'one select statement; "-" reads standard input, "@file" a file')
    .option('--limit <count>', 'maximum number of rows; 1000 by default', wholeNumber)
    .option('--timeout <seconds>', 'time limit of the call; 90 by default', seconds)
  withHosted(withOutput(command, 'with columns'))
    .addHelpText(
      'after',
      `
Tables are the searchable entities; "conex catalog <kind> <entity>" lists their columns.

Examples:
  conex sql asana 'select assignee_name, count(*) as open from tasks where not completed group by 1' --user ann
  conex sql asana - --json --user ann < report.sql`,
    )
    .action((kind: string, statement: string, options: Options) => runSql(kind, statement, options, io))
}

async function runSql(kind: string, statement: string, options: Options, io: CommandIo): Promise<void> {
  const connector = findKind(io.kinds.catalog, kind)
  const sql = await readOptionText('<statement>', statement, io)
  const signal = io.interruption()
  const system = await openHosted(connector, options, io)
  printRows(await system.sql(sql, { limit: options.limit, signal }), options, io)
}
