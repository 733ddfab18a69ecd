import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AuthMethod, authMethod, type Credentials } from '../../catalog/authorization.ts'
import { connector } from '../../catalog/connector.ts'
import { text } from '../../catalog/fields.ts'
import type { CallLimit } from '../../catalog/limit.ts'
import { ConexError } from '../../errors.ts'
import { type Clock, defaultEngineSettings } from '../settings.ts'
import { createLimiter, type Waiting } from './limiter.ts'

const token = authMethod({
  name: 'token',
  title: 'Token',
  credentials: { token: text() },
  authorization: { style: 'bearer', token: 'token' },
})

const grant = authMethod({
  name: 'oauth',
  title: 'OAuth',
  credentials: { access_token: text(), refresh_token: text() },
  authorization: {
    style: 'refreshable',
    tokenAddress: { url: 'https://mill.example/token', relativeToBase: 'token' },
    clientAuthentication: 'basic',
    customerAddress: 'address',
  },
})

/** A system that takes three calls a second, and twelve in ten seconds. */
const mill = connector({
  kind: 'mill',
  definitionId: '00000000-0000-7000-8000-000000000003',
  title: 'Mill',
  baseUrl: 'https://mill.example',
  authMethods: [token, grant],
  replicationConfig: null,
  check: { entity: 'sacks', action: 'list', params: {} },
  readRefusal: () => null,
  limits: [
    { calls: 3, seconds: 1 },
    { calls: 12, seconds: 10 },
  ],
  entities: {},
})

/** A clock whose sleepers all wake when it is told to, and which remembers until when they wanted to sleep. */
function sleepersClock() {
  const until: number[] = []
  let now = 0
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds, signal) => {
      signal.throwIfAborted()
      until.push(now + milliseconds)
    },
  }
  return {
    clock,
    until,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

const waiting = (more: Partial<Waiting> = {}): Waiting => ({
  connector: mill,
  baseUrl: 'https://mill.example',
  signal: new AbortController().signal,
  endsAt: 60_000,
  ...more,
})

const mine = { token: 'mine' }
describe('the limiter', () => {
  function start(limits: Readonly<Record<string, readonly CallLimit[]>> = {}) {
    const time = sleepersClock()
    const limiter = createLimiter({ ...defaultEngineSettings, clock: time.clock, limits })
    const turn = (call: Waiting, method: AuthMethod, credentials: Credentials, path = '/sacks') =>
      limiter(call, method, credentials).admit(call, path)
    const turns = (count: number) => Promise.all(Array.from({ length: count }, () => turn(waiting(), token, mine)))
    return { ...time, turn, turns }
  }

  it('lets calls go at once while they fit, and the others in order as soon as they do', async () => {
    const { turns, until } = start()
    await turns(8)
    assert.deepEqual(until, [1000, 1000, 1000, 2000, 2000])
  })

  it('keeps the longer limit too', async () => {
    const { turns, until } = start()
    await turns(15)
    assert.deepEqual(until.slice(9), [10_000, 10_000, 10_000])
  })

  it('frees a place as time goes on', async () => {
    const { turns, until, pass } = start()
    await turns(3)
    pass(600)
    await turns(1)
    assert.deepEqual(until, [1000])
    pass(5000)
    await turns(3)
    assert.deepEqual(until, [1000])
  })

  it('refuses at once what could not go in time, and says when it could', async () => {
    const { turn, turns, until } = start()
    await turns(12)
    const late = turn(waiting({ endsAt: 5000 }), token, mine)
    await assert.rejects(late, (error: ConexError) => {
      assert.ok(error instanceof ConexError)
      assert.equal(error.code, 'upstream_rate_limited')
      assert.equal(error.retryAfter, 10)
      return true
    })
    // A refused call takes nobody's place.
    await turns(1)
    assert.equal(until.at(-1), 10_000)
  })

  it('gives no moment to come to a sync, which asks again behind the callers', async () => {
    const until: number[] = []
    const clock: Clock = {
      now: () => 0,
      sleep: (milliseconds) => {
        until.push(milliseconds)
        return new Promise(() => {})
      },
    }
    const limiter = createLimiter({ ...defaultEngineSettings, clock })
    const turn = (background: boolean) => {
      const call = waiting({ background })
      return limiter(call, token, mine).admit(call, '/sacks')
    }
    for (let call = 0; call < 3; call++) await turn(true)
    for (const background of [true, true, false, false, false, false]) void turn(background)
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(until, [1000, 1000, 1000, 1000, 1000, 2000])
  })

  it('ends the wait of a caller who has gone', async () => {
    const { turn, turns } = start()
    await turns(3)
    const gone = AbortSignal.abort(new Error('gone'))
    await assert.rejects(turn(waiting({ signal: gone }), token, mine), /gone/)
  })

  it('counts each set of credentials and each address by itself', async () => {
    const { turn, turns, until } = start()
    await turns(3)
    await turn(waiting(), token, { token: 'theirs' })
    await turn(waiting({ baseUrl: 'https://other.example' }), token, mine)
    assert.deepEqual(until, [])
  })

  it('counts the calls of one customer together, whatever tokens they have by then', async () => {
    const { turn, until } = start()
    for (const generation of ['1', '2', '3', '4']) {
      const renewed = { access_token: generation, refresh_token: generation, address: 'https://c7.mill.example' }
      await turn(waiting(), grant, renewed)
    }
    assert.deepEqual(until, [1000])
  })

  it('keeps what the operator sets in place of the kind’s own limits', async () => {
    const lifted = start({ mill: [] })
    await lifted.turns(100)
    assert.deepEqual(lifted.until, [])
    const raised = start({ mill: [{ calls: 5, seconds: 1 }] })
    await raised.turns(6)
    assert.deepEqual(raised.until, [1000])
  })

  it('errs towards fewer calls where a limit is too large to remember each', async () => {
    const { turns, until, pass } = start({ mill: [{ calls: 10_050, seconds: 30 }] })
    for (let second = 0; second < 10; second++) {
      await turns(1000)
      pass(1000)
    }
    await turns(50)
    // By the thirtieth second nothing has gone that the first second did not let go before.
    assert.ok(until.every((moment) => moment >= 30_000))
    assert.ok(until.length <= 150)
  })
})
