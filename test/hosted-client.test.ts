/** The client library through a service: the same interface as in local mode, and the same answers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it, type TestContext } from 'node:test'
import { ConexError, type ConnectorChoice, conex, connect, type ErrorCode } from '../src/index.ts'
import { type Hosted, startHosted } from './hosted.ts'

const isConex =
  (code: ErrorCode, message = /./) =>
  (error: unknown) =>
    error instanceof ConexError && error.code === code && message.test(error.message)

describe('the client library, through a service', () => {
  let hosted: Hosted
  let access: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string }
  before(async () => {
    hosted = await startHosted({ settings: { rawRequests: true } })
    const { id, secret } = hosted.server.madeClient!
    access = { baseUrl: hosted.server.origin, clientId: id, clientSecret: secret }
  })
  after(() => hosted.close())

  const minted = () => hosted.log().match(/applications\/token/g)?.length ?? 0
  const asanaOf = (choice: ConnectorChoice = { connectorId: hosted.connector }) =>
    connect('asana', { ...access, ...choice })

  it('gives what local mode gives', async () => {
    const { base_url: baseUrl, credentials } = hosted.systems.describe().asana!
    const local = connect('asana', {
      credentials: { token: credentials[0]!.token! },
      baseUrl,
      allowPrivateNetwork: true,
    })
    const { project, attachment_text: attachment } = hosted.at as Record<string, string>
    const seen = async (asana: typeof local) => {
      const range_header = 'bytes=0-5'
      const file = await asana.attachments.download({ attachment_gid: attachment!, range_header })
      return {
        page: await asana.tasks.list({ project: project! }),
        pages: await Array.fromAsync(asana.tasks.list.pages({ project: project!, limit: 4 }), ({ result }) => result),
        all: await Array.fromAsync(asana.workspace_users.list.all({ workspace_gid: hosted.at.workspace!, limit: 3 })),
        named: await Array.fromAsync(
          asana.pages('projects', { workspace: hosted.at.workspace!, limit: 3 }),
          ({ result }) => result,
        ),
        one: await asana.execute('projects', 'get', { project_gid: project! }),
        some: await Array.fromAsync(
          asana.tasks.list.pages({ project: project!, limit: 4 }, { select_fields: ['name', 'created_by.gid'] }),
          ({ result }) => result,
        ),
        less: await asana.projects.get({ project_gid: project! }, { exclude_fields: ['gid', 'members'] }),
        alike: await Array.fromAsync(
          asana.tasks.list.all({ project: project!, limit: 1 }, { select_fields: ['resource_type'] }),
        ),
        file: [file.status, file.headers.get('content-range'), file.headers.get('content-type'), await file.text()],
        health: await asana.check(),
        type: await asana.describe(),
      }
    }
    const here = await seen(local)
    // Only a service has a database, whose dialect it tells.
    const type = { ...here.type, sql: { ...here.type.sql, dialect: 'SQLite' } }
    assert.deepEqual(await seen(asanaOf()), { ...here, type })
    assert.ok(here.pages.length > 1)
    assert.ok(here.all.length > 3)
    assert.deepEqual(Object.keys(here.some[0]![0]!), ['name', 'created_by'])
    assert.ok(!('gid' in here.less.result) && 'name' in here.less.result)
    assert.equal(here.alike.length, here.pages.flat().length)
    assert.deepEqual(here.alike[0], { resource_type: 'task' })
    assert.deepEqual(here.file.slice(0, 2), [206, here.file[1]])
    await local.close()
  })

  it('finds the one connector of an end user, and asks for a choice among several', async () => {
    assert.ok((await asanaOf({ externalUserId: 'ann' }).workspaces.list()).result.length > 0)
    await assert.rejects(asanaOf({ externalUserId: 'nobody' }).workspaces.list(), isConex('not_found', /"nobody"/))
    const { token } = await hosted.server.issueToken('eve')
    const ids = [
      await hosted.connect(hosted.credentials('one'), token),
      await hosted.connect(hosted.credentials('two'), token),
    ]
    await assert.rejects(asanaOf({ externalUserId: 'eve' }).check(), (error) => {
      assert.ok(isConex('invalid_request')(error))
      for (const id of ids) assert.ok((error as Error).message.includes(id))
      return true
    })
    const conexOfOrganization = conex(access)
    for (const id of ids) {
      const { name } = await conexOfOrganization.connectors.get(id)
      const eve = asanaOf({ externalUserId: 'eve', connectorName: name })
      assert.ok((await eve.workspaces.list()).result.length > 0)
    }
    const misnamed = asanaOf({ externalUserId: 'eve', connectorName: 'No such' })
    await assert.rejects(misnamed.check(), isConex('not_found', new RegExp(`"No such"; there are ${ids[0]}`)))
  })

  it('sends requests of its own where the service and the token allow it', async () => {
    const request = { path: '/users/me', query: { opt_fields: 'name' } }
    const usual = asanaOf()
    await assert.rejects(usual.request(request), isConex('forbidden', /scope raw_requests/))
    const service = conex({ ...access, scope: 'raw_requests' as const })
    const { token } = await service.tokens.scoped('ann', { scope: 'raw_requests' })
    for (const connected of [
      service.connect('asana', { connectorId: hosted.connector }),
      connect('asana', { baseUrl: access.baseUrl, token, connectorId: hosted.connector }),
    ]) {
      const answer = await connected.request(request)
      assert.deepEqual(Object.keys(((await answer.json()) as { data: object }).data).toSorted(), ['gid', 'name'])
    }
  })

  it('takes a scoped token, which knows its end user', async () => {
    const asana = connect('asana', { baseUrl: access.baseUrl, token: hosted.ann })
    assert.ok((await asana.workspaces.list()).result.length > 0)
    const foreign = connect('asana', {
      baseUrl: access.baseUrl,
      token: async () => (await hosted.server.issueToken('bob')).token,
      connectorId: hosted.connector,
    })
    await assert.rejects(foreign.workspaces.list(), isConex('not_found'))
  })

  it('mints one token for all the calls that wait for it, and another when the service no longer takes it', async () => {
    const asana = asanaOf()
    const calls = () => Promise.all(Array.from({ length: 20 }, () => asana.workspaces.list()))
    const before = minted()
    await calls()
    assert.equal(minted(), before + 1)
    await hosted.clock.sleep(16 * 60_000, new AbortController().signal)
    await calls()
    assert.equal(minted(), before + 2)
  })

  it('asks a giver of tokens again only when the last one is not taken', async () => {
    const given: string[] = []
    const asana = connect('asana', {
      baseUrl: access.baseUrl,
      connectorId: hosted.connector,
      token: async () => {
        given.push(given.length === 0 ? 'worn out' : (await hosted.server.issueToken('ann')).token)
        return given.at(-1)!
      },
    })
    await Promise.all(Array.from({ length: 9 }, () => asana.workspaces.list()))
    await asana.workspaces.list()
    assert.equal(given.length, 2)
    const fixed = connect('asana', { baseUrl: access.baseUrl, connectorId: hosted.connector, token: 'worn-out' })
    await assert.rejects(fixed.workspaces.list(), isConex('unauthenticated'))
    const wrong = connect('asana', { ...access, clientSecret: 'wrong', connectorId: hosted.connector })
    await assert.rejects(wrong.workspaces.list(), isConex('unauthenticated'))
  })

  it('ends at pages that come in a circle', async () => {
    hosted.calm()
    const next_page = { offset: 'same', path: '/', uri: 'https://x.example/' }
    hosted.fault({ type: 'body', body: { data: [], next_page } }, { path: '/projects$', times: 'always' })
    const all = Array.fromAsync(asanaOf().projects.list.all({ workspace: hosted.at.workspace! }))
    await assert.rejects(all, isConex('upstream_invalid_response', /same page token twice/))
    assert.ok(hosted.received().length <= 3)
    hosted.calm()
  })

  it('ends where page after page brings the same records under new tokens', async () => {
    hosted.calm()
    for (let page = 0; page < 9; page++) {
      const next_page = { offset: `fresh-${page}`, path: '/', uri: 'https://x.example/' }
      const data = [{ gid: '1', resource_type: 'project', name: 'Again' }]
      hosted.fault({ type: 'body', body: { data, next_page } }, { path: '/projects$', times: 1 })
    }
    const all = Array.fromAsync(asanaOf().projects.list.all({ workspace: hosted.at.workspace! }))
    await assert.rejects(all, isConex('upstream_invalid_response', /same records repeatedly/))
    assert.equal(hosted.received().length, 4)
    hosted.calm()
  })

  /** A service that answers everything alike. */
  async function startAnswering(t: TestContext, answer: RequestListener) {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    return conex({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'x' })
  }

  it('has one limit of time for all pages together', async (t) => {
    let pages = 0
    const service = await startAnswering(t, (_, response) => {
      const page = { connectors: [], next_cursor: pages++ < 200 ? String(pages) : null }
      setTimeout(() => response.end(JSON.stringify(page)), 50)
    })
    const all = Array.fromAsync(service.connectors.list.all({}, { timeout: 500 }))
    await assert.rejects(all, isConex('upstream_timeout'))
  })

  it('tells what a newer service says with a code that it does not know', async (t) => {
    const service = await startAnswering(t, (_, response) =>
      response.writeHead(418).end('{"code":"brand_new","detail":"Do something else."}'),
    )
    await assert.rejects(service.connectors.list(), isConex('internal', /^Do something else\.$/))
  })

  it('has the service’s errors, whole', async () => {
    const asana = asanaOf()
    await assert.rejects(asana.execute('tasks', 'list', { asignee: 'me' }), (error) => {
      assert.ok(error instanceof ConexError)
      assert.deepEqual([error.code, error.status], ['invalid_params', 422])
      assert.deepEqual(error.issues?.[0]?.path, '/params/asignee')
      assert.match(error.requestId!, /^[\w-]{36}$/)
      return true
    })
    await assert.rejects(asana.execute('taks' as 'tasks', 'list'), isConex('unknown_entity'))
    await assert.rejects(asana.execute('attachments', 'download', { attachment_gid: '1' }), isConex('unknown_action'))
    await assert.rejects(asana.attachments.download({ attachment_gid: '404' }), isConex('record_not_found'))
    hosted.fault({ type: 'status', status: 429, headers: { 'retry-after': '7200' } })
    await assert.rejects(asana.workspaces.list(), (error) => {
      assert.ok(error instanceof ConexError && error.code === 'upstream_rate_limited')
      assert.deepEqual([error.retryAfter, error.upstream?.status], [7200, 429])
      return true
    })
    hosted.calm()
    hosted.clock.advance(7_200_000)
  })

  it('says what is wrong where no service answers', async () => {
    const nobody = connect('asana', { ...access, baseUrl: 'http://127.0.0.1:9', connectorId: '1' })
    await assert.rejects(nobody.workspaces.list(), isConex('internal', /cannot be reached at http:\/\/127\.0\.0\.1:9/))
    const another = connect('asana', { ...access, baseUrl: hosted.systems.origin, connectorId: '1' })
    await assert.rejects(another.workspaces.list(), isConex('internal', /is not Conex.*404.*baseUrl/))
    assert.throws(
      () => connect('asana', { ...access, baseUrl: 'conex.example', connectorId: '1' }),
      isConex('invalid_request'),
    )
    assert.throws(() => connect('asana', {} as never), isConex('invalid_request', /credentials.*baseUrl/))
    assert.throws(() => conex({ baseUrl: access.baseUrl } as never), isConex('invalid_request', /clientId/))
  })

  it('ends a call when its caller aborts or its time is up', async () => {
    const asana = asanaOf()
    await asana.workspaces.list()
    hosted.fault({ type: 'never' }, { times: 3 })
    const caller = new AbortController()
    setTimeout(() => caller.abort(new Error('enough')), 50)
    await assert.rejects(asana.workspaces.list({}, { signal: caller.signal }), /enough/)
    await assert.rejects(asana.workspaces.list({}, { timeout: 50 }), isConex('upstream_timeout', /50 ms/))
    await assert.rejects(Array.fromAsync(asana.workspaces.list.all({}, { timeout: 50 })), isConex('upstream_timeout'))
    hosted.calm()
    await assert.rejects(asana.workspaces.list({}, { signal: AbortSignal.abort(new Error('at once')) }), /at once/)
  })
})

describe('the management of a service', () => {
  let hosted: Hosted
  before(async () => {
    hosted = await startHosted()
  })
  after(() => hosted.close())

  const client = () => {
    const { id, secret } = hosted.server.madeClient!
    return conex({ baseUrl: hosted.server.origin, clientId: id, clientSecret: secret })
  }
  const connector = (name: string, external_user_id = 'zoe') =>
    ({
      external_user_id,
      connector_type: 'asana',
      name,
      credentials: hosted.credentials('one') as { token: string },
    }) as const

  it('creates, lists, gets, changes, checks and deletes connectors', async () => {
    const { connectors } = client()
    const made = await connectors.create(connector('First'), { idempotencyKey: 'once' })
    assert.equal((await connectors.create(connector('First'), { idempotencyKey: 'once' })).id, made.id)
    await assert.rejects(connectors.create(connector('First')), (error) => {
      assert.ok(error instanceof ConexError && error.code === 'conflict')
      assert.equal(error.existingId, made.id)
      return true
    })
    const others = await Promise.all(['Second', 'Third'].map((name) => connectors.create(connector(name))))
    const all = await Array.fromAsync(connectors.list.all({ external_user_id: 'zoe', limit: 2 }), ({ id }) => id)
    assert.deepEqual(all.toSorted(), [made, ...others].map(({ id }) => id).toSorted())
    const pages = await Array.fromAsync(
      connectors.list.pages({ external_user_id: 'zoe', connector_type: 'asana', limit: 2 }),
    )
    assert.deepEqual(
      pages.map((page) => page.connectors.length),
      [2, 1],
    )
    assert.equal((await connectors.list({ external_user_id: 'zoe', limit: 1 })).connectors.length, 1)
    assert.equal(
      (await connectors.update(made.id, { name: 'Renamed', sync: { interval_seconds: 7200 } })).name,
      'Renamed',
    )
    assert.deepEqual((await connectors.get(made.id)).sync, { enabled: true, interval_seconds: 7200 })
    assert.equal((await connectors.check(made.id)).status, 'healthy')
    assert.deepEqual(await connectors.delete(made.id), { grant: 'unsupported' })
    await assert.rejects(connectors.get(made.id), isConex('not_found'))
    assert.equal((await client().endUsers.delete('zoe')).connectors_deleted, 2)
  })

  it('syncs, waits with progress, and searches page by page', async () => {
    const service = client()
    const { id } = await service.connectors.create(connector('Copied'))
    const run = await service.sync.start(id, { entities: ['workspaces', 'projects'] })
    assert.match(run.status, /^(queued|running)$/)
    let looks = 0
    const state = await service.sync.wait(id, { every: 20, onProgress: () => looks++ })
    assert.ok(looks > 0)
    assert.equal(state.run, null)
    const projects = state.entities.find(({ entity }) => entity === 'projects')!
    assert.deepEqual([projects.status, projects.last_error], ['finished', null])
    const asana = service.connect('asana', { connectorId: id })
    const query = { query: { sort: [{ gid: 'asc' as const }] }, limit: 3 }
    const first = await asana.projects.search(query)
    assert.equal(first.connector_metadata.complete, true)
    const hits = await Array.fromAsync(asana.projects.search.all(query), ({ data }) => data.gid)
    assert.equal(hits.length, projects.records)
    assert.deepEqual(hits, hits.toSorted())
    assert.equal(new Set(hits).size, hits.length)
    await assert.rejects(service.sync.start(id, { entities: ['projcts'] }), isConex('invalid_request'))
  })

  it('runs SQL over the copies, with rows of a type', async () => {
    const service = client()
    const { id } = await service.connectors.create(connector('For SQL'))
    await service.sync.start(id, { entities: ['workspaces', 'projects'] })
    const state = await service.sync.wait(id, { every: 20 })
    const { records } = state.entities.find(({ entity }) => entity === 'projects')!
    await using asana = service.connect('asana', { connectorId: id })
    const counted = await asana.sql<{ workspace: string; projects: number }>(
      `select w.name as workspace, count(*) as projects from projects p
      join workspaces w on w.gid = p.workspace ->> '$.gid' group by 1 order by 1`,
    )
    const sum: number = counted.result.data.reduce((before, { projects }) => before + projects, 0)
    assert.equal(sum, records)
    assert.equal(counted.connector_metadata.complete, true)
    const { result } = await asana.sql('select gid from projects order by gid', { limit: 2, timeout: 60_000 })
    const gid: unknown = result.data[0]!.gid
    assert.match(String(gid), /^\d+$/)
    assert.deepEqual([result.data.length, result.meta.has_more], [2, true])
    // @ts-expect-error a row of no stated type has values of no known type
    const _name: string = result.data[0]!.gid
    await assert.rejects(asana.sql('select gd from projects'), {
      code: 'invalid_query',
      message: /did you mean "gid"\?/,
    })
  })

  it('reads events, those to come too, goes on after any of them, and ends with its time', async () => {
    const service = client()
    const { next_cursor: cursor } = await service.events.list({ from: 'now' })
    const { id } = await service.connectors.create(connector('Told'))
    const [created] = (await service.events.list({ cursor, wait: 1 })).events
    assert.ok(created?.type === 'connector.created')
    assert.deepEqual([created.data.connector_id, created.data.name], [id, 'Told'])
    const seen: string[] = []
    for await (const { type } of service.events.all({ cursor, connector_id: id })) {
      seen.push(type)
      if (seen.length === 1) void service.connectors.update(id, { name: 'Retold' })
      else if (seen.length === 2) void service.connectors.delete(id)
      else break
    }
    assert.deepEqual(seen, ['connector.created', 'connector.updated', 'connector.deleted'])
    const none = service.events.all({ type: 'sync.failed', from: 'now' }, { timeout: 50 })
    await assert.rejects(none.next(), isConex('upstream_timeout'))
    await assert.rejects(service.events.all({ cursor: 'x' }).next(), isConex('invalid_cursor'))
    const lost = conex({ baseUrl: 'http://127.0.0.1:1', token: 'any' })
    await assert.rejects(lost.events.all().next(), isConex('internal', /cannot be reached/))
  })

  it('begins consents, mints scoped tokens, reads the audit log and the connector types', async () => {
    const service = client()
    const redirect_url = 'https://app.example/done'
    const url = await service.consent.begin({ external_user_id: 'zoe', connector_type: 'asana', redirect_url })
    assert.match(url, /^http.*[?&]state=/)
    const { token, expires_in } = await service.tokens.scoped('zoe')
    assert.equal(expires_in, 1200)
    const scoped = conex({ baseUrl: hosted.server.origin, token })
    await assert.rejects(scoped.tokens.scoped('zoe'), isConex('forbidden'))
    assert.ok(Array.isArray((await scoped.connectors.list()).connectors))
    const events = await Array.fromAsync(
      service.audit.list.all({ external_user_id: 'zoe', limit: 2 }),
      ({ event }) => event,
    )
    assert.ok(events.includes('consent.begun') && events.includes('connector.created'))
    const types = await service.connectorTypes.list()
    assert.deepEqual(
      types.find(({ connector_type }) => connector_type === 'gong'),
      await service.connectorTypes.get('gong'),
    )
  })
})
