/** `conex consent`: sends an end user to the consent page of a third-party system, and can wait for the result. */
import type { Command } from 'commander'
import type { ConnectorKind } from '../../connectors/index.ts'
import { ConexError } from '../../errors.ts'
import { findKind } from '../find-kind.ts'
import { openService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { CommandIo } from '../kinds.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'

interface Options extends OutputOptions, ServiceOptions {
  readonly user: string
  readonly redirectUrl?: string
  readonly connector?: string
}

export function addConsentCommand(program: Command, io: CommandIo): void {
  const consent = program
    .command('consent')
    .description("let an end user connect an account on the third-party system's own page")
    .addHelpText(
      'after',
      `
Examples:
  conex consent begin asana --user ann --redirect-url https://app.example.com/connected
  conex consent begin asana --user ann                       waits for the browser here, and prints its secret_id
  conex connectors create asana --user ann --name Work --consent <secret_id>
  conex consent begin asana --user ann --connector <id>      renews that connector
  conex consent link <id>                                    the same by a link, within ten minutes`,
    )
  const command = consent
    .command('begin')
    .description("print the address to open in the end user's browser")
    .argument('<kind>', 'the connector type, for example asana')
    .requiredOption('--user <external_user_id>', 'the end user')
    .option(
      '--redirect-url <address>',
      'where the browser goes after the consent, with secret_id in its query; by default back to this command',
    )
  command.option('--connector <id>', 'the connector that the consent renews, instead of a new one')
  withService(withOutput(command)).action((kind: string, options: Options) => begin(kind, options, io))
  const link = consent
    .command('link')
    .description('print a link with which the end user of a connector consents again, on pages of Conex alone')
    .argument('<connector_id>')
  withService(withOutput(link)).action(async (id: string, options: OutputOptions & ServiceOptions) => {
    const service = await openService(options, io)
    const made = await service.consent.link(id, { signal: io.interruption() })
    const output = createOutput(options, io)
    if (output.forPeople) output.say(made.url)
    else output.record(made)
  })
}

async function begin(kindName: string, options: Options, io: CommandIo): Promise<void> {
  const connector_type = findKind(io.kinds.catalog, kindName).kind as ConnectorKind
  const service = await openService(options, io)
  const output = createOutput(options, io)
  const signal = io.interruption()
  const ask = (redirect_url: string): Promise<string> =>
    service.consent.begin(
      {
        external_user_id: options.user,
        connector_type,
        redirect_url,
        ...(options.connector !== undefined && { connector_id: options.connector }),
      },
      { signal },
    )

  if (options.redirectUrl !== undefined) {
    const consent_url = await ask(options.redirectUrl)
    if (output.forPeople) output.say(consent_url)
    else output.record({ consent_url })
    return
  }
  const { awaitReturn } = await import('../hosted/await-return.ts')
  const returned = await awaitReturn(signal, async (address) => {
    io.stderr.write(`Open this in the browser on this machine:\n  ${await ask(address)}\n`)
  })
  const secret_id = returned.get('secret_id')
  if (secret_id === null)
    throw new ConexError(
      'upstream_forbidden',
      `There was no consent: ${returned.get('error_description') ?? returned.get('error') ?? 'for an unknown reason'}.`,
    )
  const connector_id = returned.get('connector_id')
  if (connector_id !== null) {
    if (output.forPeople) output.say(`Connector ${connector_id} has the new consent.`)
    else output.record({ connector_id })
  } else if (output.forPeople) output.say(secret_id)
  else output.record({ secret_id })
}
