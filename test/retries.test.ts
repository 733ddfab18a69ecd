import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Hosted, isFine, isProblem, startHosted, until } from './hosted.ts'

describe('repeating requests', () => {
  let hosted: Hosted
  const list = () => hosted.execute('tasks', 'list', { project: hosted.at.project })
  const throttle = (headers: Record<string, string>, times: number | null) =>
    hosted.fault({ type: 'status', status: 429, headers }, { times })

  before(async () => {
    hosted = await startHosted()
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  it('a 429 is waited for as many seconds as it says', async () => {
    throttle({ 'retry-after': '2' }, 2)
    isFine(await list())
    assert.equal(hosted.received().length, 3)
    assert.deepEqual(hosted.clock.waits, [2000, 2000])
  })

  it('a 429 is waited for until the date it says', async () => {
    throttle({ 'retry-after': '{date+4}' }, 1)
    isFine(await list())
    // An HTTP date has no parts of a second.
    assert.ok(hosted.clock.waits[0]! > 3000 && hosted.clock.waits[0]! <= 4000, String(hosted.clock.waits))
  })

  for (const [name, headers] of [
    ['no Retry-After', {}],
    ['a date in the past', { 'retry-after': '{date-60}' }],
    ['a Retry-After of zero', { 'retry-after': '0' }],
    ['a Retry-After that means nothing', { 'retry-after': '-5' }],
  ] as const)
    it(`a 429 with ${name} is repeated after a growing pause, three times at most`, async () => {
      throttle(headers, null)
      const answer = await list()
      isProblem(answer, 'upstream_rate_limited')
      assert.equal(hosted.received().length, 4)
      assert.deepEqual(hosted.clock.waits, [100, 200, 400])
      assert.ok(answer.body.retry_after >= 1)
    })

  it('503 with Retry-After is waited for too', async () => {
    hosted.fault({ type: 'status', status: 503, headers: { 'retry-after': '3' } })
    isFine(await list())
    assert.deepEqual(hosted.clock.waits, [3000])
  })

  it('waits that do not fit the deadline are not begun', async () => {
    throttle({ 'retry-after': '25' }, null)
    const answer = await list()
    isProblem(answer, 'upstream_rate_limited')
    // Two waits of 25 seconds fit into 60, a third does not.
    assert.deepEqual(hosted.clock.waits, [25_000, 25_000])
    assert.equal(answer.body.retry_after, 25)
  })

  it('waits beyond the ceiling are not begun either, though the deadline would allow them', async () => {
    for (const status of [429, 503]) {
      hosted.clock.advance(60_000)
      hosted.calm()
      hosted.fault({ type: 'status', status, headers: { 'retry-after': '31' } })
      const answer = await list()
      isProblem(answer, status === 429 ? 'upstream_rate_limited' : 'upstream_error')
      assert.equal(answer.body.retry_after, 31)
      assert.deepEqual([hosted.received().length, hosted.clock.waits], [1, []])
    }
  })

  it('a reset and an answer cut short are repeated on a new connection', async () => {
    for (const effect of [{ type: 'reset' }, { type: 'cut' }, { type: 'status', status: 502 }] as const)
      hosted.fault(effect)
    isFine(await list())
    assert.equal(hosted.received().length, 4)
  })

  it('a connection that the system closes while idle is no failure, and causes no doubled work', async () => {
    hosted.fault({ type: 'close_idle', after_ms: 0 }, { times: null })
    for (let call = 0; call < 100; call++) isFine(await hosted.execute('workspaces', 'list'))
    assert.ok(hosted.received().length <= 110, `${hosted.received().length} requests`)
  })
})

describe('a wait beyond the ceiling', () => {
  for (const [name, header, least, most] of [
    ['in seconds', '86400', 86_400, 86_400],
    ['as a date', '{date+3600}', 3590, 3600],
  ] as const)
    it(`(${name}) is handed to the caller at once, and until then nothing is sent with the same credentials`, async (t) => {
      const hosted = await startHosted()
      t.after(() => hosted.close())
      const again = await hosted.connect(hosted.credentials('one'))
      hosted.calm()
      hosted.fault({ type: 'status', status: 429, headers: { 'retry-after': header } })
      const lists = [hosted.connector, again, hosted.connector].map((connector) => () => {
        return hosted.execute('workspaces', 'list', {}, { connector })
      })
      for (const list of lists) {
        const answer = await list()
        isProblem(answer, 'upstream_rate_limited')
        const { retry_after: wait } = answer.body
        assert.ok(wait >= least - 10 && wait <= most, String(wait))
        assert.equal(answer.headers.get('retry-after'), String(wait))
      }
      assert.equal(hosted.received().length, 1)
      assert.deepEqual(hosted.clock.waits, [])
      const other = await hosted.connect(hosted.credentials('two'))
      isFine(await hosted.execute('workspaces', 'list', {}, { connector: other }))
    })
})

describe('a system that limits calls', () => {
  it('is waited for as it asks, so that a walk over many pages comes to its end', async (t) => {
    const hosted = await startHosted({
      simulators: { callsPerMinute: 10 },
      settings: { retryCeilingSeconds: 60, upstreamTimeoutSeconds: 300 },
    })
    t.after(() => hosted.close())
    for (let call = 0; call < 25; call++) isFine(await hosted.execute('workspaces', 'list'))
    assert.ok(hosted.clock.waits.length > 0)
    assert.ok(hosted.received().filter(({ status }) => status === 429).length < 25)
  })
})

describe('a system that does not answer in time', () => {
  let hosted: Hosted
  before(async () => {
    hosted = await startHosted({ settings: { upstreamTimeoutSeconds: 0.4 } })
  })
  after(() => hosted.close())

  for (const effect of [
    { type: 'never' },
    { type: 'stall' },
    { type: 'drip', interval_ms: 100 },
    { type: 'delay', delay_ms: 60_000 },
  ] as const)
    it(`(${effect.type}) is a timeout, and its connection is closed`, async () => {
      hosted.calm()
      hosted.fault(effect, { times: null })
      const answer = await hosted.execute('tasks', 'list', { project: hosted.at.project })
      isProblem(answer, 'upstream_timeout')
      assert.match(answer.body.detail, /within 0\.4 seconds/)
      await until(() => hosted.systems.connections.running() === 0)
    })

  it('and a file that never begins is one too', async () => {
    for (const effect of [{ type: 'never' }, { type: 'stall', bytes: 0 }] as const) {
      hosted.calm()
      hosted.fault(effect, { host: 'files', times: null })
      isProblem(
        await hosted.execute('attachments', 'download', { attachment_gid: hosted.at.attachment }),
        'upstream_timeout',
      )
    }
  })
})
