/** `conex redirect-urls`: shows or sets the addresses that browsers may be sent to after a consent. */
import type { Command } from 'commander'
import type { CommandIo } from '../kinds.ts'
import { printJson } from '../output.ts'
import { withStore } from '../with-store.ts'

export function addRedirectUrlsCommand(program: Command, io: CommandIo): void {
  program
    .command('redirect-urls')
    .description('show where Conex may send browsers after a consent; pass addresses to allow only these')
    .argument('[address...]', 'https, or http on a loopback host; any query is allowed')
    .option('--any', 'allow all safe addresses again')
    .option('--json', 'print JSON, one address per line; null if any is allowed')
    .addHelpText(
      'after',
      `
Examples:
  conex redirect-urls
  conex redirect-urls https://app.example.com/connected`,
    )
    .action((addresses: string[], options: Options) => set(addresses, options, io))
}

interface Options {
  readonly any?: true
  readonly json?: true
}

async function set(addresses: string[], { any, json }: Options, io: CommandIo): Promise<void> {
  const { unsafe } = await import('../../service/redirect-url.ts')
  if (any && addresses.length > 0) throw new Error('Pass addresses or --any, not both.')
  for (const address of addresses) {
    const fault = unsafe(address)
    if (fault !== null) throw new Error(`${address} ${fault}.`)
  }
  const allowed = await withStore(io, async ({ organizations }) => {
    const [organization] = await organizations.list()
    if (organization === undefined) throw new Error('There is no organization yet; start the server once.')
    const tenant = { organizationId: organization.id, externalUserId: null }
    if (any || addresses.length > 0) await organizations.setRedirectUrls(tenant, any ? null : addresses)
    return organizations.redirectUrls(tenant)
  })
  if (json)
    printJson(
      io.stdout,
      (allowed ?? [null]).map((redirect_url) => ({ redirect_url })),
    )
  else io.stdout.write(allowed === null ? 'Any safe address is allowed.\n' : `${allowed.join('\n')}\n`)
}
