/** Access keys and grants: how calls are signed, renewed, and where they go. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { pressButton } from '../../src/simulator/allow.suite.ts'
import { bodyOf, type Connection, type Grant, refused, startConnection } from './connected.ts'

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const tokenPath = '/oauth2/generate-customer-token'

describe('calls of the call-analytics connector', async () => {
  // Many calls at once would have to wait for their turn.
  const connection: Connection = await startConnection({ callsPerMinute: null }, { limits: { gong: [] } })
  const { simulators, key, grant } = connection
  after(() => connection.close())
  beforeEach(() => simulators.faults.clear())

  /** A connection with a grant of its own, as consent makes one, and what it was renewed to. */
  async function granted(from: Partial<Grant> = {}): Promise<{
    gong: Connection['gong']
    kept: Record<string, string>[]
  }> {
    const redirect = 'http://127.0.0.1/back'
    const asked = { client_id: grant.client_id, response_type: 'code', redirect_uri: redirect }
    const code = (await pressButton(`${connection.baseUrl}/oauth2/authorize`, asked)).get('code')!
    const answer = await fetch(connection.baseUrl + tokenPath, {
      method: 'POST',
      headers: { authorization: basic(grant.client_id, grant.client_secret) },
      body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirect }),
    })
    const { access_token, refresh_token } = (await answer.json()) as Grant
    const { client_id, client_secret } = grant
    const kept: Record<string, string>[] = []
    const gong = connection.connect(
      { client_id, client_secret, access_token, refresh_token, ...from },
      { onCredentialsRenewed: (renewed) => void kept.push(renewed as unknown as Record<string, string>) },
    )
    return { gong, kept }
  }

  it('carry an access key as HTTP Basic, to the general address', async () => {
    const [request] = await connection.during(() => connection.gong.workspaces.list())
    assert.equal(request?.path, '/gong/v2/workspaces')
    assert.equal(request?.headers.authorization, basic(key.access_key, key.access_key_secret))
    const wrong = connection.connect({ ...key, access_key_secret: 'not-the-secret' })
    const sent = await connection.during(() => refused(wrong.workspaces.list(), 'reauthorization_required'))
    assert.equal(sent.length, 1)
  })

  it('go to the customer’s own address as soon as a renewal has named it', async () => {
    const { gong, kept } = await granted()
    const sent = await connection.during(() => gong.workspaces.list())
    assert.deepEqual(
      sent.map(({ path, status }) => `${path} ${status}`),
      ['/gong/v2/workspaces 401', `/gong${tokenPath} 200`, '/gong/company-17/v2/workspaces 200'],
    )
    assert.equal(kept[0]?.api_base_url_for_customer, `${connection.baseUrl}/company-17`)
    const later = await connection.during(() => gong.workspaces.list())
    assert.deepEqual(
      later.map(({ path }) => path),
      ['/gong/company-17/v2/workspaces'],
    )
    // What was kept is good for another start.
    const again = connection.connect(kept[0] as unknown as Grant)
    const restarted = await connection.during(() => again.workspaces.list())
    assert.deepEqual(
      restarted.map(({ path }) => path),
      ['/gong/company-17/v2/workspaces'],
    )
  })

  it('are renewed with HTTP Basic and a form, each refresh token once', async () => {
    const { gong, kept } = await granted()
    await gong.users.list()
    connection.change('expire_access_tokens')
    const sent = await connection.during(() => gong.users.list())
    const renewal = sent.find(({ path }) => path.endsWith(tokenPath))
    assert.equal(renewal?.headers.authorization, basic(grant.client_id, grant.client_secret))
    assert.equal(renewal?.headers['content-type'], 'application/x-www-form-urlencoded')
    assert.deepEqual(Object.fromEntries(new URLSearchParams(renewal?.body)), {
      grant_type: 'refresh_token',
      refresh_token: kept[0]!.refresh_token!,
    })
    assert.equal(kept.length, 2)
    assert.equal(new Set(kept.map(({ refresh_token }) => refresh_token)).size, 2)
    const spent = connection.connect({ ...grant, refresh_token: kept[0]!.refresh_token!, access_token: 'worn-out' })
    await refused(spent.users.list(), 'reauthorization_required')
  })

  it('share one renewal when fifty of them meet an expired token', async () => {
    const { gong, kept } = await granted()
    await gong.workspaces.list()
    connection.change('expire_access_tokens')
    simulators.faults.add({ path: tokenPath, times: 1, effect: { type: 'delay', delay_ms: 100 } })
    const sent = await connection.during(() => Promise.all(Array.from({ length: 50 }, () => gong.workspaces.list())))
    assert.equal(sent.filter(({ path }) => path.endsWith(tokenPath)).length, 1)
    assert.equal(kept.length, 2)
  })

  it('survive a renewal that fails for a moment, and keep the refresh token for the next try', async () => {
    const { gong } = await granted({ access_token: 'worn-out' })
    simulators.faults.add({ path: tokenPath, times: 1, effect: { type: 'status', status: 500 } })
    await gong.workspaces.list()
  })

  it('try a renewal when access is denied, since that is also how a revoked grant is refused', async () => {
    const { gong } = await granted()
    await gong.workspaces.list()
    simulators.faults.add({ path: '/v2/users', times: 1, effect: { type: 'status', status: 403 } })
    const sent = await connection.during(() => gong.users.list())
    assert.equal(sent.filter(({ path }) => path.endsWith(tokenPath)).length, 1)
  })

  it('go to no address that may not be reached, whoever names it', async () => {
    const unreachable = [
      'http://169.254.169.254',
      'https://10.0.0.1',
      'https://user:hidden@gong.example',
      'file:///etc',
    ]
    for (const address of [...unreachable, 'nowhere', 'https://gong.example/?a=b', connection.baseUrl]) {
      const credentials = { ...grant, api_base_url_for_customer: address }
      const gong = connection.connect(credentials, { allowPrivateNetwork: false })
      const sent = await connection.during(async () => {
        const error = await gong.workspaces.list().then(
          () => assert.fail(`${address} was reached`),
          (reason: unknown) => reason as { code: string; message: string },
        )
        assert.match(error.code, /^upstream_(error|invalid_response)$/)
        assert.doesNotMatch(error.message, /hidden/)
      })
      assert.deepEqual(sent, [])
    }
  })

  it('send the address of a customer nowhere in a body or query', async () => {
    const { gong } = await granted()
    const sent = await connection.during(() => gong.calls_extensive.list({ filter: {} }))
    assert.deepEqual(bodyOf(sent.at(-1)), { filter: {} })
  })
})
