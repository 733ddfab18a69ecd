/** Runs the server and the simulated systems, and gives a tour of them over HTTP, like any caller. */
import { randomBytes } from 'node:crypto'
import { dataFolder } from '../../server/keys.ts'
import { parseSettings } from '../../server/settings.ts'
import { startServer } from '../../server/start.ts'
import { createSignInCode } from '../../service/agent-grants.ts'
import { startSimulators } from '../../simulator/simulators.ts'
import type { CommandIo } from '../kinds.ts'
import { size } from '../terminal/size.ts'
import { valueAt } from '../terminal/table.ts'
import { type Teller, tellOn } from '../terminal/tell.ts'
import { exportCommand, tokenCommand } from '../token-command.ts'
import { agentSettings } from './agent-settings.ts'
import { type DemoCaller, demoCaller } from './caller.ts'
import { firstProgram, writeFirstProgram } from './first-program.ts'
import { startLanding } from './landing.ts'
import { showSync } from './show-sync.ts'

/** The end user whose connectors the demo creates. */
const endUser = 'demo-user'

export async function runDemo(io: CommandIo): Promise<void> {
  const tell = tellOn(io.stdout)
  const { command, fact, heading, note, say } = tell
  const { catalog } = io.kinds
  const settings = parseSettings(Object.keys(catalog), io.env)
  // The demo's own client gets a new secret with each run, so that every run can show it.
  const client = {
    id: settings.clientId ?? 'demo',
    secret: settings.clientSecret ?? randomBytes(32).toString('base64url'),
  }
  // Enough to look at: the tour waits until all of it is copied.
  const systems = await startSimulators(await io.kinds.simulators(), { callsPerMinute: null, scale: 400 })
  const described = systems.describe()
  const baseUrls = Object.fromEntries(Object.entries(described).map(([kind, { base_url }]) => [kind, base_url]))
  const applications = Object.fromEntries(
    Object.entries(described).flatMap(([kind, { application }]) =>
      application ? [[kind, { clientId: application.client_id, clientSecret: application.client_secret }]] : [],
    ),
  )
  // The full log would fill the screen, so only errors appear.
  const server = await startServer(
    {
      ...settings,
      clientId: client.id,
      clientSecret: client.secret,
      baseUrls,
      applications,
      allowPrivateNetwork: true,
      logLevel: 'error',
      // The tour waits for the copy of one connector of each kind.
      syncsAtOnce: Object.keys(catalog).length,
    },
    {},
    catalog,
  ).catch(async (error: unknown) => {
    await systems.close()
    throw inWords(error, settings.port)
  })
  const { token } = await server.issueToken()
  const caller = demoCaller(server.origin, token)

  heading('Conex is running')
  fact('server', server.origin)
  fact('documents', `${server.origin}/docs`)
  fact('agents', `${server.origin}/mcp`)
  fact('systems', `${systems.origin} (simulated)`)

  /** The credentials of the system's first person, in the kind's own fields. */
  const ofSystem = (kind: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(described[kind]!.credentials[0]!).map(([field, value]) => [
        `${kind}_${field}`.replaceAll('-', '_').toUpperCase(),
        value,
      ]),
    )
  const title = (kind: string): string => catalog[kind]!.title

  // Show what can be read first.
  const kinds = Object.keys(described)
    .sort()
    .sort((one, other) => Number(systems.tour(one).list === undefined) - Number(systems.tour(other).list === undefined))
  const lines: { readonly title: string; readonly line: string }[] = []
  const ids = new Map<string, string>()
  // Create all connectors first, so that their copies fill while the tour goes on.
  for (const kind of kinds) {
    const { credentials } = described[kind]!
    const { replication_config } = systems.tour(kind)
    const connector = {
      external_user_id: endUser,
      connector_type: kind,
      name: 'Demo',
      credentials: credentials[0],
      replication_config,
    }
    ids.set(kind, await caller.createConnector(connector))
  }
  for (const [kind, id] of ids) {
    const { list, download, search } = systems.tour(kind)
    const example = (entity: string, action: string) => systems.examples(kind)[entity]?.[action] ?? {}
    heading(`${title(kind)}: connector ${id}`)
    if (list === undefined) {
      say(`  check: ${await caller.check(id)}`)
      continue
    }
    const listed = { entity: list.entity, params: example(list.entity, 'list') }
    await showList(tell, caller, id, { ...listed, columns: list.columns })
    if (download !== undefined)
      await showDownload(tell, caller, id, { ...download, params: example(download.entity, 'download') })
    lines.push({ title: `${title(kind)}, ${list.entity}`, line: curlExecute(server.origin, id, 'list', listed) })
    if (search === undefined) continue
    await showSync(caller, id, search.entity, io)
    await showSearch(tell, caller, id, search)
    const { entity, params } = search
    const line = curlExecute(server.origin, id, 'search', { entity, params })
    lines.push({ title: `${title(kind)}, search ${entity}`, line })
  }

  const landing = await startLanding({
    origin: server.origin,
    endUser,
    kinds: Object.keys(applications).map((kind) => ({
      connector_type: kind,
      title: title(kind),
      replication_config: systems.tour(kind).replication_config,
    })),
    token: async () => (await server.issueToken()).token,
  })

  heading('Try it in another terminal')
  note('The pages of Conex use these names.')
  const [kind, id] = ids.entries().next().value!
  const { entity, columns } = systems.tour(kind).list!
  command(exportCommand({ CLIENT_ID: client.id, CLIENT_SECRET: client.secret }))
  command(exportCommand({ CONNECTOR_ID: id, ...ofSystem(kind) }))
  say()
  note('A token for 15 minutes; run the same line to get a new one')
  command(tokenCommand(server.origin))
  for (const { title, line } of lines) {
    say()
    note(title)
    command(line)
  }
  say()
  note('A program, and how to run it')
  const params = systems.examples(kind)[entity]?.list ?? {}
  const program = firstProgram({ origin: server.origin, kind, entity, params, columns })
  say(program.trimEnd())
  say()
  command(writeFirstProgram(dataFolder(settings.databaseUrl), program))
  say()
  note('The operations of every connector type')
  command(`curl -s ${server.origin}/v1/integrations/connector-types \\\n  -H "Authorization: Bearer $CONEX_TOKEN"`)
  say()
  note('For a desktop program with agents (mcpServers in its settings)')
  say(agentSettings({ origin: server.origin, client, endUser }))
  say()
  if (server.agentsSignIn) {
    note('For a program that speaks OAuth: its address, and a code for the page that it opens')
    say(`  ${server.publicUrl}/mcp`)
    const made = await createSignInCode(
      server.service,
      { organizationId: server.organizationId, externalUserId: null },
      endUser,
    )
    say(`  ${made.sign_in_code}  (ten minutes)`)
    say()
  }
  note('Consent in a browser, from a page like the ones of your own program')
  say(`  ${landing.origin}/`)
  say()
  note('Every route and operation, with a request to paste')
  say(`  ${server.origin}/docs`)
  say()
  note('Ctrl-C stops the demo; the next run continues with its data.')

  await io.untilStopped()
  say()
  await landing.close()
  await server.close()
  await systems.close()
}

interface Stop {
  readonly entity: string
  readonly params: Readonly<Record<string, unknown>>
}

async function showList(
  { say, table }: Teller,
  caller: DemoCaller,
  id: string,
  { entity, params, columns }: Stop & { readonly columns: readonly string[] },
): Promise<void> {
  const { records, milliseconds } = await caller.list(id, entity, params)
  say(`  list ${entity}: ${records.length} records in ${milliseconds} ms, the first of them`)
  table(
    columns,
    records.slice(0, 5).map((record) => columns.map((column) => shown(valueAt(record, column)))),
  )
}

async function showSearch(
  { say, table }: Teller,
  caller: DemoCaller,
  id: string,
  { entity, params, columns }: Stop & { readonly columns: readonly string[] },
): Promise<void> {
  const { records, took, age } = await caller.search(id, entity, params)
  say(`  search ${entity}: ${records.length} hits in ${took.toFixed(1)} ms, from a copy that is ${age ?? '?'} s old`)
  table(
    columns,
    records.map((record) => columns.map((column) => shown(valueAt(record, column)))),
  )
}

async function showDownload({ say }: Teller, caller: DemoCaller, id: string, { entity, params }: Stop): Promise<void> {
  const { size: length, type, name } = await caller.download(id, entity, params)
  say(`  download ${entity}: ${name ?? 'a file'}, ${size(length)} of ${type}`)
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const { name, gid } = value as { name?: unknown; gid?: unknown }
    return String(name ?? gid ?? JSON.stringify(value))
  }
  return value === null || value === undefined ? '' : String(value)
}

/** Splits a command into lines as a shell allows, so that no terminal breaks it elsewhere. */
function curlExecute(origin: string, id: string, action: 'list' | 'search', { entity, params }: Stop): string {
  const body = JSON.stringify({ entity, action, params })
  return [
    `curl -s ${origin}/api/v1/connectors/sources/${id}/execute`,
    `-H "Authorization: Bearer $CONEX_TOKEN" -H 'Content-Type: application/json'`,
    `-d '${body.replaceAll("'", "'\\''")}'`,
  ].join(' \\\n  ')
}

function inWords(error: unknown, port: number): unknown {
  return (error as { cause?: { code?: string } }).cause?.code === 'EADDRINUSE'
    ? new Error(`Port ${port} is in use; stop that program, or choose another port: CONEX_PORT=8090 npm start`)
    : error
}
