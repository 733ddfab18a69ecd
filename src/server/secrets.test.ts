import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json, startFixture } from './fixture.suite.ts'

const connectors = '/v1/integrations/connectors'

describe('a credential', () => {
  it('is found in no answer, no log line, no metric and not in the database, whatever goes wrong', async () => {
    const fixture = await startFixture({ upstreamTimeoutSeconds: 1 })
    const canary = 'CanaryCanaryCanary7f3a'
    const token = await fixture.scoped('ann')
    let seen = ''
    const look = async (answer: Promise<{ text: string; headers: Headers }>) => {
      const { text, headers } = await answer
      seen += `${text}\n${JSON.stringify([...headers])}\n`
    }

    const callTool = (name: string, given: object) =>
      fixture.call('POST', '/mcp', {
        token,
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
      })

    const simple = await fixture.connect(token, { credentials: { token: `${canary}-token` } })
    const application = { client_id: 'app', client_secret: `${canary}-client` }
    const renewable = await fixture.connect(token, {
      credentials: { refresh_token: `${canary}-refresh`, access_token: `${canary}-access`, ...application },
    })
    const refused = { external_user_id: 'ann', connector_type: 'field-notes', name: 'x' }
    for (const credentials of [
      { token: `${canary}\n` },
      { tokne: canary },
      { token: canary, refresh_token: canary },
      { refresh_token: canary, client_id: canary },
      [canary],
      canary,
    ])
      await look(fixture.call('POST', connectors, { token, body: { ...refused, credentials } }))
    await look(fixture.call('POST', connectors, { token, body: `{"credentials":{"token":"${canary}",}}` }))
    await look(
      fixture.call('POST', connectors, { token, body: `{"credentials":{"token":"${canary}","token":"${canary}"}}` }),
    )
    await look(fixture.call('POST', connectors, { token, body: { ...refused, server_side_oauth_secret_id: canary } }))
    await look(fixture.call('GET', `${connectors}?cursor=${canary}&limit=${canary}`, { token }))
    await look(fixture.call('GET', `/${canary}?token=${canary}`, { token: canary }))
    await look(
      fixture.call('POST', '/api/v1/account/applications/token', { body: { client_id: 'x', client_secret: canary } }),
    )

    // Systems that echo the request, break off, answer nonsense or nothing.
    const echo = (headers: object, body: string) => ({ error: `${JSON.stringify(headers)} ${body}` })
    const systems: (typeof fixture.answer)[] = [
      ({ headers }, response, body) => json(response, 400, echo(headers, body)),
      ({ headers }, response, body) => json(response, 401, echo(headers, body)),
      ({ headers }, response, body) => json(response, 403, echo(headers, body)),
      ({ headers }, response, body) => json(response, 500, echo(headers, body)),
      ({ headers }, response) => response.end(`<html>${JSON.stringify(headers)}</html>`),
      ({ headers }, response) =>
        response.setHeader('content-type', 'application/json').end(`{"data":[${JSON.stringify(headers)}`),
      (_request, response) => response.destroy(),
      () => {},
      ({ url, headers }, response, body) =>
        url === '/token'
          ? json(response, 200, { access_token: `${canary}-new`, refresh_token: `${canary}-rotated`, expires_in: 3600 })
          : json(response, 401, echo(headers, body)),
    ]
    for (const system of systems) {
      fixture.answer = system
      for (const id of [simple, renewable]) {
        await look(fixture.execute(token, id, { entity: 'notes', action: 'list' }))
        await look(fixture.call('POST', `${connectors}/${id}/check`, { token }))
        await look(callTool('execute', { connector: id, entity: 'notes', action: 'list' }))
        await look(fixture.call('GET', `${connectors}/${id}`, { token }))
      }
    }
    await look(fixture.call('GET', connectors, { token }))
    await look(callTool('list_connectors', {}))
    await look(fixture.call('GET', '/metrics'))
    await look(fixture.call('GET', '/v1/integrations/connector-types', { token }))

    assert.ok(!fixture.log().includes(token))
    for (const [place, text] of [
      ['answers', seen],
      ['log', fixture.log()],
      ['files', fixture.kept().toString('latin1')],
    ] as const) {
      assert.ok(text.length > 1000, place)
      for (const form of formsOf(canary)) assert.ok(!text.includes(form), `${form} in ${place}`)
    }
    await fixture.close()
  })
})

/** A text as it stands, in the three ways base64 can cut it, and in hexadecimal. */
function formsOf(text: string): string[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from(' '.repeat(shift) + text)
      .toString('base64')
      .slice(4, -4),
  )
  return [text, ...base64, Buffer.from(text).toString('hex')]
}
