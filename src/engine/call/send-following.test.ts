import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { describe, it } from 'node:test'
import { closeAfterTests, refusal } from '../scripted-engine.suite.ts'
import { answerJson, fixedCredentials, startScriptedSystem } from '../scripted-system.suite.ts'
import { orders, shopBy } from '../shop.suite.ts'

describe('the engine keeps credentials where they belong', () => {
  it('follows a redirect to another origin without them', async () => {
    const other = await startScriptedSystem((_, __, response) => answerJson(response, orders([{ id: '1' }])))
    closeAfterTests(other.close)
    for (const status of [301, 302, 303, 307, 308]) {
      const { engine, call } = await shopBy((_, __, response) => {
        response.writeHead(status, { location: `${other.origin}/elsewhere` })
        response.end()
      })
      const { result } = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
      assert.equal((result as unknown[]).length, 1)
    }
    assert.equal(other.requests.length, 5)
    for (const { headers } of other.requests) assert.equal(headers.authorization, undefined)
  })

  for (const status of [301, 302, 303, 307, 308])
    it(`takes what was made from them nowhere else when a redirect with ${status} repeats it`, async () => {
      const other = await startScriptedSystem((_, __, response) => answerJson(response, orders([{ id: '1' }])))
      closeAfterTests(other.close)
      const elsewhere = other.origin.replace('http:', '')
      for (const repeated of [
        (url: string) => `${other.origin}${url}`,
        (url: string) => `${elsewhere}${url}`,
        (url: string) => `${other.origin}/login?next=${encodeURIComponent(url)}`,
        (url: string) => `${other.origin}/${/proof=([^&]*)/.exec(url)![1]}`,
        () => `${other.origin}/?proof=`,
        () => `${other.origin}/?access_token=signed-token`,
        () => `${other.origin}/?a=%73igned-token`,
        () => `${other.origin}/?a=secret-of-application`,
      ]) {
        const { system, engine, call } = await shopBy((_, { url }, response) =>
          response.writeHead(status, { location: repeated(url) }).end(),
        )
        const credentials = fixedCredentials({
          signed_token: 'signed-token',
          client_id: 'application',
          client_secret: 'secret-of-application',
        })
        const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials })))
        assert.equal(error.code, 'upstream_error')
        assert.match(system.requests[0]!.url, /[?&]proof=[0-9a-f]{64}/)
        assert.ok(!error.message.includes('signed-token'))
      }
      assert.equal(other.requests.length, 0)
    })

  it('proves them anew where a redirect within the origin leaves that out', async () => {
    const { system, engine, call } = await shopBy((turn, _, response) =>
      turn === 0
        ? void response.writeHead(307, { location: '/v1/there?limit=1' }).end()
        : answerJson(response, orders([{ id: '1' }])),
    )
    const credentials = fixedCredentials({
      signed_token: 'signed-token',
      client_id: 'application',
      client_secret: 'secret-of-application',
    })
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials }))
    assert.match(system.requests[1]!.url, /^\/v1\/there\?limit=1&proof=[0-9a-f]{64}$/)
  })

  for (const [name, headers] of [
    ['no address', {}],
    ['an empty address', { location: '' }],
    ['an address that is none', { location: 'http://[' }],
    ['two addresses', { location: ['/v1/one', '/v1/two'] }],
  ] as const)
    for (const [entity, params] of [
      ['orders', { 'shop-id': '1' }],
      ['lines', { filter: {} }],
    ] as const)
      it(`calls a redirect to ${name} an answer of no use (${entity})`, async () => {
        const { system, engine, call } = await shopBy((_, __, response) => {
          response.writeHead(302, headers as OutgoingHttpHeaders).end()
        })
        await refusal(engine.execute(call(entity, 'list', params)), 'upstream_invalid_response')
        assert.equal(system.requests.length, 1)
      })

  it('does not take a login page elsewhere for a refusal of its credentials', async () => {
    const other = await startScriptedSystem((_, __, response) => answerJson(response, '{}', 401))
    closeAfterTests(other.close)
    const { engine, call } = await shopBy((_, __, response) => {
      response.writeHead(302, { location: other.origin })
      response.end()
    })
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_error')
  })

  it('gives up on redirects without end', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => {
      response.writeHead(302, { location: '/v1/again' })
      response.end()
    })
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_error')
    assert.ok(system.requests.length <= 6)
  })

  it('never repeats them when the system echoes them', async () => {
    const { engine, call } = await shopBy((_, __, response) =>
      answerJson(response, { error: { code: 'x' }, message: 'secret-token' }, 400),
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.ok(!JSON.stringify([error.message, error.upstream]).includes('secret-token'))
  })

  it('never repeats what they are sent as either', async () => {
    const credentials = fixedCredentials({ key: 'key-of-a-shop', key_secret: 'secret-of-key' })
    const { engine, call } = await shopBy((_, { headers }, response) =>
      answerJson(response, { error: { code: 'echo', said: `not ${headers.authorization!.split(' ')[1]}` } }, 400),
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials })))
    assert.equal(error.upstream!.message, 'not •••')
  })

  it('does not reach private addresses unless the operator allows it', async () => {
    const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, orders([])), {
      allowPrivateNetwork: false,
    })
    for (const baseUrl of [
      system.origin,
      system.origin.replace('http:', 'https:'),
      'https://localhost:1',
      'https://[::1]:1',
      'https://169.254.169.254',
      'https://10.0.0.1',
    ]) {
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' }, { baseUrl })))
      assert.equal(error.code, 'upstream_error')
      assert.match(error.message, /not allowed|not public/)
    }
    assert.equal(system.requests.length, 0)
  })
})
