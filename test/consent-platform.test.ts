/** What the operator of a platform gives systems: applications, and the address that browsers come back to. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callbackPath, startConsenting } from './consenting.ts'
import { connectors, isFine, isProblem, startHosted } from './hosted.ts'

describe('a platform', () => {
  it('without an application for a kind says so, and takes credentials all the same', async () => {
    const hosted = await startHosted({ settings: { applications: {} } })
    const consenting = await startConsenting(hosted)
    const answer = await consenting.begin({ connector_type: 'slack' })
    isProblem(answer, 'invalid_request', '/connector_type')
    assert.match(answer.body.detail, /CONEX_SLACK_OAUTH_CLIENT_ID/)
    const [credentials] = hosted.systems.describe().hubspot!.credentials
    assert.equal((await consenting.create({ connector_type: 'hubspot', credentials })).status, 201)
    await hosted.close()
  })

  it('whose application has changed meanwhile does not redeem with the new one', async () => {
    const first = await startHosted()
    const consenting = await startConsenting(first)
    const callback = await consenting.press(await consenting.consentUrl({ connector_type: 'hubspot' }), 'allow')
    const secret = await consenting.secretId({ connector_type: 'hubspot' })
    const { body } = await consenting.create({ connector_type: 'hubspot', server_side_oauth_secret_id: secret })
    await first.server.close()

    const second = await startHosted({
      folder: first.folder,
      settings: { applications: { hubspot: { clientId: 'another', clientSecret: 'another-secret' } } },
    })
    const answer = await fetch(`${second.server.origin}${callback.pathname}${callback.search}`, { redirect: 'manual' })
    assert.equal(new URL(answer.headers.get('location')!).searchParams.get('error'), 'invalid_request')
    const { token } = await second.server.issueToken()
    const checked = isFine(await second.call('POST', `${connectors}/${body.id}/check`, { token, body: {} }))
    assert.equal(checked.status, 'unhealthy')
    assert.equal(checked.error.code, 'reauthorization_required')
    assert.match(checked.error.detail, /another application/)
    assert.equal(second.received().filter(({ path }) => path.includes('/oauth/')).length, 0)
    await second.close()
    await first.systems.close()
  })

  it('sends systems to its public address', async () => {
    const hosted = await startHosted({ settings: { publicUrl: 'https://conex.example/base' } })
    const consenting = await startConsenting(hosted)
    const consentUrl = new URL(await consenting.consentUrl({ connector_type: 'slack' }))
    assert.equal(consentUrl.searchParams.get('redirect_uri'), `https://conex.example/base${callbackPath}`)
    await hosted.close()
  })

  it('whose own secret a system refuses is told from a grant that has ended', async () => {
    const hosted = await startHosted()
    const { application } = hosted.systems.describe().hubspot!
    await hosted.close()
    const wrong = await startHosted({
      settings: { applications: { hubspot: { clientId: application!.client_id, clientSecret: 'wrong' } } },
    })
    const consenting = await startConsenting(wrong)
    const end = await consenting.consent({ connector_type: 'hubspot' })
    assert.equal(end.searchParams.get('error'), 'upstream_refused')
    assert.match(end.searchParams.get('error_description')!, /operator/)
    const { refresh_token } = wrong.systems.describe().hubspot!.credentials[0]!
    const { body } = await consenting.create({ connector_type: 'hubspot', credentials: { refresh_token } })
    const path = `${connectors}/${body.id}`
    const checked = isFine(await wrong.call('POST', `${path}/check`, { token: consenting.bearer, body: {} }))
    assert.equal(checked.error.code, 'upstream_refused')
    assert.equal(isFine(await wrong.call('GET', path, { token: consenting.bearer })).status, 'active')
    await wrong.close()
  })
})
