/** `conex events`: prints the events of a hosted service in their order, and those to come. */
import { type Command, Option } from 'commander'
import type { EventQuery } from '../../client/events.ts'
import { type EventType, eventTypeNames } from '../../event-types.ts'
import { openService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { Io } from '../io.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'

interface Options extends OutputOptions, ServiceOptions {
  readonly type?: EventType
  readonly user?: string
  readonly connector?: string
  readonly cursor?: string
  readonly fromNow?: true
  readonly follow?: true
}

const columns = ['timestamp', 'type', 'data.external_user_id', 'data.connector_id', 'data']

export function addEventsCommand(program: Command, io: Io): void {
  const command = program
    .command('events')
    .description('print events in their order, and wait for new ones')
    .addOption(new Option('--type <name>', 'only this type').choices(eventTypeNames))
    .option('--user <external_user_id>', 'only about this end user')
    .option('--connector <id>', 'only about this connector')
    .option('--cursor <cursor>', 'go on after this event; by default with the oldest that is kept')
    .option('--from-now', 'begin with the next event')
    .option('--follow', 'wait for new events until Ctrl-C')
  withService(withOutput(command, 'with columns'))
    .addHelpText(
      'after',
      `
Examples:
  conex events --type connector.reauthorization_required
  conex events --from-now --follow --json | jq -c '[.type, .data.connector_id]'`,
    )
    .action((options: Options) => events(options, io))
}

async function events(options: Options, io: Io): Promise<void> {
  const { type, user, connector, cursor } = options
  const query: EventQuery = {
    ...(type !== undefined && { type }),
    ...(user !== undefined && { external_user_id: user }),
    ...(connector !== undefined && { connector_id: connector }),
    ...(cursor !== undefined && { cursor }),
    ...(options.fromNow && { from: 'now' }),
  }
  const service = await openService(options, io)
  const output = createOutput(options, io)
  const signal = io.interruption()
  if (options.follow) {
    for await (const event of service.events.all(query, { signal })) output.rows([event], columns)
    return
  }
  const { from: _, ...rest } = query
  for (let page = await service.events.list(query, { signal }); ; ) {
    output.rows(page.events, columns)
    if (!page.more) break
    page = await service.events.list({ ...rest, cursor: page.next_cursor }, { signal })
  }
  output.end()
}
