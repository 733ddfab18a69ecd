/** One renewal at a time per connector, across processes, whatever becomes of them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { connectors, executePath, until } from './hosted.ts'
import { type Nodes, prepareNodes, type ServerNode } from './nodes.ts'

describe('two servers on one database', () => {
  let nodes: Nodes
  let both: ServerNode[]
  let connector: string
  let names = 0

  before(async () => {
    nodes = await prepareNodes()
    both = [await nodes.start(), await nodes.start()]
  })
  beforeEach(async () => {
    nodes.systems.faults.clear()
    for (const [index, { running }] of both.entries())
      if (running.child.exitCode !== null || running.child.signalCode !== null) both[index] = await nodes.start()
    const created = await both[0]!.call('POST', connectors, {
      external_user_id: 'ann',
      connector_type: 'asana',
      name: `tasks ${++names}`,
      credentials: nodes.systems.describe().asana!.credentials[1],
      // Every connector here has the same grant, so that a sync of one would renew beside the executes of another.
      sync: { enabled: false },
    })
    assert.equal(created.status, 201)
    connector = created.body.id
    nodes.systems.change('asana', { change: 'expire_access_tokens' })
    nodes.systems.clearRequests()
  })
  after(() => nodes.close())

  const run = (node: ServerNode) =>
    node.call('POST', executePath(connector), { entity: 'workspaces', action: 'list' }).catch(() => null)
  const renewals = () => nodes.systems.requests.filter(({ path }) => path.endsWith('/-/oauth_token'))
  const holder = (): string | null =>
    nodes.rows('select renewer from connector_credentials where connector_id = ?', connector)[0].renewer
  const audit = () =>
    nodes.rows('select event from audit_log where connector_id = ?', connector).map(({ event }) => event)
  const slowTokens = (delay_ms: number) =>
    nodes.systems.faults.add({ kind: 'asana', path: '/-/oauth_token', effect: { type: 'delay', delay_ms } })

  it('500 executes on an expired token cause one renewal, and all succeed', async () => {
    slowTokens(300)
    const answers = await Promise.all(Array.from({ length: 500 }, (_, index) => run(both[index % 2]!)))
    assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([200]))
    assert.equal(renewals().length, 1)
    assert.deepEqual(audit(), ['connector.created', 'credentials.refreshed'])
    assert.equal(holder(), null)
  })

  it('a rotated refresh token is used by whichever renews next', async () => {
    nodes.systems.change('asana', { change: 'settings', rotate_refresh_tokens: true })
    for (const node of [...both, ...both]) {
      nodes.systems.change('asana', { change: 'expire_access_tokens' })
      assert.equal((await run(node))?.status, 200)
    }
    nodes.systems.change('asana', { change: 'settings', rotate_refresh_tokens: false })
    const used = renewals().map(({ body }) => new URLSearchParams(body).get('refresh_token'))
    assert.equal(new Set(used).size, 4)
    // The first of them is gone now; what other tests start with is the newest.
    await nodes.close()
    nodes = await prepareNodes()
    both = [await nodes.start(), await nodes.start()]
  })

  for (const victim of ['renews', 'waits'] as const)
    it(`500 executes, and the process that ${victim} is killed in the middle: all of the other succeed`, async () => {
      slowTokens(1500)
      const calls = Array.from({ length: 500 }, (_, index) => ({
        index,
        answer: run(both[index % 2]!),
      }))
      await until(() => renewals().length === 1)
      const renewing = both.findIndex(({ running }) => holder()?.startsWith(`${running.child.pid} `))
      assert.notEqual(renewing, -1)
      const killed = victim === 'renews' ? renewing : 1 - renewing
      await both[killed]!.running.stop('SIGKILL')
      for (const { index, answer } of calls) {
        const status = (await answer)?.status
        if (index % 2 !== killed) assert.equal(status, 200)
      }
      // The one that was cut off counts at the system; nobody can take it back.
      assert.equal(renewals().length, victim === 'renews' ? 2 : 1)
      assert.deepEqual(audit(), ['connector.created', 'credentials.refreshed'])
    })

  it('what one is refused, the other does not try again', async () => {
    nodes.systems.faults.add({
      kind: 'asana',
      path: '/-/oauth_token',
      times: null,
      effect: { type: 'status', status: 400, body: { error: 'invalid_grant' } },
    })
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => run(both[index % 2]!)))
    assert.deepEqual(new Set(answers.map((answer) => answer?.body.code)), new Set(['reauthorization_required']))
    const { body } = await both[1]!.call('GET', `${connectors}/${connector}`)
    assert.equal(body.status, 'reauthorization_required')
    const counts = audit().filter((event) => event === 'credentials.refused')
    assert.equal(counts.length, 1)
  })
})
