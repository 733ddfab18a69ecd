/** `conex organizations`: creates, lists and revokes organizations. */
import type { Command } from 'commander'
import { printJson, printRows } from '../table.ts'
import { withStore } from '../with-store.ts'

interface Json {
  readonly json?: true
}

export function addOrganizationsCommand(program: Command): void {
  const organizations = program.command('organizations').description('create, list and revoke organizations')
  const service = () => import('../../service/administer.ts')
  const now = () => Date.now()

  organizations
    .command('list')
    .description('list all organizations')
    .option('--json', 'one JSON object a line')
    .action(async ({ json }: Json) => {
      const rows = await withStore(async (store) =>
        (await store.clients.organizations()).map(({ id, name, createdAt, clients, connectors }) => ({
          organization_id: id,
          name,
          created_at: createdAt,
          clients,
          connectors,
        })),
      )
      if (json) printJson(rows)
      else printRows(['organization_id', 'name', 'created_at', 'clients', 'connectors'], rows)
    })

  organizations
    .command('create')
    .description('make an organization with its first client, whose secret is shown only now')
    .argument('<name>', 'what to call it')
    .option('--json', 'one JSON object')
    .action(async (name: string, { json }: Json) => {
      const { createClient, createOrganization } = await service()
      const made = await withStore(async (store) => {
        const { organization_id } = await createOrganization({ store, now }, name)
        return { organization_id, ...(await createClient({ store, now }, organization_id, name)) }
      })
      if (json) printJson([made])
      else printRows(Object.keys(made), [made])
    })

  organizations
    .command('revoke')
    .description('revoke every client of an organization; its connectors stay')
    .argument('<organization_id>')
    .option('--json', 'one JSON object')
    .action(async (organizationId: string, { json }: Json) => {
      const { revokeOrganization } = await service()
      const revoked = await withStore((store) => revokeOrganization({ store, now }, organizationId))
      if (json) printJson([{ organization_id: organizationId, revoked_clients: revoked }])
      else process.stdout.write(`Revoked ${revoked.length} clients. Their tokens end within 20 minutes.\n`)
    })
}
