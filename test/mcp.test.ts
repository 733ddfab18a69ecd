/** What a program of an agent gets from /mcp, asked with the official client in every revision. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer'
import Schema from 'typebox/schema'
import { catalog } from '../src/connectors/index.ts'
import { generalTools } from '../src/tools/tools.ts'
import { type Hosted, isProblem, startHosted } from './hosted.ts'
import { mcpClient, type Revision, revisions } from './mcp-client.ts'

export interface Result {
  readonly content: readonly { readonly type: string; readonly text: string; readonly data?: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly structuredContent?: any
  readonly isError?: boolean
}

describe('the MCP server over HTTP', () => {
  let hosted: Hosted
  before(async () => {
    hosted = await startHosted({ simulators: { scale: 200 } })
    const { syncs } = hosted.server.service
    await hosted.call('POST', `/v1/integrations/connectors/${hosted.connector}/sync`, { token: hosted.ann, body: {} })
    await syncs.settled()
  })
  after(() => hosted.close())
  beforeEach(() => hosted.calm())

  async function connected(revision: Revision, { token = hosted.ann, query = '' } = {}): Promise<Client> {
    const client = mcpClient(revision)
    const transport = new StreamableHTTPClientTransport(new URL(`${hosted.server.origin}/mcp${query}`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    })
    await client.connect(transport)
    return client
  }

  async function call(
    name: string,
    given: object = {},
    options: Parameters<typeof connected>[1] = {},
  ): Promise<Result> {
    const client = await connected('2026-07-28', options)
    try {
      return (await client.callTool({ name, arguments: given as never })) as unknown as Result
    } finally {
      await client.close()
    }
  }

  it('refuses what is no message of the protocol, as the documents say', async () => {
    const { body: openapi } = await hosted.call('GET', '/openapi.json')
    const { responses } = openapi.paths['/mcp'].post
    for (const [status, message] of [
      [400, { jsonrpc: '', id: 'operator' }],
      // The caller accepts no events.
      [406, { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    ] as const) {
      const answer = await hosted.call('POST', '/mcp', { token: hosted.ann, body: message })
      assert.equal(answer.status, status, answer.text)
      assert.ok(Schema.Check(responses[status].content['application/json'].schema, answer.body), answer.text)
    }
    assert.ok(responses[400].content['application/problem+json'])
  })

  const failureOf = async (name: string, given: object): Promise<string> => {
    const { isError, content } = await call(name, given)
    assert.equal(isError, true, content[0]!.text)
    return content.map(({ text }) => text).join('\n')
  }

  for (const revision of revisions)
    it(`is found, described and read in revision ${revision}`, async () => {
      const client = await connected(revision)
      assert.equal(client.getNegotiatedProtocolVersion(), revision)
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name),
        generalTools.map(({ name }) => name),
      )
      const listed = (await client.callTool({ name: 'list_connectors', arguments: {} })) as unknown as Result
      assert.deepEqual(
        listed.structuredContent.connectors.map(({ id }: { id: string }) => id),
        [hosted.connector],
      )
      const read = (await client.callTool({
        name: 'execute',
        arguments: { connector: hosted.connector, entity: 'workspaces', action: 'list' },
      })) as unknown as Result
      assert.deepEqual(JSON.parse(read.content[0]!.text), read.structuredContent.result)
      assert.equal(read.structuredContent.result[0].gid, hosted.at.workspace)
      await client.close()
    })

  it('needs a token, and says so as the protocol does', async () => {
    const answer = await hosted.call('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    isProblem(answer, 'unauthenticated')
    assert.match(answer.headers.get('www-authenticate')!, /^Bearer resource_metadata="[^"]+"/)
  })

  it('costs few tokens', async () => {
    const client = await connected('2026-07-28')
    const tools = JSON.stringify((await client.listTools()).tools)
    await client.close()
    assert.ok(countTokens(tools) < 1200, `tools/list has ${countTokens(tools)} tokens`)

    const about = [
      await call('list_connectors'),
      await call('describe', { connector: 'asana' }),
      await call('describe', { connector: 'asana', entity: 'tasks' }),
    ]
    const session = tools + about.flatMap(({ content }) => content.map(({ text }) => text)).join('\n')
    assert.ok(countTokens(session) < 3000, `a session has ${countTokens(session)} tokens beyond its data`)
  })

  it('describes every kind and entity in few words', async () => {
    for (const kind of Object.keys(catalog)) {
      const { content } = await call('describe', { connector: kind })
      assert.ok(countTokens(content[0]!.text) < 1500, `${kind} has ${countTokens(content[0]!.text)} tokens`)
      for (const entity of Object.keys(catalog[kind as keyof typeof catalog].entities))
        assert.match(content[0]!.text, new RegExp(`^${entity} \\[`, 'm'))
    }
    const action = await call('describe', { connector: 'asana', entity: 'tasks', action: 'list' })
    assert.match(action.content[0]!.text, /- limit\?: integer 1–100 — /)
    assert.doesNotMatch(action.content[0]!.text, /"properties"/)
    const full = await call('describe', { connector: 'asana', entity: 'tasks', action: 'list', full: true })
    assert.match(full.content[0]!.text, /"properties"/)
  })

  it('searches the copy, and says how old it is', async () => {
    const { content, structuredContent } = await call('search', {
      connector: 'asana',
      entity: 'tasks',
      filter: { eq: { completed: false } },
      fields: ['name'],
      limit: 3,
    })
    assert.equal(structuredContent.result.hits.length, 3)
    assert.deepEqual(Object.keys(structuredContent.result.hits[0].data), ['name'])
    assert.match(content[1]!.text, /The copy is \d+ s old\./)
    assert.equal(structuredContent.next.arguments.cursor, structuredContent.result.next_cursor)
  })

  it('runs SQL over the copies, and says how old they are', async () => {
    const statement = 'select completed, count(*) as tasks from tasks group by completed order by completed'
    const { content, structuredContent } = await call('sql', { connector: 'asana', sql: statement })
    const answer = await hosted.execute('*', 'sql', { sql: statement })
    assert.equal(structuredContent.result.length, 2)
    assert.deepEqual(structuredContent.result, answer.body.result.data)
    assert.deepEqual(JSON.parse(content[0]!.text), structuredContent.result)
    assert.match(content[1]!.text, /^No more records follow\. The copy is \d+ s old\.$/)
    assert.equal((await call('sql', { connector: 'asana', sql: 'select 1 as one' })).content[0]!.text, '[{"one":1}]')
  })

  it('reads all rows of a statement by following the calls that it is told', async () => {
    const all: unknown[] = []
    let given: object = {
      connector: 'asana',
      sql: 'select gid, name, notes from tasks order by gid',
      limit: 20,
      max_characters: 4000,
      max_text: 1000,
    }
    for (let calls = 0; calls < 100; calls++) {
      const { content, structuredContent } = await call('sql', given)
      assert.ok(content.map(({ text }) => text).join('').length <= 4000)
      for (const { gid } of structuredContent.result) all.push(gid)
      if (structuredContent.next === undefined) break
      assert.match(content[1]!.text, /Go on with sql \{/)
      given = structuredContent.next.arguments
    }
    const whole = await hosted.execute('*', 'sql', { sql: 'select gid from tasks order by gid', limit: 10_000 })
    assert.ok(all.length > 40)
    assert.deepEqual(
      all,
      whole.body.result.data.map(({ gid }: { gid: string }) => gid),
    )
  })

  it('says where rows of a statement end without being all', async () => {
    const numbers = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 10001) select i from n'
    const given = { connector: 'asana', sql: numbers, limit: 10_000, max_characters: 1_000_000 }
    const { content, structuredContent } = await call('sql', given)
    assert.equal(structuredContent.result.length, 10_000)
    assert.equal(structuredContent.next, undefined)
    assert.match(content[1]!.text, /There are more than 10000 rows; group or filter them\./)
  })

  it('tells the tables, the columns and the dialect of SQL', async () => {
    const kind = await call('describe', { connector: 'asana' })
    assert.match(kind.content[0]!.text, /^sql joins and groups their copies, in the dialect of SQLite\./m)
    const { content } = await call('describe', { connector: 'asana', entity: 'tasks' })
    const [, told = ''] = /^sql, .* as strings ([\w, ]+);/m.exec(content[0]!.text) ?? []
    const columns = told.split(', ')
    assert.ok(columns.includes('assignee_gid'))
    const { body } = await hosted.execute('*', 'sql', { sql: `select ${columns} from tasks`, limit: 1 })
    assert.deepEqual(Object.keys(body.result.data[0]), columns)
  })

  it('reads all records by following the calls that it is told', async () => {
    const all = new Set<string>()
    let count = 0
    const params = { project: hosted.at.project_bulk, limit: 40 }
    let given: object = { connector: 'asana', entity: 'tasks', action: 'list', params, max_characters: 4000 }
    for (let calls = 0; calls < 100; calls++) {
      const { content, structuredContent } = await call('execute', given)
      assert.ok(content.map(({ text }) => text).join('').length <= 4000)
      for (const { gid } of structuredContent.result) all.add(gid)
      count += structuredContent.result.length
      if (structuredContent.next === undefined) break
      assert.match(content[1]!.text, /Go on with execute \{/)
      given = structuredContent.next.arguments
    }
    const whole = await hosted.execute('tasks', 'list', { project: hosted.at.project_bulk, limit: 100 })
    assert.ok(count >= whole.body.result.length && count > 40)
    assert.equal(all.size, count)
  })

  it('has one tool per operation for a client that names entities', async () => {
    const client = await connected('2026-07-28', { query: '?tools=asana.tasks,asana.attachments.list' })
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['asana_tasks_list', 'asana_tasks_get', 'asana_tasks_search', 'asana_attachments_list'],
    )
    for (const { annotations } of tools)
      assert.deepEqual([annotations?.readOnlyHint, annotations?.idempotentHint], [true, true])
    // The client checks each answer against the output schema.
    const ask = async (name: string, given: object) =>
      (await client.callTool({ name, arguments: given as never })) as unknown as Result
    const { project } = hosted.at
    const listed = await ask('asana_tasks_list', { project, limit: 2, omit_empty: true })
    assert.equal(listed.structuredContent.result.length, 2)
    const { tool, arguments: more } = listed.structuredContent.next
    assert.notDeepEqual((await ask(tool, more)).structuredContent.result, listed.structuredContent.result)
    const [{ gid }] = listed.structuredContent.result
    const got = await ask('asana_tasks_get', { task_gid: gid, select_fields: ['gid', 'name'] })
    assert.deepEqual(Object.keys(got.structuredContent.result).toSorted(), ['gid', 'name'])
    const found = await ask('asana_tasks_search', { filter: { eq: { gid } } })
    assert.equal(found.structuredContent.result.hits[0].id, gid)
    assert.match((await ask('asana_tasks_list', { projct: project })).content[0]!.text, /did you mean "project"\?/)
    await client.close()
    for (const [names, code, expected] of [
      ['asana.task', 'unknown_entity', /did you mean "tasks"\?/],
      ['asna.tasks', 'not_found', /did you mean "asana"\?/],
      ['tasks', 'invalid_request', /with their kind/],
      ['asana.tasks.lst', 'unknown_action', /it has list, get, search/],
    ] as const) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const answer = await hosted.call('POST', `/mcp?tools=${names}`, { token: hosted.ann, body })
      isProblem(answer, code)
      assert.match(answer.body.detail, expected)
    }
  })

  describe('get_file', () => {
    const read = (attachment_gid: string, more: object = {}) =>
      call('get_file', { connector: 'asana', entity: 'attachments', params: { attachment_gid }, ...more })

    it('gives a text as text, and the call that goes on', async () => {
      const { content } = await read(hosted.at.attachment_text!, { max_characters: 2000 })
      const whole = await (await hosted.stream('attachments', { attachment_gid: hosted.at.attachment_text! })).text()
      assert.ok(whole.startsWith(content[0]!.text) && content[0]!.text.length > 0)
      if (content[0]!.text !== whole) assert.match(content[1]!.text, /range_header "bytes=\d+-"/)
    })

    it('gives other bytes as a link, which reads this file alone and expires', async () => {
      const { content } = await read(hosted.at.attachment_12338_bytes!)
      assert.deepEqual(
        content.map(({ type }) => type),
        ['text', 'resource_link'],
      )
      assert.match(content[0]!.text, /12338 bytes.*valid for 600 seconds/)
      const { uri } = content[1] as unknown as { uri: string }
      const answer = await fetch(uri)
      assert.equal((await answer.arrayBuffer()).byteLength, 12338)
      assert.match(answer.headers.get('content-disposition')!, /^attachment/)
      const token = new URL(uri).searchParams.get('token')!
      isProblem(await hosted.call('GET', '/v1/integrations/connectors', { token }), 'unauthenticated')
      isProblem(await hosted.call('GET', `/v1/integrations/files?token=${hosted.ann}`), 'not_found')
      isProblem(await hosted.call('GET', `/v1/integrations/files?token=${token.slice(0, -3)}AAA`), 'not_found')
      isProblem(await hosted.call('GET', '/v1/integrations/files'), 'not_found')
      assert.ok(!hosted.log().includes(token))
      hosted.clock.advance(11 * 60_000)
      isProblem(await hosted.call('GET', new URL(uri).pathname + new URL(uri).search), 'not_found')
      hosted.clock.advance(-11 * 60_000)
    })
  })

  it('answers errors as results that say what to try next', async () => {
    const read = { connector: 'asana', entity: 'tasks', action: 'list' }
    for (const [name, given, expected] of [
      ['execute', { ...read, connector: 'asna' }, /did you mean "asana"\?[\s\S]*list_connectors/],
      ['execute', { ...read, entity: 'task' }, /did you mean "tasks"\?[\s\S]*describe \{"connector":"asana"\}/],
      ['execute', { ...read, action: 'lst' }, /it has list, get, search/],
      ['execute', { ...read, params: { projct: '1' } }, /did you mean "project"\?[\s\S]*"action":"list"/],
      ['execute', { ...read, parms: {} }, /did you mean "params"\?/],
      ['execute', { ...read, action: 'search' }, /Next: search \{/],
      ['execute', { ...read, action: 'sql' }, /Next: sql \{/],
      ['sql', { connector: 'asana', sql: 'select nam from tasks' }, /did you mean "name"\?[\s\S]*describe \{/],
      ['sql', { connector: 'asana', sql: 'select * from task' }, /did you mean "tasks"\?/],
      ['sql', { connector: 'asana', sql: 'delete from tasks' }, /not a select statement|is a view/],
      ['sql', { connector: 'asana', sql: '' }, /"sql" must be text/],
      ['sql', { connector: 'asana', statement: 'select 1' }, /sql is required/],
      ['search', { connector: 'asana', entity: 'tasks', filter: { eq: { nam: 'x' } } }, /\/filter\/eq\/nam .*"name"/],
      ['describe', { connector: 'asana', entity: 'task' }, /did you mean "tasks"\?/],
      ['describe', { connector: 'asna' }, /did you mean "asana"\?/],
      ['execute', {}, /entity is required[\s\S]*action is required/],
    ] as const)
      assert.match(await failureOf(name, given), expected)
    const client = await connected('2026-07-28')
    await assert.rejects(client.callTool({ name: 'serch', arguments: {} }), /did you mean "search"\?/)
    await client.close()
  })

  it('shows nobody the connectors of another end user, and records who asked', async () => {
    const token = (await hosted.server.issueToken('bob')).token
    const listed = await call('list_connectors', {}, { token })
    assert.match(listed.content[0]!.text, /no connectors yet/)
    for (const connector of [hosted.connector, 'asana']) {
      for (const [name, given] of [
        ['execute', { entity: 'workspaces', action: 'list' }],
        ['search', { entity: 'tasks' }],
        ['sql', { sql: 'select gid from tasks' }],
      ] as const) {
        const { isError, content } = await call(name, { connector, ...given }, { token })
        assert.equal(isError, true)
        assert.match(content[0]!.text, /^not_found: /)
      }
    }
    const bearer = (await hosted.server.issueToken()).token
    const audit = await hosted.call('GET', '/v1/integrations/audit?event=access.denied', { token: bearer })
    assert.deepEqual(
      audit.body.entries.map(({ external_user_id, details }: never) => [
        external_user_id,
        (details as { route: string }).route,
      ]),
      [['bob', '/mcp']],
    )
    assert.deepEqual(hosted.received(), [])
  })

  it('gives resources, to which the tools point', async () => {
    const client = await connected('2026-07-28')
    const { resources } = await client.listResources()
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri })
      assert.ok((contents[0] as { text: string }).text.length > 100)
    }
    const { tools } = await client.listTools()
    const search = tools.find(({ name }) => name === 'search')!
    assert.ok(resources.some(({ uri }) => search.description!.includes(uri)))
    await assert.rejects(client.readResource({ uri: 'conex://catalog/asana/task' }), /did you mean "tasks"\?/)
    await client.close()
  })

  it('does not answer pages of other origins, or by a foreign name', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const ask = (headers: Record<string, string>) => hosted.call('POST', '/mcp', { token: hosted.ann, body, headers })
    isProblem(await ask({ origin: 'https://evil.example' }), 'forbidden')
    isProblem(await ask({ origin: 'null' }), 'forbidden')
    const accept = 'application/json, text/event-stream'
    assert.equal((await ask({ accept, origin: hosted.server.origin })).status, 200)
  })

  it('never fails for bad input', async () => {
    for (const body of [
      [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
      {},
      { jsonrpc: '2.0', id: 1e40, method: 5 },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'execute', arguments: [] } },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'execute', arguments: { params: 7 } } },
      { jsonrpc: '2.0', id: 1, method: 'tools/call' },
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'conex://catalog//' } },
      { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} },
      '[]',
      'null',
    ]) {
      const headers = { accept: 'application/json, text/event-stream' }
      const answer = await hosted.call('POST', '/mcp', { token: hosted.ann, headers, body })
      assert.ok(answer.status < 500, `${answer.status} ${answer.text}`)
      assert.doesNotMatch(answer.text, /\bat .+\.ts|node_modules/)
    }
    assert.deepEqual(hosted.received(), [])
  })
})
