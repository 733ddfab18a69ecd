/** Reads a system from this program, without a server: all open tasks of the token's owner. */
import { ConexError, connect } from 'conex'
import { place } from './place.ts'

const asana = connect('asana', { credentials: { token: process.env.ASANA_TOKEN! }, ...place })

try {
  const { result: workspaces } = await asana.workspaces.list()
  for (const { gid, name } of workspaces) {
    console.log(name)
    for await (const task of asana.tasks.list.all({ workspace: gid, assignee: 'me', completed_since: 'now' }))
      console.log(`- ${task.name}`)
  }
} catch (error) {
  if (!(error instanceof ConexError)) throw error
  console.error(`${error.code}: ${error.message}`)
  process.exitCode = 1
} finally {
  await asana.close()
}
