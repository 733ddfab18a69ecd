/** A server that is killed at random moments while it sends events: none is lost, and none overtakes another of its connector. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connectors, until } from './hosted.ts'
import { prepareNodes } from './nodes.ts'
import { startReceiver } from './receiver.ts'

export function webhookCrashSuite(rounds: number): void {
  describe('webhooks of a server that is killed', () => {
    it(`get every event, and those of each connector in their order, after ${rounds} kills`, async (t) => {
      const nodes = await prepareNodes()
      t.after(() => nodes.close())
      const receiver = await startReceiver()
      t.after(() => receiver.close())
      nodes.env.CONEX_SYNC_LEASE_SECONDS = '1'
      let node = await nodes.start()
      const { status } = await node.call('POST', '/v1/integrations/webhooks', { url: receiver.url })
      assert.equal(status, 201)
      const credentials = nodes.systems.describe().asana!.credentials[0]
      const create = { external_user_id: 'ann', connector_type: 'asana', credentials }

      /** A connector that is made, renamed and deleted, as far as it gets. */
      async function live(): Promise<void> {
        const { body } = await node.call('POST', connectors, { ...create, name: randomUUID() })
        for (let change = 0; change < 3; change++)
          await node.call('PATCH', `${connectors}/${body.id}`, { name: randomUUID() })
        await node.call('DELETE', `${connectors}/${body.id}`)
      }

      for (let round = 0; round < rounds; round++) {
        const work = Promise.allSettled(Array.from({ length: 5 }, live))
        await wait(Math.random() * 2_000)
        await node.running.stop('SIGKILL')
        await work
        node = await nodes.start()
      }

      const events = nodes.rows('select id, connector_id, type from events order by position')
      assert.ok(events.length > rounds)
      const come = () => new Set(receiver.received.map(({ event }) => event.id))
      await until(() => come().size >= events.length)
      assert.deepEqual([...come()].toSorted(), events.map(({ id }) => id).toSorted())
      const firsts = [...come()].map((id) => receiver.received.find(({ event }) => event.id === id)!.event)
      const byConnector = Map.groupBy(firsts, ({ data }) => data.connector_id)
      for (const [connector, sent] of Map.groupBy(events, ({ connector_id }) => connector_id))
        assert.deepEqual(
          byConnector.get(connector)?.map(({ id }) => id),
          sent.map(({ id }) => id),
        )
    })
  })
}
