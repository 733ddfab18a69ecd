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
