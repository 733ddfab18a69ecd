/** `conex connectors`: creates, shows, changes, checks and deletes the connectors of a hosted service. */
import type { Command } from 'commander'
import { checkCredentials } from '../../catalog/check-credentials.ts'
import type { ConnectorChanges, NewConnector } from '../../client/conex.ts'
import type { ConnectorKind } from '../../connectors/index.ts'
import { ConexError } from '../../errors.ts'
import { codeOf, Ended } from '../exit-code.ts'
import { findKind } from '../find-kind.ts'
import { openService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { Io } from '../io.ts'
import type { CommandIo } from '../kinds.ts'
import { type CredentialOptions, credentialsFrom, withCredentials } from '../open-system.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'
import { wholeNumber } from '../parse-number.ts'
import { readObjectOption } from '../read-option-value.ts'
import { canPrompt, promptYes } from '../terminal/prompt.ts'
import { oneLine } from '../terminal/safe-text.ts'

type Common = OutputOptions & ServiceOptions

interface SyncOptions {
  /** True with --sync, false with --no-sync. */
  readonly sync?: boolean
  readonly syncInterval?: number
}

const columns = ['id', 'name', 'connector_type', 'external_user_id', 'status', 'created_at']

export function addConnectorsCommand(program: Command, io: CommandIo): void {
  const connectors = program
    .command('connectors')
    .description('list, get, create, update, delete and check connectors')
    .addHelpText(
      'after',
      `
Examples:
  conex connectors create asana --user ann --name Work --credentials asana.json
  conex connectors list --user ann
  conex connectors check 0198c5d2-8f3a-7c1e-9f6b-2d4a8e5b7c90`,
    )
  const hosted = (command: Command): Command => withService(withOutput(command))

  hosted(
    connectors
      .command('list')
      .description('list connectors')
      .option('--user <external_user_id>', 'only connectors of this end user')
      .option('--kind <kind>', 'only connectors of this type'),
  ).action((options: Listing) => list(options, io))

  hosted(connectors.command('get').description('show a connector').argument('<connector_id>')).action(
    async (id: string, options: Common) => {
      const service = await openService(options, io)
      createOutput(options, io).record(await service.connectors.get(id, { signal: io.interruption() }))
    },
  )

  hosted(
    withSync(
      withCredentials(
        connectors
          .command('create')
          .description('create a connector for an end user')
          .argument('<kind>', 'the connector type, for example asana')
          .requiredOption('--user <external_user_id>', 'the end user')
          .requiredOption('--name <name>', 'name of the connector; unique per end user and connector type')
          .option('--consent <secret_id>', 'secret_id of a consent, instead of credentials')
          .option('--replication-config <json>', 'settings of the copy, for slack; "@file" reads a file')
          .option('--idempotency-key <key>', 'a repeated command with the same key gets the first result')
          .option('--check', 'try the credentials first; the default on a terminal')
          .option('--no-check', 'store them untried'),
      ),
    ),
  ).action((kind: string, options: Creation) => create(kind, options, io))

  hosted(
    withSync(
      withCredentials(
        connectors
          .command('update')
          .description('update the name, the credentials or the sync of a connector')
          .argument('<connector_id>')
          .option('--name <name>', 'another name')
          .option('--consent <secret_id>', 'secret_id of a new consent, instead of credentials'),
      ),
    ),
  ).action((id: string, options: Update) => update(id, options, io))

  hosted(
    connectors
      .command('delete')
      .description('delete a connector, its credentials and its copy')
      .argument('<connector_id>')
      .option('--yes', 'do not ask'),
  ).action((id: string, options: Removal) => remove(id, options, io))

  hosted(
    connectors
      .command('check')
      .description('try the credentials of a connector with one cheap call; the exit code reports the result')
      .argument('<connector_id>'),
  ).action(async (id: string, options: Common) => {
    const service = await openService(options, io)
    const health = await service.connectors.check(id, { signal: io.interruption() })
    createOutput(options, io).record(health)
    if (health.error !== undefined) throw new Ended(codeOf(health.error.code))
  })
}

const withSync = (command: Command): Command =>
  command
    .option('--sync', 'keep a copy')
    .option('--no-sync', 'keep no copy, and remove the existing one')
    .option('--sync-interval <seconds>', 'how often to update the copy', wholeNumber)

type Listing = Common & { readonly user?: string; readonly kind?: string }

async function list(options: Listing, io: CommandIo): Promise<void> {
  const service = await openService(options, io)
  const output = createOutput(options, io)
  const filter = {
    ...(options.user !== undefined && { external_user_id: options.user }),
    ...(options.kind !== undefined && {
      connector_type: findKind(io.kinds.catalog, options.kind).kind as ConnectorKind,
    }),
  }
  for await (const page of service.connectors.list.pages(filter, { signal: io.interruption() }))
    output.rows(page.connectors, columns)
  output.end()
}

interface Creation extends Common, CredentialOptions, SyncOptions {
  readonly user: string
  readonly name: string
  readonly consent?: string
  readonly replicationConfig?: string
  readonly idempotencyKey?: string
  /** True with --check, false with --no-check. */
  readonly check?: boolean
}

async function create(kind: string, options: Creation, io: CommandIo): Promise<void> {
  const { user, name, replicationConfig, idempotencyKey } = options
  const connector = findKind(io.kinds.catalog, kind)
  const given = await access(options, io)
  if (Object.keys(given).length === 0)
    throw new ConexError('invalid_request', 'Pass --credentials, --credential or --consent.')
  if ('credentials' in given) checkCredentials(connector, given.credentials)
  const body = {
    connector_type: connector.kind,
    external_user_id: user,
    name,
    ...given,
    ...(replicationConfig !== undefined && {
      replication_config: await readObjectOption('--replication-config', replicationConfig, io),
    }),
    ...sync(options),
  }
  const service = await openService(options, io)
  const output = createOutput(options, io)
  const { check = output.forPeople } = options
  const call = { signal: io.interruption(), check, ...(idempotencyKey !== undefined && { idempotencyKey }) }
  output.record(await service.connectors.create(body as NewConnector, call))
}

interface Update extends Common, CredentialOptions, SyncOptions {
  readonly name?: string
  readonly consent?: string
}

async function update(id: string, options: Update, io: Io): Promise<void> {
  const { name } = options
  const changes = { ...(name !== undefined && { name }), ...(await access(options, io)), ...sync(options) }
  if (Object.keys(changes).length === 0)
    throw new ConexError(
      'invalid_request',
      'Pass a change: --name, --credentials, --consent, --sync or --sync-interval.',
    )
  const service = await openService(options, io)
  const record = await service.connectors.update(id, changes as ConnectorChanges, { signal: io.interruption() })
  createOutput(options, io).record(record)
}

type Removal = Common & { readonly yes?: true }

async function remove(id: string, options: Removal, io: Io): Promise<void> {
  const service = await openService(options, io)
  if (options.yes !== true) {
    if (!canPrompt(io))
      throw new ConexError(
        'invalid_request',
        'This is not a terminal, so nobody can confirm; add --yes to delete the connector.',
      )
    const { name, connector_type, external_user_id } = await service.connectors.get(id)
    const what = `the ${connector_type} connector "${oneLine(name)}" of "${oneLine(external_user_id)}"`
    if (!(await promptYes(`Delete ${what} with its copy?`, io))) throw new Ended(1)
  }
  const { grant } = await service.connectors.delete(id, { signal: io.interruption() })
  const output = createOutput(options, io)
  if (!output.forPeople) output.record({ id, deleted: true, grant })
  else output.say(`Deleted. ${grants[grant]}`)
}

const grants = {
  revoked: 'The third-party system revoked the grant.',
  failed: 'The third-party system did not revoke the grant; its owner can revoke it there.',
  unsupported: 'This system does not let Conex revoke grants; their owner can revoke them there.',
}

/** The credentials, or the consent that replaces them; neither for an update of other fields. */
async function access(options: CredentialOptions & { consent?: string }, io: Io): Promise<object> {
  const isGiven = options.credential !== undefined || options.credentials !== undefined
  if (options.consent !== undefined && isGiven)
    throw new ConexError('invalid_request', 'Pass either credentials or --consent, not both.')
  if (options.consent !== undefined) return { server_side_oauth_secret_id: options.consent }
  if (!isGiven) return {}
  return { credentials: await credentialsFrom(options, io) }
}

function sync({ sync: enabled, syncInterval }: SyncOptions): object {
  const choice = {
    ...(enabled !== undefined && { enabled }),
    ...(syncInterval !== undefined && { interval_seconds: syncInterval }),
  }
  return Object.keys(choice).length === 0 ? {} : { sync: choice }
}
