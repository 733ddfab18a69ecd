/** The events of an organization: read page by page, waited for, and told in the order in which they happened. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createClient, createOrganization } from '../src/service/administer.ts'
import { type Consenting, startConsenting } from './consenting.ts'
import { type Answer, connectors, type Hosted, isFine, isProblem, startHosted, until } from './hosted.ts'
import { hour, pass, start, tokenOf } from './syncing.ts'

const path = '/v1/integrations/events'
type Told = Answer['body']

const readerOf =
  (hosted: Hosted, token: () => Promise<string>) =>
  async (query: Readonly<Record<string, string | number>> = {}): Promise<Told> =>
    isFine(await hosted.call('GET', `${path}?${new URLSearchParams(query as never)}`, { token: await token() }))

const typesOf = (events: Told[]): string[] => events.map(({ type }) => type)

describe('events', () => {
  let hosted: Hosted
  let consenting: Consenting
  let read: ReturnType<typeof readerOf>

  before(async () => {
    hosted = await startHosted()
    consenting = await startConsenting(hosted)
    read = readerOf(hosted, async () => consenting.bearer)
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  it('tell the life of a connector, with what a program needs to act on it', async () => {
    const id = await hosted.connect(hosted.credentials('oauth'))
    const token = hosted.ann
    hosted.fault({ type: 'status', status: 401 }, { times: null })
    isProblem(await hosted.execute('workspaces', 'list', {}, { connector: id }), 'reauthorization_required')
    hosted.calm()
    const credentials = hosted.credentials('one')
    isFine(await hosted.call('PATCH', `${connectors}/${id}`, { token, body: { name: 'renamed', credentials } }))
    assert.equal((await hosted.call('DELETE', `${connectors}/${id}`, { token })).status, 204)
    const { events, more } = await read({ connector_id: id })
    assert.equal(more, false)
    assert.deepEqual(typesOf(events), [
      'connector.created',
      'connector.reauthorization_required',
      'connector.updated',
      'connector.recovered',
      'connector.deleted',
    ])
    const about = { connector_id: id, external_user_id: 'ann', connector_type: 'asana' }
    const [created, , updated, , deleted] = events
    assert.deepEqual({ ...created.data, name: '' }, { ...about, name: '', auth_method: 'oauth' })
    assert.deepEqual(updated.data, { ...about, changed: ['name', 'credentials'] })
    assert.deepEqual(deleted.data, about)
    for (const event of events) {
      assert.deepEqual(Object.keys(event), ['id', 'type', 'timestamp', 'data', 'cursor'])
      assert.match(event.timestamp, /^\d{4}-\d{2}-\d{2}T.*Z$/)
    }
  })

  it('tell consents that were given, and why others were not', async () => {
    const { next_cursor: cursor } = await read({ from: 'now' })
    const asked = { connector_type: 'asana', external_user_id: 'consenter' }
    await consenting.secretId(asked)
    await consenting.visit(await consenting.press(await consenting.consentUrl(asked), 'deny'))
    const { state } = Object.fromEntries(new URL(await consenting.consentUrl(asked)).searchParams)
    await consenting.visit(`${hosted.server.origin}${connectors}/oauth/callback?state=${state}`)
    const { events } = await read({ cursor })
    assert.deepEqual(
      events.map(({ type, data }: Told) => [type, data.reason]),
      [
        ['consent.finished', undefined],
        ['consent.failed', 'denied'],
        ['consent.failed', 'invalid_request'],
      ],
    )
    for (const { data } of events) assert.equal(data.external_user_id, 'consenter')
  })

  it('are read page by page, each once, and after any of them', async () => {
    for (let index = 0; index < 5; index++) await hosted.connect(hosted.credentials('one'))
    const all: Told[] = (await read({ limit: 1000 })).events
    const seen: Told[] = []
    let page: Told = { next_cursor: undefined, more: true }
    while (page.more) {
      page = await read({ limit: 2, ...(page.next_cursor && { cursor: page.next_cursor }) })
      assert.ok(page.events.length <= 2)
      seen.push(...page.events)
    }
    assert.deepEqual(seen, all)
    const { events } = await read({ cursor: all.at(-3).cursor })
    assert.deepEqual(events, all.slice(-2))
    assert.deepEqual((await read({ cursor: page.next_cursor })).events, [])
  })

  it('are filtered by type, connector and end user', async () => {
    const id = await hosted.connect(hosted.credentials('one'), await tokenOf(hosted, 'filtered'))
    const [{ data }] = (await read({ type: 'connector.created', external_user_id: 'filtered' })).events
    assert.equal(data.connector_id, id)
    assert.deepEqual((await read({ type: 'connector.deleted', connector_id: id })).events, [])
    assert.deepEqual((await read({ external_user_id: 'nobody' })).events, [])
  })

  it('come to a reader who waits for them, and to no other organization', async () => {
    const { service } = hosted.server
    const { organization_id } = await createOrganization(service, 'strangers')
    const client = await createClient(service, organization_id, 'foreign')
    const issued = await hosted.call('POST', '/api/v1/account/applications/token', { body: client })
    const theirs = readerOf(hosted, async () => issued.body.access_token)
    const foreign = theirs({ wait: 1 })
    const waiting = [read({ from: 'now', wait: 60 }), read({ from: 'now', wait: 60, type: 'connector.deleted' })]
    await until(() => service.events.readers.waiting === 3)
    const id = await hosted.connect(hosted.credentials('one'))
    assert.deepEqual(typesOf((await waiting[0]!).events), ['connector.created'])
    await hosted.call('DELETE', `${connectors}/${id}`, { token: hosted.ann })
    assert.deepEqual(typesOf((await waiting[1]!).events), ['connector.deleted'])
    const none = await foreign
    assert.deepEqual([none.events, none.more], [[], false])
    assert.equal(service.events.readers.waiting, 0)
  })

  it('let a reader go who hangs up, and refuse more readers than may wait', async () => {
    const { readers } = hosted.server.service.events
    const hung = new AbortController()
    const { next_cursor: cursor } = await read({ from: 'now' })
    const ask = (signal?: AbortSignal) =>
      hosted.call('GET', `${path}?wait=60&cursor=${cursor}`, { token: consenting.bearer, ...(signal && { signal }) })
    const waiting = Array.from({ length: 100 }, () => ask(hung.signal).catch(() => null))
    await until(() => readers.waiting === 100)
    const refused = await ask()
    isProblem(refused, 'rate_limited')
    assert.equal(refused.headers.get('retry-after'), '10')
    isFine(await hosted.call('GET', `${path}?cursor=${cursor}`, { token: consenting.bearer }))
    hung.abort()
    await Promise.all(waiting)
    await until(() => readers.waiting === 0)
  })

  it('refuse what they do not know', async () => {
    for (const query of [
      '?type=nothing',
      '?limit=0',
      '?limit=1001',
      '?wait=61',
      '?wait=-1',
      '?connector_id=x',
      '?from=yesterday',
      '?from=now&cursor=x',
      '?surplus=1',
    ])
      isProblem(await hosted.call('GET', path + query, { token: consenting.bearer }), 'invalid_request')
    for (const cursor of ['x', 'events 1', 'events x', 'events -1', 'events 999999', 'audit 1'])
      for (const given of [cursor, Buffer.from(cursor).toString('base64url')])
        if (given !== Buffer.from('events 1').toString('base64url'))
          isProblem(
            await hosted.call('GET', `${path}?cursor=${encodeURIComponent(given)}`, { token: consenting.bearer }),
            'invalid_cursor',
          )
  })
})

describe('events of a server with a short memory', () => {
  it('are forgotten after their days, and a reader who comes too late is told', async (t) => {
    const hosted = await startHosted({ settings: { eventDays: 2 } })
    t.after(() => hosted.close())
    const read = readerOf(hosted, () => tokenOf(hosted))
    const [first] = (await read()).events
    await hosted.connect(hosted.credentials('one'))
    hosted.clock.advance(49 * hour)
    await hosted.connect(hosted.credentials('one'), await tokenOf(hosted, 'late'))
    await hosted.server.service.events.prune()
    const { events } = await read()
    assert.deepEqual(
      events.map(({ data }: Told) => data.external_user_id),
      ['late'],
    )
    const late = await hosted.call('GET', `${path}?cursor=${first.cursor}`, { token: await tokenOf(hosted) })
    isProblem(late, 'invalid_cursor')
    assert.match(late.body.detail, /not kept any more; start without a cursor/)
  })

  it('let waiting readers go when it stops', async (t) => {
    const hosted = await startHosted()
    t.after(() => hosted.close())
    const read = readerOf(hosted, () => tokenOf(hosted))
    const waiting = read({ from: 'now', wait: 60 })
    await until(() => hosted.server.service.events.readers.waiting === 1)
    const closed = hosted.server.close()
    assert.deepEqual((await waiting).events, [])
    await closed
  })
})

describe('events of syncs', () => {
  it('tell when each began, what it changed, and how it ended', async (t) => {
    const hosted = await start(t)
    await hosted.server.service.syncs.settled()
    const read = readerOf(hosted, () => tokenOf(hosted))
    const first = (await read({ connector_id: hosted.connector })).events
    const changes = first.filter(({ type }: Told) => type === 'records.changed')
    assert.deepEqual(typesOf(first), [
      'connector.created',
      'sync.started',
      ...changes.map(() => 'records.changed'),
      'sync.finished',
    ])
    const state = isFine(
      await hosted.call('GET', `${connectors}/${hosted.connector}/sync`, { token: await tokenOf(hosted) }),
    )
    assert.deepEqual(
      Object.fromEntries(changes.map(({ data }: Told) => [data.entity, data.inserted])),
      Object.fromEntries(
        state.entities.filter(({ records }: Told) => records > 0).map(({ entity, records }: Told) => [entity, records]),
      ),
    )
    for (const { data } of changes) assert.deepEqual([data.updated, data.deleted], [0, 0])
    const [started, finished] = [first[1], first.at(-1)]
    assert.deepEqual([started.data.entities !== undefined, started.data.full], [true, false])
    assert.equal(finished.data.run_id, started.data.run_id)

    let { cursor } = first.at(-1)
    hosted.fault({ type: 'status', status: 403 }, { path: 'projects', times: 'always' })
    await pass(hosted, 24 * hour)
    const failed = (await read({ cursor })).events.at(-1)
    assert.equal(failed.type, 'sync.failed')
    assert.notEqual(failed.data.run_id, started.data.run_id)
    assert.ok(failed.data.failed.length > 0)
    assert.equal(failed.data.code, failed.data.failed[0].code)

    cursor = failed.cursor
    hosted.calm()
    hosted.fault({ type: 'status', status: 401 }, { times: 'always' } as never)
    await pass(hosted, 24 * hour)
    const refused = (await read({ cursor })).events
    assert.deepEqual(typesOf(refused), ['sync.started', 'connector.reauthorization_required', 'sync.failed'])
    assert.equal(refused.at(-1).data.code, 'reauthorization_required')
    assert.ok(!JSON.stringify([...first, failed, ...refused]).includes(hosted.credentials('one').token!))
  })
})
