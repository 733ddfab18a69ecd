/**
 * A scripted agent that answers questions by the tools of /mcp alone, each in a conversation of its own: it lists the
 * connectors, describes the kind and the entity, and reads to the end. Counts the tokens that this takes besides the data.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer'
import { conex } from '../src/client/conex.ts'
import type { Uniform } from '../src/client/connector-types.ts'
import type { ConnectorKind } from '../src/client/kinds.ts'
import { simulators } from '../src/connectors/simulators.ts'
import { startServer } from '../src/server/start.ts'
import { startSimulators } from '../src/simulator/simulators.ts'
import { type AgentQuestion, agentQuestions } from './agent-questions.ts'
import { median, type Row } from './row.ts'

/** What a conversation may take besides the data. */
const wanted = 3000

interface Conversation {
  readonly question: string
  readonly calls: number
  /** Tokens besides the data, and those of the data. */
  readonly around: number
  readonly data: number
}

export async function benchAgent(): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'conex-bench-'))
  const systems = await startSimulators(Object.values(simulators), { callsPerMinute: null, scale: 200 })
  const described = systems.describe()
  const server = await startServer(
    {
      port: 0,
      databaseUrl: `sqlite:${join(folder, 'conex.db')}`,
      baseUrls: Object.fromEntries(Object.entries(described).map(([kind, { base_url }]) => [kind, base_url])),
      allowPrivateNetwork: true,
      rateLimitPerMinute: 0,
      logLevel: 'error',
    },
    { syncs: false },
  )
  const { token } = await server.issueToken()
  const service = conex({ baseUrl: server.origin, token })
  const mcp = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  try {
    const ids = new Map<string, string>()
    for (const [kind, { credentials }] of Object.entries(described)) {
      const { replication_config } = systems.tour(kind)
      const connector = { external_user_id: 'ann', connector_type: kind, name: 'Demo', credentials: credentials[0] }
      const { id } = await service.connectors.create({
        ...connector,
        ...(replication_config && { replication_config }),
      } as never)
      ids.set(kind, id)
      await service.sync.start(id)
    }
    await server.service.syncs.settled()
    const headers = { authorization: `Bearer ${token}` }
    await mcp.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), { requestInit: { headers } }))
    const tools = countTokens(JSON.stringify((await mcp.listTools()).tools))
    const conversations: Conversation[] = []
    for (const asked of agentQuestions) {
      const params = asked.params ?? systems.examples(asked.kind)[asked.entity]?.[asked.action] ?? {}
      const { records, ...tokens } = await converse(mcp, asked, params)
      const system = service.connect(asked.kind as ConnectorKind, { connectorId: ids.get(asked.kind)! })
      assert.deepEqual(records, await truth(system as unknown as Uniform, asked, params), asked.question)
      conversations.push({ question: asked.question, ...tokens, around: tokens.around + tools })
    }
    return rowOf(tools, conversations)
  } finally {
    await mcp.close()
    await server.close()
    await systems.close()
    await rm(folder, { recursive: true })
  }
}

type Params = Readonly<Record<string, unknown>>

/** Asks as a model does that reads what it is told. */
async function converse(mcp: Client, { kind, entity, action, fields }: AgentQuestion, params: Params) {
  let [calls, around, data] = [0, 0, 0]
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function call(name: string, given: Params): Promise<any> {
    const result = (await mcp.callTool({ name, arguments: given })) as {
      readonly content: readonly { readonly text: string }[]
      readonly isError?: boolean
      readonly structuredContent?: unknown
    }
    const [first, ...others] = result.content.map(({ text }) => text)
    assert.ok(!result.isError, first)
    calls++
    const isData = name === 'execute' || name === 'search' || name === 'sql'
    around += countTokens(JSON.stringify(given)) + countTokens(others.join('\n'))
    if (isData) data += countTokens(first!)
    else around += countTokens(first!)
    return result.structuredContent
  }

  await call('list_connectors', {})
  await call('describe', { connector: kind })
  await call('describe', { connector: kind, entity })
  const read = { connector: kind, entity }
  let next: { tool: string; arguments: Params } | undefined =
    action === 'search'
      ? { tool: 'search', arguments: { ...read, ...params } }
      : action === 'sql'
        ? { tool: 'sql', arguments: { connector: kind, ...params } }
        : { tool: 'execute', arguments: { ...read, action, params, ...(fields && { select_fields: fields }) } }
  const records: unknown[] = []
  while (next !== undefined) {
    const answer = await call(next.tool, next.arguments)
    records.push(...(answer.result.hits ?? [answer.result].flat()))
    next = answer.next
  }
  return { records: records.map(identityOf), calls, around, data }
}

/** The records as programs read them, without any tool. */
async function truth(system: Uniform, { entity, action, fields }: AgentQuestion, params: Params): Promise<unknown[]> {
  const reading = fields && { select_fields: fields }
  if (action === 'get') return [identityOf((await system.execute(entity, action, params)).result)]
  if (action === 'sql') return ((await system.execute('*', action, params)).result as { data: unknown[] }).data
  if (action === 'search') {
    const { filter, sort, fields } = params
    const answer = await system.execute(entity, action, {
      query: { filter, ...(sort !== undefined && { sort }) },
      fields,
    })
    return (answer.result as { hits: unknown[] }).hits.map(identityOf)
  }
  const records: unknown[] = []
  for await (const { result } of system.pages(entity, params, reading)) records.push(...(result as unknown[]))
  return records.map(identityOf)
}

/** What tells a record from others, whatever of it is shown. */
function identityOf(record: unknown): unknown {
  const { gid, id, ts, user } = record as Readonly<Record<string, unknown>>
  return gid ?? id ?? ts ?? user ?? record
}

function rowOf(tools: number, conversations: readonly Conversation[]): Row {
  const around = conversations.map((one) => one.around)
  const most = Math.max(...around)
  return {
    what: `tokens of ${conversations.length} conversations of an agent besides their data, at most`,
    against: `${wanted} tokens`,
    ratio: most / wanted,
    wanted: '≤ 1',
    reached: most <= wanted,
    details: [
      `tools/list ${tools}; a conversation ${median(around)} in the middle and ${most} at most, with tools/list`,
      ...conversations.map(
        ({ question, calls, around, data }) => `${question} ${calls} calls, ${around} + ${data} of data`,
      ),
    ],
  }
}
