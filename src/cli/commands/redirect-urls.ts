/** `conex redirect-urls`: shows or sets where browsers may be sent after a consent. */
import type { Command } from 'commander'
import { catalog } from '../../connectors/index.ts'

export function addRedirectUrlsCommand(program: Command): void {
  program
    .command('redirect-urls')
    .description('show where browsers may be sent after a consent; addresses given here are the only ones from then on')
    .argument('[address...]', 'https, or http on a loopback host; each stands for itself with any query')
    .option('--any', 'allow every safe address again')
    .addHelpText(
      'after',
      `
Examples:
  conex redirect-urls
  conex redirect-urls https://app.example.com/connected`,
    )
    .action(async (addresses: string[], { any }: { any?: true }) => {
      const [{ openStore }, { parseSettings }, { unsafe }] = await Promise.all([
        import('../../store/open.ts'),
        import('../../server/settings.ts'),
        import('../../service/redirect-url.ts'),
      ])
      if (any && addresses.length > 0) throw new Error('Give addresses or --any, not both.')
      for (const address of addresses) {
        const fault = unsafe(address)
        if (fault !== null) throw new Error(`${address} ${fault}.`)
      }
      const store = await openStore(parseSettings(Object.keys(catalog)).databaseUrl)
      try {
        const organization = await store.organizations.first()
        if (organization === null) throw new Error('There is no organization yet; start the server once.')
        const tenant = { organizationId: organization.id, externalUserId: null }
        if (any || addresses.length > 0) await store.organizations.setRedirectUrls(tenant, any ? null : addresses)
        const allowed = await store.organizations.redirectUrls(tenant)
        process.stdout.write(allowed === null ? 'Any safe address is allowed.\n' : `${allowed.join('\n')}\n`)
      } finally {
        await store.close()
      }
    })
}
