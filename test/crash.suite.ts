/** A server that is killed at random moments of renewals and creations: nothing is lost, nothing is half there. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { connectors, executePath } from './hosted.ts'
import { type Nodes, prepareNodes, type ServerNode } from './nodes.ts'

export function crashSuite(rounds: number): void {
  describe(`a server that is killed at ${rounds} random moments`, () => {
    let nodes: Nodes
    let node: ServerNode
    let connector: string
    /** Of every creation: its key, and the id that was answered, if the answer came. */
    const creations: { readonly name: string; id: string | null }[] = []

    before(async () => {
      nodes = await prepareNodes()
      const { client_id, client_secret } = nodes.systems.describe().asana!.application!
      Object.assign(nodes.env, {
        CONEX_ASANA_OAUTH_CLIENT_ID: client_id,
        CONEX_ASANA_OAUTH_CLIENT_SECRET: client_secret,
      })
      node = await nodes.start()
      const made = await create(randomUUID(), { server_side_oauth_secret_id: await consent() })
      connector = made.body.id
    })
    after(() => nodes.close())

    const create = (name: string, credentials: object) =>
      node.call(
        'POST',
        connectors,
        { external_user_id: 'ann', connector_type: 'asana', name, ...credentials },
        { 'idempotency-key': name },
      )
    const personal = () => ({ credentials: nodes.systems.describe().asana!.credentials[0] })
    const run = () => node.call('POST', executePath(connector), { entity: 'workspaces', action: 'list' })
    const renewed = () => nodes.rows("select 1 from audit_log where event = 'credentials.refreshed'").length
    const answered = () =>
      nodes.systems.requests.filter(
        ({ path, status, body }) =>
          path.endsWith('/-/oauth_token') && status === 200 && body.includes('grant_type=refresh_token'),
      ).length

    /** A new grant, as an end user gives it. */
    async function consent(): Promise<string> {
      const asked = { external_user_id: 'ann', connector_type: 'asana', redirect_url: 'https://app.example/done' }
      const { body } = await node.call('POST', `${connectors}/oauth/initiate`, asked)
      const page = new URL(body.consent_url)
      const form = new URLSearchParams([...page.searchParams, ['decision', 'allow']])
      page.search = ''
      const pressed = await fetch(page, { method: 'POST', body: form, redirect: 'manual' })
      const back = await fetch(pressed.headers.get('location')!, { redirect: 'manual' })
      return new URL(back.headers.get('location')!).searchParams.get('secret_id')!
    }

    async function killInTheMiddle(rotating: boolean): Promise<number> {
      nodes.systems.change('asana', { change: 'settings', rotate_refresh_tokens: rotating })
      nodes.systems.change('asana', { change: 'expire_access_tokens' })
      const work: Promise<unknown>[] = [run(), run(), run()]
      for (let index = 0; index < 4; index++) {
        const creation: (typeof creations)[number] = { name: randomUUID(), id: null }
        creations.push(creation)
        work.push(
          create(creation.name, personal()).then(({ status, body }) => {
            assert.equal(status, 201)
            creation.id = body.id
          }),
        )
      }
      const settled = Promise.allSettled(work)
      const moment = Math.random() * 80
      await wait(moment)
      await node.running.stop('SIGKILL')
      await settled
      return moment
    }

    /** What was killed holds its right to renew for some seconds more; the test does not wait for them. */
    function letTimePass(): void {
      const database = new Database(join(nodes.folder, 'data', 'conex.db'))
      assert.equal(database.pragma('integrity_check', { simple: true }), 'ok')
      database.exec("update connector_credentials set renewer_until = '2020-01-01T00:00:00.000Z'")
      database.close()
    }

    function nothingIsHalfThere(): void {
      const whole = `select c.id from connectors c
        join connector_credentials s on s.connector_id = c.id
        join idempotency_keys k on k.connector_id = c.id
        join audit_log a on a.connector_id = c.id and a.event = 'connector.created'`
      const ids = nodes.rows(whole).map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length, 'a creation was written twice')
      for (const table of ['connectors', 'connector_credentials', 'idempotency_keys'])
        assert.equal(nodes.rows(`select 1 from ${table}`).length, ids.length, table)
      for (const { id } of creations)
        if (id !== null) assert.ok(ids.includes(id), 'a creation that was answered is lost')
      everyEventIsThere()
    }

    /** Each change has its event, in the order of the changes, and the events have no gap. */
    function everyEventIsThere(): void {
      const events = nodes.rows('select position, type, connector_id from events order by position')
      assert.deepEqual(
        events.map(({ position }) => position),
        events.map((_, index) => index + 1),
      )
      const told = (types: readonly string[], of: readonly string[][]) =>
        of.filter(([type]) => types.includes(type!)).map(([type, id]) => `${type} ${id}`)
      const changes = nodes.rows('select event, connector_id from audit_log order by number')
      assert.deepEqual(
        told(
          ['connector.created', 'connector.reauthorization_required'],
          events.map(({ type, connector_id }) => [type, connector_id]),
        ),
        told(
          ['connector.created', 'connector.reauthorization_required'],
          changes.map(({ event, connector_id }) => [
            event === 'credentials.refused' ? 'connector.reauthorization_required' : event,
            connector_id,
          ]),
        ),
      )
    }

    for (let round = 1; round <= rounds; round++)
      it(`round ${round}`, async () => {
        const rotating = round % 2 === 0
        nodes.systems.clearRequests()
        const before = renewed()
        const moment = await killInTheMiddle(rotating)
        letTimePass()
        nothingIsHalfThere()
        node = await nodes.start()

        const lost = answered() - (renewed() - before)
        const { status, body } = await run()
        if (rotating && lost > 0) {
          // Killed between the system's answer and the statement that keeps it: nobody but the system knows the new token.
          assert.equal(lost, 1, `killed after ${moment} ms`)
          assert.equal(body.code, 'reauthorization_required')
          const server_side_oauth_secret_id = await consent()
          const mended = await node.call('PATCH', `${connectors}/${connector}`, { server_side_oauth_secret_id })
          assert.deepEqual([mended.status, mended.body.status], [200, 'active'])
          assert.equal((await run()).status, 200)
        } else assert.equal(status, 200, `killed after ${moment} ms: ${JSON.stringify(body)}`)

        for (const creation of creations.slice(-4)) {
          const again = await create(creation.name, personal())
          assert.equal(again.status, 201)
          if (creation.id !== null) assert.equal(again.body.id, creation.id)
          creation.id = again.body.id
        }
        nothingIsHalfThere()
      })
  })
}
