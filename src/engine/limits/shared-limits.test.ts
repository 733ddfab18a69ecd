/** The limits of a system hold for all nodes together, and callers come before syncs. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { authMethod } from '../../catalog/authorization.ts'
import { connector } from '../../catalog/connector.ts'
import { text } from '../../catalog/fields.ts'
import type { CallLimit } from '../../catalog/limit.ts'
import { ConexError } from '../../errors.ts'
import { silentLog } from '../../log.ts'
import { type Clock, defaultEngineSettings } from '../settings.ts'
import { createLimiter } from './limiter.ts'
import { ledgersInMemory } from './shared-ledger.ts'

const token = authMethod({
  name: 'token',
  title: 'Token',
  credentials: { token: text() },
  authorization: { style: 'bearer', token: 'token' },
})

const quarry = connector({
  kind: 'quarry',
  definitionId: '00000000-0000-7000-8000-000000000004',
  title: 'Quarry',
  baseUrl: 'https://quarry.example',
  authMethods: [token],
  replicationConfig: null,
  check: { entity: 'stones', action: 'list', params: {} },
  readRefusal: () => null,
  usage: (headers) =>
    headers.left === undefined ? null : { calls: 100, remaining: Number(headers.left), seconds: 120 },
  entities: {},
})

/** Nodes that share a count, and a clock that stands still unless it is put forward. */
function startNodes(limits: readonly CallLimit[], count = 2) {
  let now = 1_000_000_000_000
  let failing = false
  const log: string[] = []
  const ledgers = ledgersInMemory()
  let round = { reads: 0, writes: 0 }
  const counted: typeof ledgers = {
    read: async (key) => {
      round.reads++
      await null
      if (failing) throw new Error('the disk is full')
      return ledgers.read(key)
    },
    write: async (...change) => {
      round.writes++
      await null
      if (failing) throw new Error('the disk is full')
      return ledgers.write(...change)
    },
  }
  const clock: Clock = { now: () => now, sleep: async () => assert.fail('nobody should wait') }
  const nodes = Array.from({ length: count }, () => {
    const limiter = createLimiter({
      ...defaultEngineSettings,
      clock,
      limits: { quarry: limits },
      ledgers: counted,
      log: { ...silentLog, error: (_fields, message) => void log.push(message) },
    })
    const call = { connector: quarry, baseUrl: quarry.baseUrl, signal: new AbortController().signal }
    const allowance = limiter(call, token, { token: 't' })!
    return {
      allowance,
      /** True when the call could go now, else the seconds after which to come back. */
      async call({ background = false, path = '/stones' } = {}): Promise<true | number> {
        try {
          await allowance.admit({ ...call, background, endsAt: now + 1 }, path)
          return true
        } catch (error) {
          assert.ok(error instanceof ConexError)
          return error.retryAfter!
        }
      },
    }
  })
  return {
    nodes,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    asked: () => {
      const { reads, writes } = round
      round = { reads: 0, writes: 0 }
      return { reads, writes }
    },
    now: () => now,
    fail: (fails: boolean) => {
      failing = fails
    },
    log: () => log.join(),
  }
}

type Node = ReturnType<typeof startNodes>['nodes'][number]
const many = async (node: Node, count: number, how = {}): Promise<number> => {
  let gone = 0
  for (let call = 0; call < count; call++) if ((await node.call(how)) === true) gone++
  return gone
}

describe('one budget on several nodes', () => {
  it('goes on where it cannot be stored, each node by its own count, which is stored as soon as it can be', async () => {
    const { nodes, fail, log } = startNodes([{ calls: 3, seconds: 60 }])
    const [one, other] = nodes as [Node, Node]
    assert.equal(await one.call(), true)
    fail(true)
    assert.equal(await many(one, 5), 2)
    assert.match(log(), /counts alone/)
    // It knew nothing of the first one, and cannot ask.
    assert.equal(await many(other, 5), 3)
    fail(false)
    assert.equal(await one.call(), 60)
    const third = startNodes([{ calls: 3, seconds: 60 }])
    third.fail(true)
    assert.equal(await many(third.nodes[0]!, 5), 3)
  })

  it('lasts no longer for a node whose clock was ahead', async () => {
    const { nodes, pass } = startNodes([{ calls: 2, seconds: 60 }])
    const [one, other] = nodes as [Node, Node]
    pass(3_600_000)
    assert.equal(await many(one, 5), 2)
    await one.allowance.close('/stones', 30_000)
    pass(-3_600_000)
    assert.equal(await other.call(), 60)
    pass(30_000)
    assert.equal(await other.call(), 30)
    pass(30_000)
    assert.equal(await many(other, 5), 2)
    // Nor for itself, when its clock was put right.
    pass(3_600_000)
    assert.equal(await many(one, 5), 2)
    pass(-3_600_000)
    assert.equal(await one.call(), 60)
  })

  it('never lets more calls go in any stretch than the limit, however they are spread', async () => {
    const steps = fc.array(
      fc.record({ node: fc.nat(2), calls: fc.nat(12), background: fc.boolean(), pass: fc.nat(9000) }),
      { minLength: 1, maxLength: 60 },
    )
    const limits = fc.constantFrom<(readonly CallLimit[])[]>(
      [{ calls: 3, seconds: 1, reserve: 0.3 }],
      [
        { calls: 20, seconds: 5 },
        { calls: 100, seconds: 60, reserve: 0.2 },
      ],
      [{ calls: 400, seconds: 30, reserve: 0.2 }],
    )
    await fc.assert(
      fc.asyncProperty(limits, steps, async (limits, steps) => {
        const { nodes, pass, now } = startNodes(limits, 3)
        const went: number[] = []
        for (const { node, calls, background, pass: milliseconds } of steps) {
          for (let call = 0; call < calls; call++)
            if ((await nodes[node]!.call({ background })) === true) went.push(now())
          pass(milliseconds)
        }
        for (const { calls, seconds } of limits)
          for (const [first, moment] of went.entries()) {
            const next = went[first + calls]
            assert.ok(next === undefined || next >= moment + seconds * 1000)
          }
      }),
      { numRuns: 100 },
    )
  })

  it('is used up by all of them together, and told alike by each', async () => {
    const { nodes, pass } = startNodes([{ calls: 1000, seconds: 60 }])
    const [one, two] = nodes as [Node, Node]
    assert.equal(await many(one, 600), 600)
    assert.equal(await many(two, 600), 400)
    assert.equal(await one.call(), 63)
    assert.equal((await one.allowance.budget())!.remaining, 0)
    assert.equal((await two.allowance.budget())!.remaining, 0)
    pass(63_001)
    assert.equal((await two.allowance.budget())!.remaining, 1000)
    assert.equal(await one.call(), true)
  })

  it('is asked for blocks of calls, not for each', async () => {
    const { nodes, asked } = startNodes([{ calls: 1500, seconds: 60 }])
    await many(nodes[0]!, 150)
    assert.deepEqual(asked(), { reads: 0, writes: 10 })
  })

  it('gets back what a node did not use of its block', async () => {
    const { nodes, pass } = startNodes([{ calls: 1500, seconds: 60 }])
    const [one, two] = nodes as [Node, Node]
    await one.call()
    assert.equal((await one.allowance.budget())!.remaining, 1499)
    // What another node has set aside is not there for this one.
    assert.equal((await two.allowance.budget())!.remaining, 1485)
    pass(4000)
    await one.call()
    assert.equal((await two.allowance.budget())!.remaining, 1484)
    assert.equal((await one.allowance.budget())!.remaining, 1498)
  })

  it('counts no calls that no limit counts, and closes them all the same', async () => {
    const { nodes, asked, log } = startNodes([{ calls: 2, seconds: 60, only: { name: 'list', path: /list$/ } }])
    const [one, two] = nodes as [Node, Node]
    assert.equal(await many(one, 500, { path: '/who-am-i' }), 500)
    assert.deepEqual(asked(), { reads: 0, writes: 0 })
    assert.equal(await many(one, 5, { path: '/list' }), 2)
    assert.equal(await two.call({ path: '/list' }), 60)
    await one.allowance.close('/who-am-i', 30_000)
    assert.equal(await one.call({ path: '/who-am-i' }), 30)
    assert.equal(log(), '')
  })

  it('outlives the node that counted', async () => {
    const ledgers = ledgersInMemory()
    const clock: Clock = { now: () => 0, sleep: async () => {} }
    for (const left of [2, 1, 0]) {
      const settings = { ...defaultEngineSettings, clock, ledgers, limits: { quarry: [{ calls: 3, seconds: 60 }] } }
      const call = { connector: quarry, baseUrl: '', signal: new AbortController().signal, endsAt: 1 }
      const allowance = createLimiter(settings)(call, token, { token: 't' })!
      await allowance.admit(call, '/stones')
      assert.deepEqual(await allowance.budget(), { remaining: left, resetsAt: 60_000 })
    }
  })
})

describe('callers', () => {
  it('are left the reserve by syncs, on whatever node', async () => {
    const { nodes } = startNodes([{ calls: 100, seconds: 60, reserve: 0.3 }])
    const [one, two] = nodes as [Node, Node]
    assert.equal(await many(one, 100, { background: true }), 70)
    assert.equal(await many(two, 100, { background: true }), 0)
    assert.equal(await many(two, 100), 30)
    assert.equal(await two.call(), 60)
  })

  it('never stand behind a sync that waits', async () => {
    const { nodes, pass } = startNodes([{ calls: 10, seconds: 60, reserve: 0.5 }])
    const [one] = nodes as [Node]
    await many(one, 5, { background: true })
    for (let waiting = 0; waiting < 20; waiting++) assert.equal(await one.call({ background: true }), 60)
    assert.equal(await many(one, 9), 5)
    pass(60_000)
    assert.equal(await many(one, 10), 10)
    assert.equal(await one.call({ background: true }), 60)
  })

  it('get nothing of a block into the hands of syncs', async () => {
    const { nodes } = startNodes([{ calls: 1000, seconds: 60, reserve: 0.5 }])
    const [one] = nodes as [Node]
    await many(one, 500, { background: true })
    await one.call()
    // A block counts until the last moment at which its calls may be made.
    assert.equal(await one.call({ background: true }), 63)
  })
})

describe('a refusal of the system', () => {
  const limits: readonly CallLimit[] = [
    { calls: 1000, seconds: 60, reserve: 0.2, smallestPlan: 100 },
    { calls: 5, seconds: 60, only: { name: 'search', path: /search$/ } },
  ]

  it('closes the budget on all nodes until the time it names', async () => {
    const { nodes, pass } = startNodes(limits)
    const [one, two] = nodes as [Node, Node]
    await one.allowance.close('/stones', 30_000)
    assert.equal(await two.call(), 30)
    assert.equal(await one.call(), 30)
    assert.equal((await two.allowance.budget())!.remaining, 0)
    pass(30_000)
    assert.equal(await two.call(), true)
    assert.equal(await one.call(), true)
  })

  it('of what is counted by itself closes that alone', async () => {
    const { nodes } = startNodes(limits)
    const [one, two] = nodes as [Node, Node]
    assert.equal(await many(one, 9, { path: '/a/search' }), 5)
    assert.equal(await one.call(), true)
    await one.allowance.close('/a/search', 90_000)
    assert.equal(await two.call({ path: '/a/search' }), 90)
    assert.equal(await two.call(), true)
  })

  it('makes syncs keep to the smallest plan for a while, not callers', async () => {
    const { nodes, pass } = startNodes(limits)
    const [one] = nodes as [Node]
    await one.allowance.close('/stones', 10_000)
    pass(10_000)
    assert.equal(await many(one, 200, { background: true }), 80)
    assert.equal(await many(one, 200), 200)
    pass(600_001)
    assert.equal(await many(one, 200, { background: true }), 200)
  })

  it('of what is counted by itself makes syncs keep to the smallest plan of that alone', async () => {
    const apart = { calls: 50, seconds: 60, smallestPlan: 1, only: { name: 'history', path: /history$/ } }
    const { nodes, pass } = startNodes([apart, { calls: 20, seconds: 60, only: { name: 'list', path: /list$/ } }])
    const [one] = nodes as [Node]
    await one.allowance.close('/a/history', 10_000)
    pass(10_000)
    assert.equal(await many(one, 9, { path: '/a/history', background: true }), 1)
    assert.equal(await many(one, 9, { path: '/a/list', background: true }), 9)
    assert.equal(await one.allowance.budget(), null)
  })

  it('that asks for a year is believed for a day', async () => {
    const { nodes } = startNodes(limits)
    await nodes[0]!.allowance.close('/stones', 365 * 86_400_000)
    assert.equal(await nodes[0]!.call(), 86_400)
  })
})

describe('the system’s own count', () => {
  it('stops syncs at their reserve and callers never, and is what a caller is told', async () => {
    const { nodes, pass, now } = startNodes([{ calls: 100, seconds: 3600, reserve: 0.2 }])
    const [one, two] = nodes as [Node, Node]
    await one.allowance.told(quarry, { left: '50' })
    assert.deepEqual(await two.allowance.budget(), { remaining: 50, resetsAt: now() + 120_000 })
    assert.equal(await two.call({ background: true }), true)
    await one.allowance.told(quarry, { left: '20' })
    await one.allowance.told(quarry, {})
    assert.equal(await two.call({ background: true }), 120)
    assert.equal(await two.call(), true)
    pass(120_001)
    assert.equal(await two.call({ background: true }), true)
  })
})
