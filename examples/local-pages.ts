/** Searches a system live, page by page, and stops when it has seen enough, without requesting another page. */
import { connect } from 'conex'
import { place } from './place.ts'

const wanted = Number(process.argv[2] ?? 25)
const asana = connect('asana', { credentials: { token: process.env.ASANA_TOKEN! }, ...place })

const { result: workspaces } = await asana.workspaces.list()
const params = { workspace_gid: workspaces[0]!.gid, completed: false, sort_by: 'created_at', limit: 10 } as const

// The timeout covers the whole loop.
let seen = 0
let pages = 0
for await (const page of asana.workspace_task_search.list.pages(params, { signal: AbortSignal.timeout(60_000) })) {
  pages += 1
  for (const task of page.result.slice(0, wanted - seen)) console.log(`${task.created_at}  ${task.name}`)
  seen = Math.min(wanted, seen + page.result.length)
  if (seen === wanted) break
}
console.log(`${seen} tasks from ${pages} pages`)
await asana.close()
