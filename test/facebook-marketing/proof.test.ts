/** The proof of an application stands in the query of every request; it is as secret as what it is made from. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { connect } from '../../src/client/connect.ts'
import { ConexError } from '../../src/errors.ts'
import type { Effect } from '../../src/simulator/fault-effects.ts'
import { type Answer, connectors, type Hosted, keptIn, startHosted } from '../hosted.ts'

const kind = 'facebook-marketing'

describe('appsecret_proof', () => {
  let hosted: Hosted
  let credentials: { readonly access_token: string; readonly client_id: string; readonly client_secret: string }
  let proof: string
  const told: string[] = []

  before(async () => {
    hosted = await startHosted({
      settings: { logLevel: 'debug', upstreamTimeoutSeconds: 0.5 },
      simulators: { scale: 10 },
    })
    credentials = hosted.systems.describe()[kind]!.credentials[0] as typeof credentials
    proof = createHmac('sha256', credentials.client_secret).update(credentials.access_token).digest('hex')
  })
  after(() => hosted.close())

  const keep = async (answer: Promise<Answer>): Promise<void> => {
    const { text, headers } = await answer
    told.push(`${text}\n${[...headers].join('\n')}`)
  }

  /** Ways to fail, some of them with the request in what the system says. */
  function failures(): readonly Effect[] {
    const address = `https://graph.facebook.com/v26.0/me?fields=id&appsecret_proof=${proof}`
    const said = `Unsupported get request: ${address} (${encodeURIComponent(address)}, ${btoa(proof)})`
    return [
      ...[400, 401, 403, 404, 429, 500, 502].map((status): Effect => ({ type: 'status', status })),
      ...[100, 190, 200, 4, 1, 2].map((code): Effect => {
        const error = { message: said, type: 'OAuthException', code, error_user_title: said, error_user_msg: proof }
        return { type: 'status', status: 400, body: { error } }
      }),
      { type: 'body', body: { error: { message: said, code: 100 } } },
      { type: 'body', body: `nonsense ${said}` },
      { type: 'body', body: `{"data":[{"id":"${proof}"` },
      { type: 'html', status: 500, body: said },
      { type: 'redirect', location: `http://127.0.0.1:1/gone?appsecret_proof=${proof}` },
      { type: 'redirect', location: 'http://127.0.0.1:1{path}' },
      { type: 'reset' },
      { type: 'cut', as: 'json' },
      { type: 'never' },
    ]
  }

  const assertUntold = (text: string, where: string): void => {
    for (const form of [proof, btoa(proof).replace(/=+$/, ''), credentials.client_secret, credentials.access_token])
      assert.ok(!text.includes(form), `${where} tells ${form}: ${text.slice(text.indexOf(form) - 200).slice(0, 400)}`)
  }

  it('is in no answer, log line or database of a service, whatever goes wrong', async () => {
    const connector = await hosted.connect(credentials, hosted.ann, kind)
    const path = `${connectors}/${connector}`
    const account_id = hosted.systems.landmarks(kind).account!
    const sync = async () => {
      await keep(hosted.call('POST', `${path}/sync`, { token: hosted.ann, body: { entities: ['ad_accounts'] } }))
      await hosted.server.service.syncs.settled()
      await keep(hosted.call('GET', `${path}/sync`, { token: hosted.ann }))
    }
    const calls = [
      () => keep(hosted.execute('current_user', 'get', {}, { connector })),
      () => keep(hosted.execute('campaigns', 'list', { account_id, limit: 2 }, { connector })),
      () => keep(hosted.call('POST', `${path}/check`, { token: hosted.ann })),
      sync,
    ]
    for (const effect of [...failures(), null]) {
      hosted.calm()
      if (effect !== null) hosted.systems.faults.add({ kind, effect, times: 'always' })
      for (const call of calls) await call()
      for (const { query } of hosted.received()) assert.equal(new URLSearchParams(query).get('appsecret_proof'), proof)
      // A refusal of the credentials is over with new ones.
      await keep(hosted.call('PATCH', path, { token: hosted.ann, body: { credentials } }))
    }
    // Complaints did come through.
    assert.ok(told.filter((text) => text.includes('•••')).length > 10)
    await keep(hosted.call('GET', '/metrics'))
    const bearer = (await hosted.server.issueToken()).token
    await keep(hosted.call('GET', '/v1/integrations/audit?limit=1000', { token: bearer }))
    for (const text of told) assertUntold(text, 'an answer')
    assertUntold(hosted.log(), 'the log')
    assertUntold(keptIn(hosted.folder).toString('latin1'), 'the database')
    assert.doesNotMatch(told.join('\n') + hosted.log(), /"internal"/)
  })

  it('is in no error that a program of its own gets', async (t) => {
    const lines: unknown[] = []
    const log = (fields: object, message: string) => void lines.push(fields, message)
    const facebook = connect(kind, {
      credentials,
      baseUrl: hosted.systems.describe()[kind]!.base_url,
      allowPrivateNetwork: true,
      engine: {
        log: { debug: log, info: log, warn: log, error: log },
        clock: { now: Date.now, sleep: async () => {} },
        deadline: 500,
      },
    })
    t.after(() => facebook.close())
    for (const effect of failures()) {
      hosted.calm()
      hosted.systems.faults.add({ kind, effect, times: 'always' })
      const error: unknown = await facebook.current_user.get().catch((reason: unknown) => reason)
      assert.ok(error instanceof ConexError)
      const parts: unknown[] = []
      for (let at: unknown = error; at instanceof Error; at = at.cause) parts.push({ ...at }, at.message, at.stack)
      assertUntold(JSON.stringify(parts), 'an error')
    }
    hosted.calm()
    assertUntold(JSON.stringify(lines), 'a log')
  })
})
