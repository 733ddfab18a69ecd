/** `conex organizations`: creates, lists and revokes organizations. */
import type { Command } from 'commander'
import type { CommandIo } from '../kinds.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'
import { withStore } from '../with-store.ts'

export function addOrganizationsCommand(program: Command, io: CommandIo): void {
  const organizations = program
    .command('organizations')
    .description('create, list and revoke organizations')
    .addHelpText(
      'after',
      `
These commands work on the database that CONEX_DATABASE_URL names, whether a server is running or not.

Examples:
  conex organizations create Acme
  conex organizations list --json`,
    )
  const service = () => import('../../service/administer.ts')
  const now = () => Date.now()

  withOutput(organizations.command('list').description('list all organizations')).action(
    async (options: OutputOptions) => {
      const rows = await withStore(io, async (store) =>
        (await store.organizations.list()).map(({ id, name, createdAt, clients, connectors }) => ({
          organization_id: id,
          name,
          created_at: createdAt,
          clients,
          connectors,
        })),
      )
      createOutput(options, io).rows(rows, ['organization_id', 'name', 'created_at', 'clients', 'connectors'])
    },
  )

  withOutput(
    organizations
      .command('create')
      .description('create an organization and its first client, and show the secret, only this once')
      .argument('<name>', 'name of the organization'),
  ).action(async (name: string, options: OutputOptions) => {
    const { createClient, createOrganization } = await service()
    const made = await withStore(
      io,
      async (store) => {
        const { organization_id } = await createOrganization({ store, now }, name)
        return { organization_id, ...(await createClient({ store, now }, organization_id, name)) }
      },
      'make',
    )
    createOutput(options, io).record(made)
  })

  withOutput(
    organizations
      .command('revoke')
      .description('revoke all clients of an organization; its connectors stay')
      .argument('<organization_id>'),
  ).action(async (organizationId: string, options: OutputOptions) => {
    const { revokeOrganization } = await service()
    const revoked = await withStore(io, (store) => revokeOrganization({ store, now }, organizationId))
    const output = createOutput(options, io)
    if (output.forPeople) output.say(`Revoked ${revoked.length} clients. Their tokens end within 20 minutes.`)
    else output.record({ organization_id: organizationId, revoked_clients: revoked })
  })
}
