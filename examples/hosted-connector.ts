/** Creates a connector for an end user in a hosted service, and reads through it. From then on, the service keeps the credentials. */
import { ConexError, conex } from 'conex'

const service = conex({
  baseUrl: process.env.CONEX_URL!,
  clientId: process.env.CONEX_CLIENT_ID!,
  clientSecret: process.env.CONEX_CLIENT_SECRET!,
})

const id = await connectorOf('grace')
const health = await service.connectors.check(id)
console.log(`connector ${id} is ${health.status}`)

const asana = service.connect('asana', { connectorId: id })
const { result: workspaces } = await asana.workspaces.list()
for (const { gid, name } of workspaces) {
  const { result: projects } = await asana.projects.list({ workspace: gid, archived: false, limit: 5 })
  console.log(`${name}: ${projects.map((project) => project.name).join(', ')}`)
}

/** A second run finds the connector of the first. */
async function connectorOf(external_user_id: string): Promise<string> {
  try {
    const credentials = { token: process.env.ASANA_TOKEN! }
    const made = await service.connectors.create({
      external_user_id,
      connector_type: 'asana',
      name: 'Work',
      credentials,
    })
    return made.id
  } catch (error) {
    if (error instanceof ConexError && error.code === 'conflict') return error.existingId!
    throw error
  }
}
