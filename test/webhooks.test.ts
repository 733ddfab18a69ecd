/** Webhooks: signed, in order, tried again, given up, replayed, and never sent where they must not go. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { skippingClock } from '../src/conformance/skipping-clock.ts'
import { startPostgres, type TestServer } from '../src/store/postgres/server.suite.ts'
import { type Answer, connectors, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'
import { hour, tokenOf } from './syncing.ts'

const path = '/v1/integrations/webhooks'
const events = '/v1/integrations/events'
const day = 24 * hour

type Body = Answer['body']

const typesOf = (received: readonly Received[]): string[] => received.map(({ event }) => event.type)

/** The events of a connector, in the order in which they first came. */
const firstsOf = (received: readonly Received[], connector: string): string[] => {
  const own = received.map(({ event }) => event).filter(({ data }) => data.connector_id === connector)
  return own.filter(({ id }, place) => own.findIndex((event) => event.id === id) === place).map(({ type }) => type)
}

function suite(name: string, databaseUrl: () => Promise<string | undefined>): void {
  describe(`webhooks on ${name}`, () => {
    let hosted: Hosted
    let receiver: Receiver
    let webhook: Body

    const ask = async (method: string, at: string, body?: unknown) =>
      hosted.call(method, at, { token: await tokenOf(hosted), ...(body !== undefined && { body }) })
    const make = async (body: object = {}) => {
      const made = await ask('POST', path, { url: receiver.url, ...body })
      assert.equal(made.status, 201, made.text)
      return made.body
    }
    const replay = async (body?: object): Promise<Body> => {
      const answer = await ask('POST', `${path}/${webhook.id}/replay`, body)
      assert.equal(answer.status, 202, answer.text)
      return answer.body
    }
    const deliver = () => hosted.server.service.events.deliver()
    const connect = async () => hosted.connect(hosted.credentials('one'), await tokenOf(hosted, 'ann'))
    const rename = async (id: string, to: string) =>
      isFine(await hosted.call('PATCH', `${connectors}/${id}`, { token: await tokenOf(hosted), body: { name: to } }))
    const remove = async (id: string) => hosted.call('DELETE', `${connectors}/${id}`, { token: await tokenOf(hosted) })
    const deliveries = async (query = '', id = webhook.id): Promise<Body[]> =>
      isFine(await ask('GET', `${path}/${id}/deliveries${query}`)).deliveries

    before(async () => {
      const begun = Date.now()
      const url = await databaseUrl()
      hosted = await startHosted({
        // It stands still, so that what is due in a moment is not due yet.
        clock: skippingClock(() => begun),
        settings: {
          webhookTimeoutSeconds: 5,
          ...(url !== undefined && {
            databaseUrl: url,
            encryptionKeys: [{ id: 'seal', secret: new Uint8Array(32) }],
            tokenKeys: [{ id: 'sign', secret: new Uint8Array(32) }],
          }),
        },
      })
    })
    beforeEach(async () => {
      hosted.calm()
      receiver = await startReceiver()
      webhook = await make()
    })
    const finish = async (): Promise<void> => {
      for (const { id } of isFine(await ask('GET', path)).webhooks) await ask('DELETE', `${path}/${id}`)
      await receiver.close()
    }
    after(() => hosted.close())

    it('get every event from now on, signed as their library wants it', async (t) => {
      t.after(finish)
      const id = await connect()
      await rename(id, `other ${id}`)
      await deliver()
      assert.deepEqual(typesOf(receiver.received), ['connector.created', 'connector.updated'])
      for (const received of receiver.received) {
        receiver.verify(received, webhook.secret)
        assert.equal(received.headers['webhook-id'], received.event.id)
        assert.throws(() => receiver.verify({ ...received, body: `${received.body} ` }, webhook.secret))
        assert.throws(() => receiver.verify(received, `whsec_${Buffer.alloc(32).toString('base64')}`))
      }
      const stream = isFine(await ask('GET', `${events}?connector_id=${id}`)).events
      assert.deepEqual(
        receiver.received.map(({ event }) => event),
        stream,
      )
      await deliver()
      assert.equal(receiver.received.length, 2)
      assert.deepEqual(
        (await deliveries()).map(({ event, status, attempts, last_status }) => [
          event.id,
          status,
          attempts,
          last_status,
        ]),
        stream.toReversed().map((event: Body) => [event.id, 'delivered', 1, 204]),
      )
    })

    it('are verified with both secrets while one is replaced, and with the new one alone afterwards', async (t) => {
      t.after(finish)
      const { secret } = isFine(await ask('POST', `${path}/${webhook.id}/rotate`, { overlap_seconds: 100 }))
      assert.notEqual(secret, webhook.secret)
      await connect()
      await deliver()
      const [both] = receiver.received
      receiver.verify(both!, webhook.secret)
      receiver.verify(both!, secret)
      hosted.clock.advance(101_000)
      await connect()
      await deliver()
      const alone = receiver.received.at(-1)!
      receiver.verify(alone, secret)
      assert.throws(() => receiver.verify(alone, webhook.secret))
      const { secret: last } = isFine(await ask('POST', `${path}/${webhook.id}/rotate`, { overlap_seconds: 0 }))
      await connect()
      await deliver()
      receiver.verify(receiver.received.at(-1)!, last)
      assert.throws(() => receiver.verify(receiver.received.at(-1)!, secret))
    })

    it('get only the types that they are for', async (t) => {
      t.after(finish)
      const deleted = await make({ types: ['connector.deleted', 'sync.failed'] })
      await ask('PATCH', `${path}/${webhook.id}`, { types: ['connector.created'] })
      const id = await connect()
      await remove(id)
      await deliver()
      assert.deepEqual(typesOf(receiver.received).toSorted(), ['connector.created', 'connector.deleted'])
      assert.deepEqual(
        (await deliveries('', deleted.id)).map(({ event }) => event.type),
        ['connector.deleted'],
      )
    })

    it('are tried again with growing pauses, and nothing of the same connector overtakes', async (t) => {
      t.after(finish)
      const [stuck, free] = [await connect(), await connect()]
      await rename(stuck, `stuck ${stuck}`)
      await rename(free, `free ${free}`)
      receiver.answer = ({ event }, response) => response.writeHead(event.data.connector_id === stuck ? 500 : 200).end()
      await deliver()
      await deliver()
      const of = (id: string) => receiver.received.filter(({ event }) => event.data.connector_id === id)
      assert.deepEqual(typesOf(of(free)), ['connector.created', 'connector.updated'])
      assert.deepEqual(typesOf(of(stuck)), ['connector.created'])
      const pauses: number[] = []
      for (let attempt = 1; attempt < 6; attempt++) {
        const waiting = await deliveries('?status=waiting')
        const [{ next_attempt_at: next, last_attempt_at: last, last_status, last_fault, attempts }] =
          waiting.toReversed()
        assert.deepEqual([last_status, last_fault, attempts], [500, 'It answered 500.', attempt])
        for (const one of waiting) assert.equal(one.next_attempt_at, next)
        pauses.push(Date.parse(next) - Date.parse(last))
        hosted.clock.advance(Date.parse(next) - hosted.clock.now() - 1)
        await deliver()
        assert.equal(of(stuck).length, attempt)
        hosted.clock.advance(1)
        await deliver()
        assert.equal(of(stuck).length, attempt + 1)
      }
      for (const [index, pause] of pauses.slice(1).entries()) assert.ok(pause > pauses[index]! * 2, String(pauses))
      receiver.answer = 200
      hosted.clock.advance(day)
      await deliver()
      assert.deepEqual(firstsOf(receiver.received, stuck), ['connector.created', 'connector.updated'])
      assert.deepEqual(await deliveries('?status=waiting'), [])
    })

    it('are given up after three days, shown, and sent again when asked', async (t) => {
      t.after(finish)
      const [bad, good] = [await connect(), await connect()]
      receiver.answer = ({ event }, response) => response.writeHead(event.data.connector_id === bad ? 500 : 200).end()
      await deliver()
      for (let tries = 0; tries < 40 && (await deliveries('?status=parked')).length === 0; tries++) {
        hosted.clock.advance(7 * hour)
        await rename(good, `good ${tries}`)
        // While nothing gets through, a round tries one delivery.
        await deliver()
        await deliver()
      }
      const [parked] = await deliveries('?status=parked')
      assert.equal(parked.event.data.connector_id, bad)
      assert.equal(isFine(await ask('GET', `${path}/${webhook.id}`)).status, 'active')
      receiver.answer = 200
      const before = receiver.received.length
      assert.deepEqual(await replay(), { replayed: 1 })
      await deliver()
      assert.deepEqual(
        receiver.received.slice(before).map(({ event }) => event.id),
        [parked.event.id],
      )
      const again = { event_id: parked.event.id }
      assert.deepEqual(await replay(again), { replayed: 1 })
      await deliver()
      assert.equal(receiver.received.at(-1)!.event.id, parked.event.id)
      assert.deepEqual(await replay({ event_id: 'x' }), { replayed: 0 })
    })

    it('that fail for three days are disabled with an event, and lose nothing when they are enabled again', async (t) => {
      t.after(finish)
      receiver.answer = 500
      const id = await connect()
      const state = async () => isFine(await ask('GET', `${path}/${webhook.id}`))
      await deliver()
      assert.notEqual((await state()).failing_since, null)
      for (let tries = 0; tries < 40 && (await state()).status === 'active'; tries++) {
        hosted.clock.advance(7 * hour)
        await deliver()
      }
      const { status, failing_since, disabled_at } = await state()
      assert.equal(status, 'disabled')
      assert.ok(Date.parse(disabled_at) - Date.parse(failing_since) >= 3 * day)
      await rename(id, `while disabled ${id}`)
      const before = receiver.received.length
      await deliver()
      assert.equal(receiver.received.length, before)
      const [told] = isFine(await ask('GET', `${events}?type=webhook.disabled`)).events.slice(-1)
      assert.deepEqual(told.data, { webhook_id: webhook.id, failing_since })
      receiver.answer = 200
      isFine(await ask('PATCH', `${path}/${webhook.id}`, { status: 'active' }))
      await replay()
      await deliver()
      assert.deepEqual(
        typesOf(receiver.received.slice(before)),
        ['connector.created', 'webhook.disabled', 'connector.updated'].toSorted((one, other) =>
          one === 'connector.created' ? -1 : other === 'connector.created' ? 1 : 0,
        ),
      )
      assert.equal((await state()).failing_since, null)
    })

    it('that hang, redirect or are not there say so quickly, and get the event when they are well', async (t) => {
      t.after(finish)
      for (const [answer, fault] of [
        ['nothing', 'It did not answer in 5 seconds.'],
        [302, 'It redirected (302); register the address that takes events itself.'],
        [410, 'It answered 410.'],
        [(_: unknown, response: { destroy(): void }) => response.destroy(), 'No answer: the connection was closed.'],
      ] as const) {
        receiver.answer = answer as Receiver['answer']
        const id = await connect()
        await deliver()
        const [{ event, last_fault, status }] = await deliveries('?limit=1')
        assert.deepEqual([event.data.connector_id, status, last_fault], [id, 'waiting', fault])
        receiver.answer = 200
        hosted.clock.advance(hour)
        await deliver()
        assert.deepEqual(await deliveries('?status=waiting'), [])
      }
    })

    it('read nothing of an answer, however long it is', async (t) => {
      t.after(finish)
      receiver.answer = (_, response) => {
        response.writeHead(200)
        const more = () =>
          response.write('x'.repeat(65_536), (error) => error == null && !response.destroyed && setImmediate(more))
        more()
      }
      await connect()
      await deliver()
      assert.equal((await deliveries())[0].status, 'delivered')
    })

    it('never show a secret again, and keep none where the database would show it', async (t) => {
      t.after(finish)
      await connect()
      await deliver()
      const shown = await Promise.all(
        [path, `${path}/${webhook.id}`, `${path}/${webhook.id}/deliveries`, '/v1/integrations/audit', events].map(
          (at) => ask('GET', at),
        ),
      )
      for (const { text } of shown) assert.ok(!text.includes(webhook.secret.slice(6)))
      assert.ok(!hosted.log().includes(webhook.secret.slice(6)))
      const audited = isFine(await ask('GET', '/v1/integrations/audit?event=webhook.created&limit=1')).entries
      assert.deepEqual(audited[0].details, { webhook_id: webhook.id })
    })

    it('are refused where the request does not fit', async (t) => {
      t.after(finish)
      for (const body of [
        {},
        { url: 'receiver.example' },
        { url: 'ftp://receiver.example' },
        { url: 'https://user:secret@receiver.example' },
        { url: 'https://receiver.example/#part' },
        { url: `https://receiver.example/${'x'.repeat(2048)}` },
        { url: 'https://receiver.example', types: [] },
        { url: 'https://receiver.example', types: ['connector.made'] },
        { url: 'https://receiver.example', surplus: 1 },
      ])
        isProblem(await ask('POST', path, body), 'invalid_request')
      for (const [method, at] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/rotate'],
        ['POST', '/replay'],
        ['GET', '/deliveries'],
      ] as const)
        for (const id of ['nobody', hosted.connector])
          isProblem(
            await ask(method, `${path}/${id}${at}`, method === 'PATCH' ? { description: 'x' } : undefined),
            'not_found',
          )
      isProblem(await ask('PATCH', `${path}/${webhook.id}`, {}), 'invalid_request')
      isProblem(await ask('POST', `${path}/${webhook.id}/rotate`, { overlap_seconds: 604_801 }), 'invalid_request')
      isProblem(await ask('GET', `${path}/${webhook.id}/deliveries?status=lost`), 'invalid_request')
      isProblem(await ask('GET', `${path}/${webhook.id}/deliveries?cursor=x`), 'invalid_cursor')
      for (let more = isFine(await ask('GET', path)).webhooks.length; more < 50; more++) await make()
      isProblem(await ask('POST', path, { url: receiver.url }), 'invalid_request')
    })
  })
}

suite('SQLite', async () => undefined)

describe('on PostgreSQL', () => {
  let postgres: TestServer
  before(async () => {
    postgres = await startPostgres()
  })
  after(() => postgres.stop())
  suite('PostgreSQL', () => postgres.freshDatabase())
})
