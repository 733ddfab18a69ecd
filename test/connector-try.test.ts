/** `conex connector try`: shows what an operation sends and what comes back, without secrets. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { hubspotSimulator } from '../src/connectors/hubspot/simulator/simulator.ts'
import { slackSimulator } from '../src/connectors/slack/simulator/simulator.ts'
import { jsonReply } from '../src/simulator/send.ts'
import { type RunningSimulators, startSimulators } from '../src/simulator/simulators.ts'
import type { Call, Reply, SimulatedSystem } from '../src/simulator/system.ts'
import { conex } from './conex.ts'

const outside = join(import.meta.dirname, 'outside')
const token = 'tracker-token-1'

/** A tracker that answers as a test says. */
const scripted: { answer: (call: Call) => Reply } = { answer: () => jsonReply(500, {}) }
const tracker: SimulatedSystem = {
  kind: 'tracker',
  start: ({ origin }) => ({
    baseUrl: origin,
    credentials: [{ token }],
    landmarks: {},
    examples: {},
    tour: {},
    handle: (call) => scripted.answer(call),
    refusal: (status) => jsonReply(status, {}),
    changes: [],
    change: () => ({}),
  }),
}

describe('conex connector try', () => {
  let systems: RunningSimulators
  before(async () => {
    systems = await startSimulators([tracker, hubspotSimulator, slackSimulator])
  })
  after(() => systems.close())

  const attempt = (kind: string, words: readonly string[], credentials: object) => {
    const { base_url } = systems.describe()[kind === './tracker' ? 'tracker' : kind]!
    const local = ['--base-url', base_url, '--allow-private-network', '--credentials', '-']
    return conex(['connector', 'try', kind, ...words, ...local], {
      folder: outside,
      input: JSON.stringify(credentials),
    })
  }

  it('shows repeats, waits and answers, and masks every secret in them', async () => {
    let calls = 0
    const issue = {
      id: 'T-1',
      title: 'See https://files.example/a?X-Amz-Signature=deadbeef01&name=plan',
      points: 1,
      owner: token,
      password: 'two "words"',
      next_page_token: 'page-two',
    }
    scripted.answer = () => {
      calls++
      if (calls === 1) return jsonReply(503, { message: `Down for ${token}.` })
      const { headers, ...reply } = jsonReply(200, { issues: [issue], next: null })
      return { ...reply, headers: { ...headers, 'set-cookie': 'session=c00kie; Path=/', 'x-auth-token': 'h3ader' } }
    }
    const { code, stderr, records } = await attempt('./tracker', ['issues', 'list', '--param', 'limit=7'], { token })
    assert.equal(code, 0, stderr)
    assert.deepEqual(records(), [issue])
    const order = [
      /^→ 1 GET http:\/\/127\.0\.0\.1:\d+\/tracker\/issues\?limit=7$/m,
      /^ {4}authorization: Bearer •••$/m,
      /^← 1 503 Service Unavailable in \d+ ms$/m,
      /"message": "Down for •••\."/,
      /^ {2}waits \d+\.\d s$/m,
      /^→ 2 GET .* \(again\)$/m,
      /^← 2 200 OK in \d+ ms$/m,
      /set-cookie: •••/,
      /x-auth-token: •••/,
      /X-Amz-Signature=•••&name=plan/,
      /"password": "•••"/,
      /"next_page_token": "page-two"/,
      /^not declared: owner, password, next_page_token$/m,
    ].map((pattern) => {
      assert.match(stderr, pattern)
      return stderr.search(pattern)
    })
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
    )
    for (const secret of [token, 'c00kie', 'h3ader', 'deadbeef01', 'words']) assert.ok(!stderr.includes(secret), secret)
  })

  it('cuts a long body and tells its length, and tells other bytes by their number', async () => {
    const title = 'x'.repeat(5000)
    scripted.answer = () => jsonReply(200, { issues: [{ id: 'T-1', title, points: 1 }], next: null })
    const long = await attempt('./tracker', ['issues', 'list'], { token })
    assert.match(long.stderr, /… 2,000 of 5,\d{3} characters/)
    assert.ok(!long.stderr.includes(title))
    assert.ok((await attempt('./tracker', ['issues', 'list', '--body', '9000'], { token })).stderr.includes(title))
    scripted.answer = () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: '\u0000'.repeat(3000) })
    const { code, stderr } = await attempt('./tracker', ['issues', 'list'], { token })
    assert.equal(code, 5)
    assert.match(stderr, /2\.9 KiB that are not shown/)
    assert.match(stderr, /^upstream_invalid_response /m)
  })

  it('compares what came with what is declared', async () => {
    scripted.answer = () => jsonReply(200, { issues: [{ id: 'T-1', title: null, points: 1 }], next: null })
    const wrong = await attempt('./tracker', ['issues', 'list'], { token })
    assert.equal(wrong.code, 5)
    assert.match(wrong.stderr, /^upstream_invalid_response .* text at \/result\/0\/title/m)
    scripted.answer = () => jsonReply(200, { issues: [{ id: 'T-1', title: 'One' }], next: null })
    assert.match(
      (await attempt('./tracker', ['issues', 'list', '--all'], { token })).stderr,
      /^declared, but in no record here: points$/m,
    )
  })

  it('prints JSON lines for programs, and the error at the end', async () => {
    scripted.answer = () => jsonReply(404, { message: 'No such issue.' })
    const words = ['issues', 'get', '--param', 'issue_id=T-9', '--json']
    const { code, stderr } = await attempt('./tracker', words, { token })
    assert.equal(code, 2)
    const [request, answer, error] = stderr.trimEnd().split('\n')
    const { event, method, headers } = JSON.parse(request!)
    assert.deepEqual([event, method, headers.authorization], ['request', 'GET', 'Bearer •••'])
    const { status, body } = JSON.parse(answer!)
    assert.equal(status, 404)
    assert.deepEqual(JSON.parse(body.text), { message: 'No such issue.' })
    assert.match(error!, /^record_not_found /)
  })

  it('shows a renewal, without the old credentials or the new ones', async () => {
    const [whole] = systems.describe().hubspot!.credentials
    const credentials = { ...whole!, access_token: 'an-access-token-that-has-expired' }
    const { code, stderr } = await attempt('hubspot', ['owners', 'list'], credentials)
    assert.equal(code, 0, stderr)
    assert.match(stderr, /← 1 401[\s\S]*→ 2 POST .*\/token\n[\s\S]*refresh_token=•••[\s\S]*→ 3 GET .* \(again\)/)
    assert.match(stderr, /the system renewed the credentials/)
    const sent = systems.requests.flatMap(({ headers }) => headers.authorization ?? [])
    for (const value of [...Object.values(credentials), ...sent.map((one) => one.replace(/^\S+ /, ''))])
      assert.ok(!stderr.includes(value), value)
  })

  it('reads a download to its end, and tells its size', async () => {
    const { credentials } = systems.describe().slack!
    const { file } = systems.examples('slack').files!.download as { file: string }
    const words = ['files', 'download', '--param', `file=${file}`]
    const { code, stderr, records } = await attempt('slack', words, credentials[0]!)
    assert.equal(code, 0, stderr)
    const [{ status, bytes, ...headers }] = records() as [Record<string, unknown>]
    assert.equal(status, 200)
    assert.equal(String(bytes), headers['content-length'])
  })

  it('refuses what it cannot try', async () => {
    const refused = [
      [['issues', 'search'], /A search reads a copy/],
      [['issues', 'get', '--all'], /--all follows lists/],
      [['issues', 'list', '--param', 'size=2'], /--param size/],
    ] as const
    for (const [words, sentence] of refused) {
      const { code, stderr } = await attempt('./tracker', words, { token })
      assert.equal(code, 2, stderr)
      assert.match(stderr, sentence)
    }
    const { stderr } = await conex(['connector', 'try', './tracker', 'issues', 'list'], { folder: outside })
    assert.match(stderr, /Pass --credentials/)
  })
})
