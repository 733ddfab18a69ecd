/** `conex clients`: creates, lists, rotates and revokes the clients of organizations. */
import type { Command } from 'commander'
import type { CommandIo } from '../kinds.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'
import { withStore } from '../with-store.ts'

interface Options extends OutputOptions {
  readonly organization?: string
}

export function addClientsCommand(program: Command, io: CommandIo): void {
  const clients = program
    .command('clients')
    .description('create, list, rotate and revoke clients')
    .addHelpText(
      'after',
      `
These commands work on the database that CONEX_DATABASE_URL names, whether a server is running or not.

Examples:
  conex clients create reporting
  conex clients rotate 0198c5d2-8f3a-7c1e-9f6b-2d4a8e5b7c90`,
    )
  const service = () => import('../../service/administer.ts')
  const now = () => Date.now()

  withOutput(
    clients
      .command('list')
      .description('list clients')
      .option('--organization <id>', 'only clients of this organization'),
  ).action(async ({ organization, ...options }: Options) => {
    const rows = await withStore(io, async (store) =>
      (await store.organizations.clients(organization ?? null)).map((client) => ({
        client_id: client.id,
        organization_id: client.organizationId,
        name: client.name,
        created_at: client.createdAt,
        rotated_at: client.rotatedAt,
        revoked_at: client.revokedAt,
      })),
    )
    createOutput(options, io).rows(rows, [
      'client_id',
      'organization_id',
      'name',
      'created_at',
      'rotated_at',
      'revoked_at',
    ])
  })

  withOutput(
    clients
      .command('create')
      .description('create a client and show its secret, only this once')
      .argument('[name]', 'name of the client', '')
      .option('--organization <id>', 'the organization of the client; by default the first one'),
  ).action(async (name: string, { organization, ...options }: Options) => {
    const { createClient, organizationOf } = await service()
    const made = await withStore(io, async (store) => {
      const organization_id = await organizationOf({ store, now }, organization)
      return { organization_id, ...(await createClient({ store, now }, organization_id, name)) }
    })
    createOutput(options, io).record(made)
  })

  withOutput(
    clients
      .command('rotate')
      .description('replace the secret of a client and show the new one, only this once')
      .argument('<client_id>'),
  ).action(async (id: string, options: Options) => {
    const { rotateClient } = await service()
    createOutput(options, io).record(await withStore(io, (store) => rotateClient({ store, now }, id)))
  })

  withOutput(
    clients
      .command('revoke')
      .description(
        'revoke a client: it gets no more tokens; existing ones expire within 15 minutes, scoped ones within 20',
      )
      .argument('<client_id>'),
  ).action(async (id: string, options: Options) => {
    const { revokeClient } = await service()
    await withStore(io, (store) => revokeClient({ store, now }, id))
    const output = createOutput(options, io)
    if (output.forPeople) output.say('Revoked. Its tokens expire within 15 minutes, scoped ones within 20.')
    else output.record({ client_id: id, revoked: true })
  })
}
