/** `conex webhooks`: manages the addresses to which a hosted service sends its events. */
import { type Command, Option } from 'commander'
import type { DeliveryFilter, WebhookChanges } from '../../client/webhooks.ts'
import { type EventType, eventTypeNames } from '../../event-types.ts'
import { openService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { Io } from '../io.ts'
import { commaSeparated, createOutput, type OutputOptions, withOutput } from '../output.ts'
import { wholeNumber } from '../parse-number.ts'

interface Options extends OutputOptions, ServiceOptions {
  readonly description?: string
  readonly types?: readonly string[]
}

interface UpdateOptions extends Options {
  readonly address?: string
  readonly enable?: true
  readonly disable?: true
}

interface DeliveryOptions extends Options, Omit<DeliveryFilter, 'cursor'> {}

const columns = ['id', 'url', 'status', 'failing_since', 'types', 'description']
const deliveryColumns = [
  'event.timestamp',
  'event.type',
  'status',
  'attempts',
  'next_attempt_at',
  'last_fault',
  'event.id',
]

export function addWebhooksCommand(program: Command, io: Io): void {
  const webhooks = program
    .command('webhooks')
    .description('have events sent to an address, and see what became of them')
    .addHelpText(
      'after',
      `
Examples:
  conex webhooks create https://app.example/conex --types connector.reauthorization_required,sync.failed
  conex webhooks deliveries 0198c5d2-8f3a-7c1e-9f6b-2d4a8e5b7c90 --status parked
  conex webhooks replay 0198c5d2-8f3a-7c1e-9f6b-2d4a8e5b7c90`,
    )
  const hosted = (command: Command): Command => withService(withOutput(command))
  const about = (command: Command): Command => hosted(command.argument('<webhook_id>'))
  const types = () => new Option('--types <names>', `only these, separated by commas: ${eventTypeNames.join(', ')}`)
  const service = (options: Options) => openService(options, io)
  const call = () => ({ signal: io.interruption() })

  hosted(
    webhooks
      .command('create')
      .description('create a webhook; its secret is shown only now')
      .argument('<address>', 'where events are sent: https, and public')
      .addOption(types().argParser(commaSeparated))
      .option('--description <text>', 'for people'),
  ).action(async (url: string, options: Options) => {
    const made = await (await service(options)).webhooks.create({ url, ...choices(options) }, call())
    createOutput(options, io).record(made)
  })

  hosted(webhooks.command('list').description('list webhooks')).action(async (options: Options) => {
    const output = createOutput(options, io)
    output.rows(await (await service(options)).webhooks.list(call()), columns)
    output.end()
  })

  about(
    webhooks
      .command('update')
      .description('change a webhook, disable it, or enable it again')
      .option('--address <url>', 'another address')
      .addOption(types().argParser(commaSeparated))
      .option('--description <text>', 'for people')
      .option('--enable', 'send again, beginning with what waits')
      .addOption(new Option('--disable', 'send nothing until it is enabled').conflicts('enable')),
  ).action(async (id: string, options: UpdateOptions) => {
    const changes: WebhookChanges = {
      ...choices(options),
      ...(options.address !== undefined && { url: options.address }),
      ...(options.enable && { status: 'active' }),
      ...(options.disable && { status: 'disabled' }),
    }
    createOutput(options, io).record(await (await service(options)).webhooks.update(id, changes, call()))
  })

  about(webhooks.command('delete').description('delete a webhook with its deliveries')).action(
    async (id: string, options: Options) => {
      await (await service(options)).webhooks.delete(id, call())
      createOutput(options, io).record({ id, deleted: true })
    },
  )

  about(
    webhooks
      .command('rotate')
      .description('make a new secret, which is shown only now; the old one signs beside it for a day')
      .option('--overlap <seconds>', 'how long the old one signs', wholeNumber),
  ).action(async (id: string, options: Options & { readonly overlap?: number }) => {
    const overlap = options.overlap === undefined ? {} : { overlapSeconds: options.overlap }
    const secret = await (await service(options)).webhooks.rotate(id, { ...call(), ...overlap })
    createOutput(options, io).record({ id, secret })
  })

  about(
    webhooks
      .command('deliveries')
      .description('list what became of each event, newest first')
      .addOption(new Option('--status <status>', 'only these').choices(['waiting', 'delivered', 'parked']))
      .option('--limit <count>', 'how many of the newest; all by default', wholeNumber),
  ).action(async (id: string, options: DeliveryOptions) => {
    const { status, limit = Number.POSITIVE_INFINITY } = options
    const output = createOutput(options, io)
    let left = limit
    const list = (await service(options)).webhooks.deliveries(id)
    for await (const { deliveries } of list.pages(status === undefined ? {} : { status }, call())) {
      output.rows(deliveries.slice(0, left), deliveryColumns)
      left -= deliveries.length
      if (left <= 0) break
    }
    output.end()
  })

  about(
    webhooks
      .command('replay')
      .description('send parked events again, or one event whatever became of it')
      .option('--event <id>', 'only this event'),
  ).action(async (id: string, options: Options & { readonly event?: string }) => {
    const event = options.event === undefined ? {} : { eventId: options.event }
    const replayed = await (await service(options)).webhooks.replay(id, { ...call(), ...event })
    createOutput(options, io).record({ id, replayed })
  })
}

/** The service says which types there are. */
const choices = ({ types, description }: Options) => ({
  ...(types !== undefined && { types: types as EventType[] }),
  ...(description !== undefined && { description }),
})
