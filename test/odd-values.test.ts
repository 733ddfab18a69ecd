/** Systems that put anything anywhere: an object where an id, a date or a figure belongs. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Credentials } from '../src/catalog/authorization.ts'
import { catalog } from '../src/connectors/index.ts'
import type { Call } from '../src/engine/call/call.ts'
import { createEngine } from '../src/engine/engine.ts'
import {
  fixedCredentials,
  patientClock,
  type Script,
  startScriptedSystem,
} from '../src/engine/scripted-system.suite.ts'
import { ConexError } from '../src/errors.ts'

type Kind = 'gong' | 'facebook-marketing'

const credentials: Readonly<Record<Kind, Credentials>> = {
  gong: { access_key: 'key-of-gong', access_key_secret: 'secret-of-gong' },
  'facebook-marketing': { account_key: 'key-of-meta' },
}

/** No `String` and no `Number` can read it. */
const odd = '{"toString":null,"valueOf":null}'

describe('a system that puts anything anywhere', () => {
  const closings: (() => Promise<void>)[] = []
  after(() => Promise.all(closings.map((close) => close())))

  async function asking(kind: Kind, script: Script) {
    const system = await startScriptedSystem(script)
    const engine = createEngine({ allowPrivateNetwork: true, clock: patientClock() })
    closings.push(engine.close, system.close)
    return (call: Pick<Call, 'entity' | 'action' | 'params'>) =>
      engine
        .execute({
          connector: catalog[kind],
          baseUrl: system.origin,
          credentials: fixedCredentials(credentials[kind]),
          ...call,
        })
        .catch((error: unknown) => {
          assert.ok(error instanceof ConexError, String((error as Error).stack))
          return error
        })
  }

  const answering =
    (body: string, headers: Readonly<Record<string, string>> = {}, status = 200): Script =>
    (_, __, response) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

  const lists: readonly (readonly [string, object, string])[] = [
    ['library_folder_content', { folderId: '1' }, `{"calls":[{"id":${odd}}]}`],
    ['call_transcripts', { filter: { callIds: ['1'] } }, `{"callTranscripts":[{"callId":${odd}}]}`],
    [
      'stats_activity_scorecards',
      { filter: { fromDateTime: '2026-01-01T00:00:00Z', toDateTime: '2026-01-02T00:00:00Z' } },
      `{"answeredScorecards":[{"answeredScorecardId":1,"reviewTime":${odd},"answers":[]}]}`,
    ],
    [
      'stats_activity_scorecards',
      { filter: {} },
      `{"answeredScorecards":[{"answeredScorecardId":1,"answers":[{"selectedOptions":[${odd}]}]}]}`,
    ],
  ]
  for (const [entity, params, body] of lists)
    it(`gets an answer or an error of its own for ${entity}: ${body}`, async () => {
      const ask = await asking('gong', answering(body))
      const answer = await ask({ entity, action: 'list', params })
      if (answer instanceof ConexError) assert.equal(answer.code, 'upstream_invalid_response', answer.message)
    })

  for (const usage of [
    `{"call_count":${odd}}`,
    `{"acc_id_util_pct":100,"reset_time_duration":1e300}`,
    `{"1":[{"call_count":100,"estimated_time_to_regain_access":1e300}]}`,
  ])
    it(`does not keep its own answers from the caller by the usage ${usage}`, async () => {
      const name = usage.startsWith('{"1"') ? 'x-business-use-case-usage' : 'x-ad-account-usage'
      const ask = await asking('facebook-marketing', answering('{"id":"1"}', { [name]: usage }))
      for (const answer of [
        await ask({ entity: 'current_user', action: 'get' }),
        await ask({ entity: 'current_user', action: 'get' }),
      ])
        assert.deepEqual((answer as { result?: unknown }).result, { id: '1', name: null })
    })

  it('cannot ask for a silence without end', async () => {
    const headers = { 'x-ad-account-usage': '{"acc_id_util_pct":100,"reset_time_duration":1e300}' }
    const refusal = '{"error":{"code":17,"message":"(#17) User request limit reached"}}'
    const ask = await asking('facebook-marketing', answering(refusal, headers, 400))
    const answer = await ask({ entity: 'current_user', action: 'get' })
    assert.ok(answer instanceof ConexError && answer.code === 'upstream_rate_limited', String(answer))
    assert.equal(answer.retryAfter, 365 * 24 * 3600)
  })
})
