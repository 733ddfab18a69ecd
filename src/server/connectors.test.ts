import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Fixture, startFixture } from './fixture.suite.ts'

const connectors = '/v1/integrations/connectors'

describe('connectors over HTTP', () => {
  let fixture: Fixture
  let bearer: string
  let names = 0

  before(async () => {
    fixture = await startFixture()
    bearer = await fixture.bearer()
  })
  after(() => fixture.close())

  const body = (changes: object = {}) => ({
    external_user_id: 'ann',
    connector_type: 'field-notes',
    name: `name ${++names}`,
    credentials: { token: 'good' },
    ...changes,
  })
  const create = (given: object, headers: Record<string, string> = {}, token = bearer, path = connectors) =>
    fixture.call('POST', path, { token, body: given, headers })

  it('a creation answers 201 with the whole record, and nothing of the credentials', async () => {
    const created = await create(body({ name: 'Notes of Ann', sync: { interval_seconds: 120 } }))
    assert.equal(created.status, 201)
    const { id, created_at, ...rest } = created.body
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(new Date(created_at).toISOString(), created_at)
    assert.deepEqual(rest, {
      name: 'Notes of Ann',
      connector_type: 'field-notes',
      definition_id: '11111111-2222-4333-8444-555555555555',
      external_user_id: 'ann',
      auth_method: 'token',
      status: 'active',
      updated_at: created_at,
      // There is nothing to copy of this kind.
      sync: { enabled: false, interval_seconds: 120 },
    })
    assert.equal(created.headers.get('location'), `${connectors}/${id}`)
    const found = await fixture.call('GET', `${connectors}/${id.toUpperCase()}`, { token: bearer })
    assert.deepEqual(found.body, created.body)
  })

  it('kind and end user go by all their names', async () => {
    for (const changes of [
      { connector_type: 'Field_Notes' },
      { connector_type: 'FIELDNOTES' },
      { connector_type: undefined, definition_id: '11111111-2222-4333-8444-555555555555' },
      { definition_id: '11111111-2222-4333-8444-555555555555' },
      { external_user_id: undefined, workspace_name: 'ann' },
      { external_user_id: undefined, customer_name: 'ann' },
      { workspace_name: 'ann', customer_name: 'ann' },
    ]) {
      const { status, body: record, text } = await create(body(changes))
      assert.equal(status, 201, text)
      assert.deepEqual([record.connector_type, record.external_user_id], ['field-notes', 'ann'])
    }
  })

  it('the method of the credentials is told by their fields', async () => {
    const application = { client_id: 'app', client_secret: 'secret' }
    for (const [credentials, method] of [
      [{ token: 't' }, 'token'],
      [{ refresh_token: 'r' }, 'oauth'],
      [{ refresh_token: 'r', access_token: 'a', ...application }, 'oauth'],
    ] as const)
      assert.equal((await create(body({ credentials }))).body.auth_method, method)
  })

  it('a scoped token creates for its own end user without saying so', async () => {
    const { body: record } = await create(body({ external_user_id: undefined }), {}, await fixture.scoped('eve'))
    assert.equal(record.external_user_id, 'eve')
  })

  it('a taken name is a conflict that tells the existing id, until the end user or the kind differs', async () => {
    const first = await create(body({ name: 'taken' }))
    const second = await create(body({ name: 'taken' }))
    assert.equal(second.status, 409)
    assert.equal(second.body.code, 'conflict')
    assert.equal(second.body.existing_id, first.body.id)
    assert.equal((await create(body({ name: 'taken', external_user_id: 'bob' }))).status, 201)
    const chat = { connector_type: 'chat-log', replication_config: { lookback_window: 0 } }
    assert.equal((await create(body({ name: 'taken', ...chat }))).status, 201)
    const other = await create(body())
    const renamed = await fixture.call('PATCH', `${connectors}/${other.body.id}`, {
      token: bearer,
      body: { name: 'taken' },
    })
    assert.deepEqual([renamed.status, renamed.body.existing_id], [409, first.body.id])
  })

  it('an idempotency key makes repeats answer the first result, also at the same time and through the alias', async () => {
    const given = body({ name: 'once' })
    const key = { 'idempotency-key': 'key-1' }
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => create(given, key)),
      ...Array.from({ length: 5 }, () => create(given, key, bearer, `/api${connectors}`)),
    ])
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    const reordered = Object.fromEntries(Object.entries(given).toReversed())
    assert.equal((await create(reordered, key)).text, answers[0]!.text)
    assert.equal((await create({ ...given, name: 'other' }, key)).body.code, 'conflict')
    assert.equal((await create(given, { 'idempotency-key': 'key-2' })).status, 409)
    assert.equal((await create(body(), { 'idempotency-key': 'x'.repeat(256) })).status, 422)
  })

  it('what is not used is taken and told, also to a repeat', async () => {
    const given = body({ source_template_id: 'template', replication_config: { start_date: '2026-01-01' } })
    const key = { 'idempotency-key': 'told' }
    const made = await create(given, key)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      made.body.warnings.map(({ path }: { path: string }) => path),
      ['/source_template_id', '/replication_config'],
    )
    assert.deepEqual((await create(given, key)).body, made.body)
    assert.equal((await create(body())).body.warnings, undefined)
    const found = await fixture.call('GET', `${connectors}/${made.body.id}`, { token: bearer })
    assert.equal(found.body.warnings, undefined)
  })

  it('lists page through everything that the token sees, by age', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index++) ids.push((await create(body({ external_user_id: 'pager' }))).body.id)
    const scoped = await fixture.scoped('pager')
    for (const [token, filter] of [
      [bearer, 'customer_name=pager&'],
      [scoped, ''],
      [scoped, 'external_user_id=pager&definition_id=11111111-2222-4333-8444-555555555555&'],
    ] as const) {
      const seen: string[] = []
      let cursor = ''
      do {
        const page = await fixture.call('GET', `${connectors}?${filter}limit=2${cursor}`, { token })
        assert.equal(page.status, 200, page.text)
        seen.push(...page.body.connectors.map(({ id }: { id: string }) => id))
        cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`
      } while (cursor !== '')
      assert.deepEqual(seen, ids)
    }
    const kind = await fixture.call('GET', `${connectors}?connector_type=chat-log`, { token: scoped })
    assert.deepEqual(kind.body, { connectors: [], next_cursor: null, data: [] })
  })

  it('a list for another end user is empty, like that of an end user who has nothing', async () => {
    const scoped = await fixture.scoped('nosy')
    for (const path of [
      `${connectors}?external_user_id=`,
      '/api/v1/connectors/connectors_for_user?external_user_id=',
    ]) {
      const foreign = await fixture.call('GET', `${path}ann`, { token: scoped })
      const nobody = await fixture.call('GET', `${path}nobody`, { token: scoped })
      assert.equal(foreign.status, 200)
      assert.equal(foreign.text, nobody.text)
      assert.deepEqual(foreign.body.connectors, [])
    }
  })

  it('connectors are looked up by end user and kind where existing clients look', async () => {
    const { body: record } = await create(body({ external_user_id: 'looked up' }))
    const query = 'external_user_id=looked%20up&definition_id=11111111-2222-4333-8444-555555555555'
    const found = await fixture.call('GET', `/api/v1/connectors/connectors_for_user?${query}`, { token: bearer })
    assert.deepEqual(found.body.connectors, [record])
    const own = await fixture.call('GET', '/api/v1/connectors/connectors_for_user', {
      token: await fixture.scoped('looked up'),
    })
    assert.deepEqual(own.body.connectors, [record])
  })

  it('look-ups give the same connectors in the words of other clients', async () => {
    const { body: made } = await create(body({ external_user_id: undefined, workspace_name: 'lou' }))
    for (const path of [connectors, `/api${connectors}`, '/api/v1/connectors/connectors_for_user']) {
      const found = await fixture.call('GET', `${path}?workspace_name=lou&definition_id=${made.definition_id}`, {
        token: bearer,
      })
      const { id, name, connector_type, created_at, updated_at } = made
      const summarized_source_template = { name: connector_type }
      assert.deepEqual(found.body.connectors, [made])
      assert.deepEqual(found.body.data, [{ id, name, summarized_source_template, created_at, updated_at }])
    }
  })

  it('end users who have a connector are listed as workspaces, each once', async () => {
    for (const workspace_name of ['space_2', 'space_1', 'space_2', 'Space_3', 'space%4'])
      await create(body({ external_user_id: undefined, workspace_name }))
    const list = async (query: string, token = bearer) =>
      (await fixture.call('GET', `/api/v1/workspaces?${query}`, { token })).body
    const named = (names: string[]) => names.map((name) => ({ id: name, name }))
    assert.deepEqual(await list('name_contains=space_'), { data: named(['space_1', 'space_2']), next_cursor: null })
    assert.deepEqual((await list('name_contains=%25')).data, named(['space%4']))
    const first = await list('name_contains=pace&limit=2')
    assert.deepEqual(first.data, named(['Space_3', 'space%4']))
    const { data, next_cursor } = await list(`name_contains=pace&limit=2&cursor=${first.next_cursor}`)
    assert.deepEqual([data, next_cursor], [named(['space_1', 'space_2']), null])
    const scoped = await fixture.scoped('space_1')
    assert.deepEqual((await list('', scoped)).data, named(['space_1']))
    assert.deepEqual((await list('name_contains=space_2', scoped)).data, [])
    const wrong = await fixture.call('GET', '/api/v1/workspaces?name=space_1', { token: bearer })
    assert.equal(wrong.status, 422)
  })

  it('documents say what a kind, an entity and an action can be asked, and name the sections that say more', async () => {
    const docs = (query: string) => fixture.call('GET', `/api/v1/skills/docs?${query}`, { token: bearer })
    const { body: whole } = await docs('id=field-notes')
    assert.deepEqual([whole.id, whole.metadata.id, whole.metadata.kind], ['field-notes', 'field-notes', 'connector'])
    assert.equal(whole.section_id, null)
    const section = whole.outline.find(({ title }: { title: string }) => title === 'notes').id
    const { body: entity } = await docs(`id=field-notes&section=${section}`)
    assert.equal(entity.section_id, section)
    assert.match(entity.content[0].text, /^field-notes notes: /)
    const list = entity.outline.find(({ id }: { id: string }) => id.endsWith('.list')).id
    const { body: action } = await docs(`id=field-notes&section=${list}`)
    assert.match(action.content[0].text, /^notes list: /)
    assert.deepEqual(action.outline, [])
    // By its definition id too.
    const { body: types } = await fixture.call('GET', '/v1/integrations/connector-types/field-notes', { token: bearer })
    assert.deepEqual((await docs(`id=${types.definition_id}`)).body, whole)
    for (const [query, code, words] of [
      ['id=field-note', 'not_found', /field-notes/],
      ['id=field-notes&section=entity:note', 'unknown_entity', /did you mean "notes"/],
      ['id=field-notes&section=action:notes.lst', 'unknown_action', /has no action "lst"/],
      ['id=field-notes&section=notes', 'not_found', /outline/],
      ['id=field-notes&section=entity:notes.list', 'not_found', /outline/],
      ['section=entity:notes', 'invalid_request', /id/],
    ] as const) {
      const { body: problem } = await docs(query)
      assert.equal(problem.code, code, query)
      assert.match(problem.detail, words)
    }
  })

  it('an inspection tells whether a connector is ready', async () => {
    const { body: made } = await create(body())
    const { body: found } = await fixture.call('GET', `/api${connectors}/${made.id}/inspect`, { token: bearer })
    const { entities, ...rest } = found
    assert.deepEqual(rest, { ...made, ready: true, docs_skill_id: 'field-notes', warnings: [] })
    assert.ok(entities.includes('notes'), String(entities))
  })

  it('a change keeps what it does not name', async () => {
    const { body: before } = await create(body())
    const path = `${connectors}/${before.id}`
    const change = async (given: object) => (await fixture.call('PATCH', path, { token: bearer, body: given })).body
    const slower = await change({ sync: { interval_seconds: 7200 } })
    assert.deepEqual(
      { ...slower, updated_at: '' },
      { ...before, updated_at: '', sync: { enabled: false, interval_seconds: 7200 } },
    )
    const named = await change({ sync: {}, name: 'New name' })
    assert.deepEqual([named.name, named.sync], ['New name', slower.sync])
    const method = await change({ credentials: { refresh_token: 'r' } })
    assert.deepEqual([method.name, method.auth_method], ['New name', 'oauth'])
  })

  it('a deleted connector is gone, and its name free', async () => {
    const given = body({ name: 'short-lived' })
    const { body: record } = await create(given)
    const path = `${connectors}/${record.id}`
    const deleted = await fixture.call('DELETE', path, { token: bearer })
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    for (const [method, where] of [
      ['DELETE', path],
      ['GET', path],
      ['POST', `${path}/check`],
    ] as const)
      assert.equal((await fixture.call(method, where, { token: bearer })).status, 404)
    assert.equal((await create(given)).status, 201)
  })

  it('an alias answers as its primary address does', async () => {
    const { body: record } = await create(body())
    const path = `${connectors}/${record.id}`
    const headers = { 'x-request-id': 'same' }
    for (const [method, address] of [
      ['GET', path],
      ['GET', `${connectors}?external_user_id=ann`],
      ['POST', `${path}/check`],
      ['GET', '/v1/integrations/connector-types'],
      ['GET', '/v1/integrations/connector-types/Chat%20Log'],
      ['GET', '/v1/integrations/connector-types/unknown'],
    ] as const) {
      const [primary, alias] = [address, `/api${address}`]
      const one = await fixture.call(method, primary, { token: bearer, headers })
      const other = await fixture.call(method, alias, { token: bearer, headers })
      assert.deepEqual([one.status, one.text], [other.status, other.text])
    }
  })

  it('connector types are the catalog as data', async () => {
    const { body: all } = await fixture.call('GET', '/v1/integrations/connector-types', { token: bearer })
    assert.deepEqual(
      all.connector_types.map(({ connector_type }: { connector_type: string }) => connector_type),
      ['field-notes', 'chat-log'],
    )
    const { body: one } = await fixture.call('GET', '/v1/integrations/connector-types/chat-log', { token: bearer })
    assert.deepEqual(one, all.connector_types[1])
    assert.equal(one.auth_methods[0].name, 'token')
    const { status, body: unknown } = await fixture.call('GET', '/v1/integrations/connector-types/chatlgo', {
      token: bearer,
    })
    assert.deepEqual([status, unknown.code], [404, 'not_found'])
    assert.match(unknown.detail, /did you mean "chat-log"\?/)
  })
})

describe('tokens over HTTP', () => {
  it('a client with the right secret gets a bearer token, and with it scoped ones', async () => {
    const fixture = await startFixture()
    const { id, secret } = fixture.server.madeClient!
    const ask = (body: object) => fixture.call('POST', '/api/v1/account/applications/token', { body })
    const granted = await ask({ client_id: id, client_secret: secret })
    assert.equal(granted.status, 200)
    assert.deepEqual([granted.body.token_type, granted.body.expires_in], ['Bearer', 900])
    assert.equal(granted.headers.get('cache-control'), 'no-store')
    assert.equal((await ask({ client_id: id, client_secret: secret, grant_type: 'client_credentials' })).status, 200)
    for (const alias of ['external_user_id', 'workspace_name', 'customer_name']) {
      const scoped = await fixture.call('POST', '/api/v1/embedded/scoped-token', {
        token: granted.body.access_token,
        body: { [alias]: 'ann' },
      })
      assert.deepEqual([scoped.status, scoped.body.expires_in], [200, 1200])
      const created = await fixture.connect(scoped.body.token, { name: alias })
      const seen = await fixture.call('GET', `${connectors}/${created}`, { token: scoped.body.token })
      assert.equal(seen.body.external_user_id, 'ann')
    }
    await fixture.close()
  })

  it('an unknown client and a wrong secret get the same answer', async () => {
    const fixture = await startFixture()
    const { id, secret } = fixture.server.madeClient!
    const ask = (client_id: string, client_secret: string) =>
      fixture.call('POST', '/api/v1/account/applications/token', {
        body: { client_id, client_secret },
        headers: { 'x-request-id': 'same' },
      })
    const answers = [await ask(id, `${secret}x`), await ask('unknown', secret), await ask(id, 'x')]
    for (const { status, body } of answers) assert.deepEqual([status, body.code], [401, 'unauthenticated'])
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    await fixture.close()
  })
})
