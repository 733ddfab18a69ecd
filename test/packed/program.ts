/** A program of somebody who has installed the package: the same reads from here and through a service. Compiled, then run. */
import assert from 'node:assert/strict'
import { ConexError, type ConnectorRecord, callTool, conex, connect, type ErrorCode, toAnthropic, tools } from 'conex'
import { connect as connectHosted } from 'conex/hosted'

interface Given {
  readonly system: string
  readonly credentials: { readonly token: string }
  readonly project: string
  readonly attachment: string
  readonly service: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string }
}
const { system, credentials, project, attachment, service }: Given = JSON.parse(process.argv[2]!)

type Asana = ReturnType<typeof connect<'asana'>>

async function read(asana: Asana): Promise<unknown> {
  const names: string[] = []
  for await (const task of asana.tasks.list.all({ project, limit: 5 })) names.push(task.name)
  const file = await asana.attachments.download({ attachment_gid: attachment, range_header: 'bytes=0-5' })
  const { result } = await asana.projects.get({ project_gid: project })
  const due: string | null = result.due_on
  const { status } = await asana.check()
  return { names, due, status, part: await file.text(), entities: (await asana.describe()).entities.length }
}

/** What to do about an error; it does not compile when a code is left out. */
function advice(code: ErrorCode): 'mend' | 'wait' | 'sign in' | 'tell' {
  switch (code) {
    case 'rate_limited':
    case 'upstream_rate_limited':
    case 'upstream_timeout':
    case 'upstream_error':
    case 'upstream_invalid_response':
      return 'wait'
    case 'unauthenticated':
    case 'forbidden':
    case 'reauthorization_required':
    case 'invalid_credentials':
    case 'upstream_forbidden':
    case 'upstream_plan_required':
      return 'sign in'
    case 'invalid_json':
    case 'method_not_allowed':
    case 'not_found':
    case 'record_not_found':
    case 'file_unavailable':
    case 'conflict':
    case 'payload_too_large':
    case 'unsupported_media_type':
    case 'range_not_satisfiable':
    case 'invalid_request':
    case 'unknown_entity':
    case 'unknown_action':
    case 'invalid_params':
    case 'invalid_query':
    case 'invalid_cursor':
    case 'upstream_refused':
    case 'search_unavailable':
      return 'mend'
    case 'connector_unavailable':
    case 'storage_full':
    case 'internal':
      return 'tell'
  }
}

const local = connect('asana', { credentials, baseUrl: system, allowPrivateNetwork: true })
const here = await read(local)

const client = conex(service)
const made: ConnectorRecord = await client.connectors.create({
  external_user_id: 'ada',
  connector_type: 'asana',
  name: 'Packed',
  credentials,
})
const hosted = connect('asana', { ...service, externalUserId: 'ada' })
assert.deepEqual(await read(hosted), here)
assert.deepEqual(await read(connectHosted('asana', { ...service, connectorId: made.id })), here)
await client.sync.wait(made.id, { every: 100 })
const hits = await Array.fromAsync(client.connect('asana', { connectorId: made.id }).projects.search.all({ query: {} }))
assert.ok(hits.length > 0)
const few = await tools(client.forEndUser('ada'))
const listed = await callTool(few, 'execute', { entity: 'tasks', action: 'list', params: { project, limit: 1 } })
assert.match(listed, /^\[\{.*\}\]\nThere are more pages\./)
assert.equal(toAnthropic(await tools(hosted, { only: ['tasks.list'] }))[0]?.name, 'asana_tasks_list')

// @ts-expect-error a misspelt param does not compile
await assert.rejects(hosted.tasks.list({ asignee: 'me' }), (error) => {
  assert.ok(error instanceof ConexError)
  return advice(error.code) === 'mend'
})
// @ts-expect-error an entity that there is not
await assert.rejects(local.taks.list())
await local.close()
process.stdout.write(`${JSON.stringify(here)}\n`)
