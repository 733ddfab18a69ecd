/** Two servers on one PostgreSQL, which share out the syncs and take over from each other. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startPostgres, type TestServer } from '../../src/store/postgres/server.suite.ts'
import { until } from '../hosted.ts'
import { connect, isTrue, type Node, type Nodes, requestsOf, startNodes, whole } from './nodes.ts'
import type { CopiedKind } from './synced.ts'

/** One whose calls are quick, and one whose calls wait for their turn. */
const kinds = ['asana', 'gong'] as const

describe('two nodes on one PostgreSQL', () => {
  let postgres: TestServer
  let nodes: Nodes
  let one: Node
  let two: Node
  /** How often a sync of Asana asks for each page. */
  let usual: ReadonlyMap<string, number>
  before(async () => {
    postgres = await startPostgres()
    nodes = await startNodes(40, await postgres.freshDatabase())
    one = await nodes.start('127.0.0.1')
    two = await nodes.start('localhost')
  })
  after(async () => {
    await nodes.close()
    await postgres.stop()
  })

  /** Which node asked, request by request; each run of the same one once. */
  const turns = (kind: CopiedKind): readonly string[] =>
    requestsOf(nodes.systems, kind)
      .map(({ headers }) => headers.host!.replace(/:\d+$/, ''))
      .filter((host, at, hosts) => host !== hosts[at - 1])
  const syncOf = (id: string): string => `/v1/integrations/connectors/${id}/sync`

  it('never sync one connector at once, however often both are asked to', async () => {
    const ids = await Promise.all(kinds.map((kind) => connect(one, nodes, kind)))
    await Promise.all(ids.map((id) => whole(two, id)))
    const once = new Map(kinds.map((kind) => [kind, nodes.pages(kind)]))
    usual = once.get('asana')!
    nodes.systems.clearRequests()
    const asked = [one, two, one, two, one, two].flatMap((node) => ids.map((id) => ({ node, id })))
    const starts = await Promise.all(asked.map(({ node, id }) => node.call('POST', syncOf(id), { full: true })))
    assert.deepEqual(new Set(starts.map(({ status }) => status)), new Set([202]))
    await Promise.all(ids.map((id) => whole(two, id)))
    for (const [at, kind] of kinds.entries()) {
      assert.equal(turns(kind).length, 1, `both asked ${kind}: ${turns(kind)}`)
      assert.deepEqual(nodes.pages(kind), once.get(kind))
      await isTrue(two, ids[at]!, kind, await nodes.truth(kind))
    }
  })

  it('finish what the other was killed in', async () => {
    const truth = await nodes.truth('asana')
    nodes.systems.clearRequests()
    const id = await connect(one, nodes, 'asana')
    await until(() => requestsOf(nodes.systems, 'asana').length > 40)
    const [killed] = turns('asana')
    const [dead, alive] = killed === one.host ? [one, two] : [two, one]
    await dead.kill()
    await whole(alive, id)
    assert.deepEqual(turns('asana'), [dead.host, alive.host])
    for (const [page, times] of nodes.pages('asana')) assert.ok(times <= usual.get(page)! + 1, `${times} times ${page}`)
    await isTrue(alive, id, 'asana', truth)
    const again = await nodes.start(dead.host)
    if (dead === one) one = again
    else two = again
  })

  it('take over from one that stalls, whose late page is refused', async () => {
    const truth = await nodes.truth('asana')
    nodes.systems.clearRequests()
    // The answer that the stalled node waits for comes late, and tells of a record that nobody else ever sees.
    const late = nodes.systems.faults.add({
      kind: 'asana',
      path: '/sections$',
      skip: 2,
      effect: {
        type: 'body',
        status: 200,
        body: '{"data":[{"gid":"6666","name":"Ghost","resource_type":"section"}],"next_page":null}',
        delay_ms: 500,
      },
    })
    const id = await connect(one, nodes, 'asana')
    await until(() => late.applied > 0)
    const [stalled, alive] = turns('asana')[0] === one.host ? [one, two] : [two, one]
    stalled.running.child.kill('SIGSTOP')
    await whole(alive, id)
    const { body: before } = await alive.call('GET', syncOf(id))
    stalled.running.child.kill('SIGCONT')
    await stalled.running.printed(/a sync was lost to another node/)
    const { body: later } = await alive.call('GET', syncOf(id))
    assert.deepEqual(later.entities, before.entities)
    assert.deepEqual(turns('asana'), [stalled.host, alive.host])
    // Both nodes can be asked, and neither knows the ghost.
    for (const node of [alive, stalled]) await isTrue(node, id, 'asana', truth)
  })
})
