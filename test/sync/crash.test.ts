import assert from 'node:assert/strict'
import { it } from 'node:test'
import { drawn } from '../drawn.ts'
import { until } from '../hosted.ts'
import { syncCrashSuite } from './crash.suite.ts'
import { connect, isTrue, requestsOf, startNodes, whole } from './nodes.ts'
import { copiedKinds } from './synced.ts'

syncCrashSuite(drawn(2, copiedKinds), 1)

it('a full pass over a whole copy that is killed takes nothing away, and the next process ends it', async (t) => {
  const nodes = await startNodes(40)
  t.after(() => nodes.close())
  const truth = await nodes.truth('asana')
  let node = await nodes.start()
  const id = await connect(node, nodes, 'asana')
  await whole(node, id)
  const seen = (): number => requestsOf(nodes.systems, 'asana').length
  nodes.systems.clearRequests()
  const started = await node.call('POST', `/v1/integrations/connectors/${id}/sync`, { full: true })
  assert.equal(started.status, 202, started.text)
  await until(() => seen() > 30)
  await node.kill()
  node = await nodes.start()
  await isTrue(node, id, 'asana', truth)
  const before = seen()
  await until(() => seen() > before)
  await whole(node, id)
  await isTrue(node, id, 'asana', truth)
  for (const [page, times] of nodes.pages('asana')) assert.ok(times <= 2, `${times} times ${page}`)
})
