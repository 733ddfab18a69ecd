/** `conex clients`: creates, lists, rotates and revokes the clients of organizations. */
import type { Command } from 'commander'
import { printJson, printRows } from '../table.ts'
import { withStore } from '../with-store.ts'

interface Options {
  readonly json?: true
  readonly organization?: string
}

export function addClientsCommand(program: Command): void {
  const clients = program.command('clients').description('create, list, rotate and revoke clients')
  const service = () => import('../../service/administer.ts')
  const now = () => Date.now()

  clients
    .command('list')
    .description('list clients')
    .option('--organization <id>', 'of this organization alone')
    .option('--json', 'one JSON object a line')
    .action(async ({ json, organization }: Options) => {
      const rows = await withStore(async (store) =>
        (await store.clients.clients(organization ?? null)).map((client) => ({
          client_id: client.id,
          organization_id: client.organizationId,
          name: client.name,
          created_at: client.createdAt,
          rotated_at: client.rotatedAt,
          revoked_at: client.revokedAt,
        })),
      )
      if (json) printJson(rows)
      else printRows(['client_id', 'organization_id', 'name', 'created_at', 'rotated_at', 'revoked_at'], rows)
    })

  clients
    .command('create')
    .description('make a client, whose secret is shown only now')
    .argument('[name]', 'what to call it', '')
    .option('--organization <id>', 'for this organization; the first one when left out')
    .option('--json', 'one JSON object')
    .action(async (name: string, { json, organization }: Options) => {
      const { createClient, organizationOf } = await service()
      const made = await withStore(async (store) => {
        const organization_id = await organizationOf({ store, now }, organization)
        return { organization_id, ...(await createClient({ store, now }, organization_id, name)) }
      })
      print([made], json)
    })

  clients
    .command('rotate')
    .description('give a client a new secret, shown only now; the old one ends at once')
    .argument('<client_id>')
    .option('--json', 'one JSON object')
    .action(async (id: string, { json }: Options) => {
      const { rotateClient } = await service()
      print([{ ...(await withStore((store) => rotateClient({ store, now }, id))) }], json)
    })

  clients
    .command('revoke')
    .description(
      'end a client: it gets no token any more, and those it has end within 15 minutes, scoped ones within 20',
    )
    .argument('<client_id>')
    .option('--json', 'one JSON object')
    .action(async (id: string, { json }: Options) => {
      const { revokeClient } = await service()
      await withStore((store) => revokeClient({ store, now }, id))
      if (json) printJson([{ client_id: id, revoked: true }])
      else process.stdout.write('Revoked. Its tokens end within 15 minutes, scoped ones within 20.\n')
    })
}

function print(made: readonly Readonly<Record<string, unknown>>[], json: true | undefined): void {
  if (json) printJson(made)
  else printRows(Object.keys(made[0]!), made)
}
