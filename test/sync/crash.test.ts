/** Syncs whose process is killed, stalled, or not alone. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../hosted.ts'
import { connect, type Nodes, startNodes, whole } from './nodes.ts'
import { assertSame, type Truth, truthOf } from './truth.ts'

/** How many moments a sync is killed at; the long run takes a hundred. */
const moments = Number(process.env.KILLS ?? 8)

describe('a sync', () => {
  let nodes: Nodes
  let truth: Truth
  before(async () => {
    nodes = await startNodes(40)
    truth = await truthOf({ systems: nodes.systems, clock: { now: Date.now } as never }, 'asana')
  })
  after(() => nodes.close())

  /** How often each page was asked for. */
  const pages = (): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const { path, query } of nodes.systems.requests) {
      // A page token is new each time it is given out.
      const page = `${path}?${query.replace(/offset=[^&]*/, 'offset')}`
      counts.set(page, (counts.get(page) ?? 0) + 1)
    }
    return counts
  }

  const isTrue = async (node: Awaited<ReturnType<Nodes['start']>>, id: string): Promise<void> => {
    for (const [entity, records] of Object.entries(truth))
      assertSame('asana', entity, await node.copy(id, entity), records)
  }

  it('that is killed goes on where it was, and no page is read more than once too often', async () => {
    nodes.systems.clearRequests()
    const undisturbed = await nodes.start()
    const first = await connect(undisturbed, nodes.systems)
    await whole(undisturbed, first)
    await isTrue(undisturbed, first)
    await undisturbed.kill()
    const usual = pages()
    const requests = nodes.systems.requests.length
    assert.ok(requests > 50)

    for (let moment = 0; moment < moments; moment++) {
      nodes.afresh()
      nodes.systems.clearRequests()
      const killed = await nodes.start()
      const id = await connect(killed, nodes.systems)
      const at = 1 + Math.floor(((moment + Math.random()) / moments) * (requests - 2))
      await until(() => nodes.systems.requests.length >= at)
      await killed.kill()
      const next = await nodes.start()
      await whole(next, id)
      await isTrue(next, id)
      await next.kill()
      for (const [page, times] of pages())
        assert.ok(times <= (usual.get(page) ?? 0) + 1, `killed at ${at} of ${requests}: ${times} times ${page}`)
    }
  })

  it('is one over two processes; when its process stalls the other takes it over, and the late writes are refused', async () => {
    nodes.afresh()
    nodes.systems.clearRequests()
    const one = await nodes.start()
    const two = await nodes.start()
    const id = await connect(one, nodes.systems)
    const path = `/v1/integrations/connectors/${id}/sync`
    await until(() => nodes.systems.requests.length > 0)
    const starts = await Promise.all([one, two, one, two, one, two].map((node) => node.call('POST', path, {})))
    assert.deepEqual(new Set(starts.map(({ status }) => status)), new Set([202]))
    assert.equal(new Set(starts.map(({ body }) => body.run.id)).size, 1)

    await until(() => nodes.systems.requests.length > 40)
    one.running.child.kill('SIGSTOP')
    await whole(two, id)
    const { body: before } = await two.call('GET', path)
    one.running.child.kill('SIGCONT')
    // It has to have come to the end of what it was about before that says anything.
    await one.running.printed(/a sync was lost to another node/)
    const { body: later } = await two.call('GET', path)
    assert.deepEqual(
      later.entities.map((entity: { last_finished_at: string }) => entity.last_finished_at),
      before.entities.map((entity: { last_finished_at: string }) => entity.last_finished_at),
    )
    await isTrue(two, id)
    assert.equal(nodes.systems.requests.filter(({ path }) => path.endsWith('/workspaces')).length, 1)
    await Promise.all([one.kill(), two.kill()])
  })
})
