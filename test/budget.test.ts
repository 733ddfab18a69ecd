/** One budget of calls for the same credentials, on all nodes. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { it, type TestContext } from 'node:test'
import { skippingClock } from '../src/conformance/skipping-clock.ts'
import { answerJson, startScriptedSystem } from '../src/engine/scripted-system.suite.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted, until } from './hosted.ts'

/** Two nodes on one database, which read from the same systems, at a moment that the test alone moves. */
async function startNodes(t: TestContext): Promise<readonly [Hosted, Hosted]> {
  const started = Date.now()
  const one = await startHosted({ clock: skippingClock(() => started) })
  t.after(() => one.close())
  const described = Object.entries(one.systems.describe())
  const two = await startHosted({
    folder: one.folder,
    clock: one.clock,
    settings: { baseUrls: Object.fromEntries(described.map(([kind, { base_url }]) => [kind, base_url])) },
  })
  t.after(() => two.close())
  one.calm()
  return [one, two]
}

const budgetOf = async (node: Hosted, id: string) =>
  isFine(await node.call('GET', `${connectors}/${id}/sync`, { token: node.ann })).budget

it('is used by live calls of every node, and told alike by all', async (t) => {
  const [one, two] = await startNodes(t)
  const id = one.connector
  assert.equal((await budgetOf(one, id)).remaining, 1500)
  for (let call = 0; call < 31; call++) {
    isFine(await one.execute('workspaces', 'list', {}, { connector: id }))
    isFine(await two.execute('workspaces', 'list', {}, { connector: id }))
  }
  for (const node of [one, two]) {
    const { remaining, resets_at: resetsAt } = await budgetOf(node, id)
    // Of the other node’s block up to 14 calls may be unused.
    assert.ok(remaining <= 1500 - 62 && remaining >= 1500 - 62 - 14, String(remaining))
    const inSeconds = (Date.parse(resetsAt) - one.clock.now()) / 1000
    assert.ok(inSeconds > 55 && inSeconds <= 63, String(inSeconds))
  }
})

it('is left to callers by a sync, as far as the kind reserves it for them', async (t) => {
  const limits = [{ calls: 50, seconds: 3600, reserve: 0.2 }]
  const hosted = await startHosted({ settings: { callLimits: { asana: limits } }, simulators: { scale: 60 } })
  t.after(() => hosted.close())
  hosted.calm()
  await hosted.call('POST', `${connectors}/${hosted.connector}/sync`, { token: hosted.ann, body: {} })
  await hosted.server.service.syncs.settled()
  assert.equal(hosted.received().length, 40)
  for (let call = 0; call < 10; call++) isFine(await hosted.execute('workspaces', 'list'))
  isProblem(await hosted.execute('workspaces', 'list'), 'upstream_rate_limited')
  assert.equal(hosted.received().length, 50)
})

it('is closed for every node by a refusal that says until when', async (t) => {
  const [one, two] = await startNodes(t)
  const id = one.connector
  one.fault({ type: 'status', status: 429, headers: { 'retry-after': '600' } })
  isProblem(await one.execute('workspaces', 'list', {}, { connector: id }), 'upstream_rate_limited')
  const answer = await two.execute('workspaces', 'list', {}, { connector: id })
  isProblem(answer, 'upstream_rate_limited')
  assert.ok(answer.body.retry_after > 590 && answer.body.retry_after <= 600)
  assert.equal(one.received().length, 1)
  assert.equal((await budgetOf(two, id)).remaining, 0)
  one.clock.advance(600_000)
  isFine(await two.execute('workspaces', 'list', {}, { connector: id }))
})

it('is what the system tells of its own count, where it does', async (t) => {
  const [one, two] = await startNodes(t)
  const kind = 'facebook-marketing'
  const id = await one.connect(one.systems.describe()[kind]!.credentials[0]!, one.ann, kind)
  assert.equal((await budgetOf(one, id)).remaining, 100_000)
  one.systems.faults.add({
    kind,
    effect: {
      type: 'status',
      status: 200,
      headers: { 'x-app-usage': '{"call_count":28,"total_time":91,"total_cputime":5}' },
      body: { id: '1', name: 'Ann' },
    },
  })
  isFine(await one.execute('current_user', 'get', {}, { connector: id }))
  assert.equal((await budgetOf(two, id)).remaining, 9000)
  one.clock.advance(121_000)
  assert.ok((await budgetOf(two, id)).remaining > 99_000)
})

it('is not told for a system that documents none', async (t) => {
  const [one] = await startNodes(t)
  const credentials = one.systems.describe().slack!.credentials[0]!
  const replication = { start_date: '2026-01-01T00:00:00Z', lookback_window: 1, join_channels: false }
  const made = await one.call('POST', connectors, {
    token: one.ann,
    body: { connector_type: 'slack', name: 's', credentials, replication_config: replication },
  })
  assert.equal(made.status, 201, made.text)
  assert.equal(await budgetOf(one, made.body.id), null)
})

it('lets as many calls be under way as the system works on at a time', async (t) => {
  const held: ServerResponse[] = []
  let holdsFor: string | undefined
  const system = await startScriptedSystem((_turn, { headers }, response) => {
    if (headers.authorization === holdsFor) held.push(response)
    else answerJson(response, { data: [] })
  })
  t.after(() => system.close())
  const hosted = await startHosted({ settings: { baseUrls: { asana: system.origin } } })
  t.after(() => hosted.close())
  const other = await hosted.connect(hosted.credentials('two'))
  holdsFor = `Bearer ${hosted.credentials('one').token}`
  const answers = Array.from({ length: 63 }, () => hosted.execute('workspaces', 'list'))
  await until(() => held.length >= 50)
  // What was asked after all of them reached the system meanwhile, and those that wait did not.
  isFine(await hosted.execute('workspaces', 'list', {}, { connector: other }))
  assert.equal(held.length, 50)
  holdsFor = undefined
  for (const response of held) answerJson(response, { data: [] })
  for (const answer of answers) isFine(await answer)
})
