/** `conex audit`: lists the audit log of a hosted service, newest first. */
import type { Command } from 'commander'
import type { AuditQuery } from '../../client/conex.ts'
import { openService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { Io } from '../io.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'
import { wholeNumber } from '../parse-number.ts'

interface Options extends OutputOptions, ServiceOptions {
  readonly event?: string
  readonly user?: string
  readonly connector?: string
  readonly client?: string
  readonly since?: string
  readonly until?: string
  readonly limit?: number
}

const columns = ['at', 'event', 'external_user_id', 'connector_id', 'client_id', 'details']

export function addAuditCommand(program: Command, io: Io): void {
  const command = program
    .command('audit')
    .description('list the audit log, newest first')
    .option('--event <name>', 'only this event, for example connector.created')
    .option('--user <external_user_id>', 'only about this end user')
    .option('--connector <id>', 'about this connector')
    .option('--client <id>', 'only by this client')
    .option('--since <time>', 'since this time, for example 2026-01-31T00:00:00Z')
    .option('--until <time>', 'up to this time')
    .option('--limit <count>', 'how many of the newest entries; all by default', wholeNumber)
  withService(withOutput(command, 'with columns'))
    .addHelpText(
      'after',
      `
Examples:
  conex audit --limit 20
  conex audit --user ann --since 2026-01-01T00:00:00Z --json > audit.jsonl`,
    )
    .action((options: Options) => audit(options, io))
}

async function audit(options: Options, io: Io): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY } = options
  const query: AuditQuery = {
    ...(options.event !== undefined && { event: options.event }),
    ...(options.user !== undefined && { external_user_id: options.user }),
    ...(options.connector !== undefined && { connector_id: options.connector }),
    ...(options.client !== undefined && { client_id: options.client }),
    ...(options.since !== undefined && { since: options.since }),
    ...(options.until !== undefined && { until: options.until }),
  }
  const service = await openService(options, io)
  const output = createOutput(options, io)
  let left = limit
  for await (const { entries } of service.audit.list.pages(query, { signal: io.interruption() })) {
    output.rows(entries.slice(0, left), columns)
    left -= entries.length
    if (left <= 0) break
  }
  output.end()
}
