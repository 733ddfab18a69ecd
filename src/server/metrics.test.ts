/** How long requests take, as log and metrics tell it. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { json, startFixture } from './fixture.suite.ts'

it('the time that a request took stands in the log and in the metrics', async (t) => {
  const fixture = await startFixture()
  t.after(() => fixture.close())
  const ann = await fixture.scoped('ann')
  const id = await fixture.connect(ann)
  fixture.answer = async (_request, response) => {
    await pause(20)
    json(response, 200, { data: [], next: null })
  }
  await fixture.execute(ann, id, { entity: 'notes', action: 'list' })

  const line = /"route":"\/api\/v1\/connectors\/sources\/:connector_id\/execute".*"duration_ms":([\d.]+)/
  await fixture.logged(line)
  assert.ok(Number(line.exec(fixture.log())![1]) >= 10)
  const { text } = await fixture.call('GET', '/metrics')
  const sum = /conex_http_request_duration_seconds_sum\{[^}]*route="[^"]*execute"[^}]*\} ([\d.e-]+)/.exec(text)
  assert.ok(Number(sum![1]) >= 0.01)
})

it('renewals of tokens are counted by kind and outcome', async (t) => {
  const fixture = await startFixture()
  t.after(() => fixture.close())
  const ann = await fixture.scoped('ann')
  let token: readonly [number, object] = [200, { access_token: 'new', refresh_token: 'next', expires_in: 1 }]
  fixture.answer = (request, response) =>
    request.url === '/token' ? json(response, ...token) : json(response, 200, { data: [], next: null })
  const id = await fixture.connect(ann, {
    credentials: { refresh_token: 'first', client_id: 'c', client_secret: 's' },
  })
  const renewals = async (outcome: string): Promise<number> => {
    const { text } = await fixture.call('GET', '/metrics')
    const series = `conex_token_renewals_total{kind="field-notes",outcome="${outcome}"} `
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.slice(series.length) ?? 0,
    )
  }
  const list = () => fixture.execute(ann, id, { entity: 'notes', action: 'list' })
  const before = await renewals('renewed')
  assert.equal((await list()).status, 200)
  assert.equal(await renewals('renewed'), before + 1)
  token = [400, { error: 'invalid_grant' }]
  await list()
  assert.equal(await renewals('refused'), 1)
})

it('the line of a request names client, end user and connector, and nothing that is none', async (t) => {
  const fixture = await startFixture()
  t.after(() => fixture.close())
  const ann = await fixture.scoped('ann')
  const id = await fixture.connect(ann)
  await fixture.execute(ann, id, { entity: 'notes', action: 'list' })
  await fixture.execute(ann, 'pasted-secret', { entity: 'notes', action: 'list' })
  await fixture.logged(/execute","status":404/)
  const lines = fixture
    .log()
    .split('\n')
    .filter((line) => line.includes('/execute"'))
  const [named, unnamed] = lines.map((line) => JSON.parse(line))
  const { client_id, external_user_id, connector_id } = named
  assert.deepEqual(
    { client_id, external_user_id, connector_id },
    { client_id: 'operator', external_user_id: 'ann', connector_id: id },
  )
  assert.equal(unnamed.connector_id, undefined)
  assert.ok(!fixture.log().includes('pasted-secret'))
})
