import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSimulators } from '../../../kit/simulator.ts'
import { startReading } from './reading.suite.ts'
import { asanaSimulator } from './simulator.ts'

const simulators = await startSimulators([asanaSimulator], { now: () => 1_700_000_000_000 })
test.after(() => simulators.close())
const { base_url: baseUrl, credentials } = simulators.describe().asana!
const at = simulators.landmarks('asana')
const call = (path: string, token: string) =>
  fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })

async function callsUntilRefused(path: string, token: string): Promise<{ count: number; refused: Response }> {
  for (let count = 0; ; count++) {
    const response = await call(path, token)
    if (response.status === 429) return { count, refused: response }
    await response.arrayBuffer()
  }
}

test('a free domain gets 150 calls a minute, then a wait in whole seconds', async () => {
  const { count, refused } = await callsUntilRefused('/users/me', credentials[2]!.token!)
  assert.equal(count, 150)
  assert.equal(refused.headers.get('retry-after'), '60')
  const { errors } = (await refused.json()) as { errors: { message: string }[] }
  assert.equal(
    errors[0]?.message,
    "You've made too many requests and hit a rate limit. Please retry after the given amount of time.",
  )
})

test('search has a limit of its own, and other calls go on', async () => {
  const token = credentials[0]!.token!
  const { count } = await callsUntilRefused(`/workspaces/${at.workspace}/tasks/search?text=zzz`, token)
  assert.equal(count, 60)
  assert.equal((await call('/users/me', token)).status, 200)
})

test('a paid domain gets 1,500 calls a minute', async () => {
  const { count } = await callsUntilRefused('/workspaces/1', credentials[3]!.token!)
  assert.equal(count, 1500)
})

test('fifty calls can be under way at once', async () => {
  simulators.advance(120_000)
  simulators.faults.add({ times: 50, effect: { type: 'stall', bytes: 1 } })
  const token = credentials[0]!.token!
  const stalled = await Promise.all(Array.from({ length: 50 }, () => call('/users/me', token)))
  assert.equal((await call('/users/me', token)).status, 429)
  for (const response of stalled) await response.body?.cancel()
  while (simulators.connections.running('api') > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal((await call('/users/me', token)).status, 200)
})

test('the limits can be lifted while it runs', async () => {
  const reading = await startReading({ callsPerMinute: 1 })
  assert.equal((await reading.get('/users/me')).status, 200)
  assert.equal((await reading.get('/users/me')).status, 429)
  reading.change('settings', { calls_per_minute: null })
  assert.equal((await reading.get('/users/me')).status, 200)
})
