/** The OpenAPI document: valid, whole, and true of what the server answers. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { writeOpenApiDocument } from '../build/openapi-document.ts'
import { checkParams } from '../src/catalog/check.ts'
import type { Connector } from '../src/catalog/connector.ts'
import { operationsOf } from '../src/conformance/operations.ts'
import { skippingClock } from '../src/conformance/skipping-clock.ts'
import { catalog } from '../src/connectors/index.ts'
import { errorCodes } from '../src/errors.ts'
import { parseQuery } from '../src/search/parse-query.ts'
import { routes } from '../src/server/routes.ts'
import { keepsCopy } from '../src/sync/entity-order.ts'
import { document, documented, fits, operationAt } from './documented.ts'
import { type Ask, connectors, executePath, type Hosted, isFine, startHosted } from './hosted.ts'

const template = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')
const execute = operationAt('POST', '/api/v1/connectors/sources/{connector_id}/execute')
const requests = execute.requestBody.content['application/json'].examples
const answers = execute.responses[200].content['application/json'].examples

/** Every operation of the catalog by the name that the document gives it, searches among them. */
const operations = (Object.values(catalog) as readonly Connector[]).flatMap((connector) =>
  [
    ...operationsOf(connector).map((one) => ({ connector, ...one, action: one.action as string })),
    ...Object.entries(connector.entities)
      .filter(([, { searchable }]) => searchable !== undefined)
      .map(([entity]) => ({ connector, entity, action: 'search', operation: null })),
  ].map((one) => ({ ...one, name: `${connector.kind}.${one.entity}.${one.action}` })),
)

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone({ ...document }))
    assert.ok(valid, JSON.stringify(errors))
    assert.equal(document.openapi, '3.1.1')
  })

  it('has every route at all of its addresses, and no other', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) => {
      const at = item.$ref === undefined ? path : decodeURIComponent(String(item.$ref)).slice(8).replaceAll('~1', '/')
      return Object.keys(document.paths[at]!).map((method) => `${method.toUpperCase()} ${path}`)
    })
    const declared = routes.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map((one) => `${method} ${template(one)}`),
    )
    assert.deepEqual(described.toSorted(), declared.toSorted())
    const ids = routes.map(({ method, path }) => operationAt(method, template(path)).operationId)
    assert.equal(new Set(ids).size, routes.length)
  })

  it('asks for the token that each route asks for', () => {
    for (const { method, path, token } of routes) {
      const schemes = operationAt(method, template(path)).security.flatMap(Object.keys)
      assert.deepEqual(schemes, { none: [], bearer: ['bearer'], any: ['bearer', 'scoped'] }[token], path)
    }
  })

  it('shows every error code as a problem that fits its own schema', () => {
    const shown = new Set<string>()
    for (const { method, path } of routes)
      for (const response of Object.values(operationAt(method, template(path)).responses))
        for (const [code, { value }] of Object.entries(
          response.content?.['application/problem+json']?.examples ?? {},
        ) as [string, { value: { code: string } }][]) {
          fits('/components/schemas/Problem', value)
          assert.equal(value.code, code)
          shown.add(code)
        }
    // No operation is answered with a method that it has not.
    const all = errorCodes.filter((code) => code !== 'method_not_allowed')
    assert.deepEqual([...shown].toSorted(), all.toSorted())
  })

  it('has an example of every operation of the catalog, of SQL, and of no other', () => {
    const names = [...operations.map(({ name }) => name), 'sql']
    assert.deepEqual(Object.keys(requests).toSorted(), names.toSorted())
    assert.deepEqual(Object.keys(answers).toSorted(), names.filter((name) => !name.endsWith('.download')).toSorted())
  })

  for (const { connector, name, entity, operation } of operations)
    it(`shows a request of ${name} and an answer that are right by schema and rules`, () => {
      const request = requests[name].value
      for (const schema of [name, connector.kind]) fits(`/components/schemas/${schema}`, request)
      if (operation === null) parseQuery(connector.entities[entity]!.searchable!, request.params)
      else assert.deepEqual(checkParams(operation.params, operation.rules, request.params, ''), [])
      if (answers[name]) fits(`/components/schemas/${name}.answer`, answers[name].value)
    })

  it('shows SQL as a request and an answer that are right by schema', () => {
    fits('/components/schemas/sql', requests.sql.value)
    fits('/components/schemas/sql.answer', answers.sql.value)
  })

  it('is in the package', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'conex-document-'))
    t.after(() => rmSync(folder, { recursive: true }))
    await writeOpenApiDocument(folder)
    assert.deepEqual(JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')), document)
  })
})

describe('a server', () => {
  /** A Monday, on which the simulated systems have the records that the documents show. */
  const monday = Date.UTC(2026, 5, 15, 20)
  const secret = { client_id: 'documents', client_secret: 'a-secret-of-the-documents-1234567890' }
  let hosted: Hosted
  let bearer: string
  const ids: Record<string, string> = {}

  before(async () => {
    const clock = skippingClock(() => monday)
    const settings = { clientId: secret.client_id, clientSecret: secret.client_secret }
    hosted = await startHosted({ clock, simulators: { now: () => monday, scale: 600 }, settings })
    bearer = (await hosted.server.issueToken()).token
    for (const [kind, { credentials }] of Object.entries(hosted.systems.describe()))
      if (Object.keys(hosted.systems.examples(kind)).length > 0)
        ids[kind] = await hosted.connect(credentials[0]!, hosted.ann, kind)
    // A month of figures of ads is enough.
    const sync = { start_date: '2026-05-15T00:00:00Z' }
    const patched = await hosted.call('PATCH', `${connectors}/${ids['facebook-marketing']}`, {
      token: bearer,
      body: { sync },
    })
    assert.equal(patched.status, 200, patched.text)
  })
  after(() => hosted.close())

  /** Asks, and judges the answer by the document. */
  async function ask(method: string, path: string, given: Ask = {}) {
    const answer = await hosted.call(method, path, { token: hosted.ann, ...given })
    documented(method, path, answer)
    return answer
  }

  it('gives the document to everybody, with its own address in it', async () => {
    const { body, headers } = await ask('GET', '/openapi.json', { token: undefined })
    assert.deepEqual(body, { ...document, servers: [{ url: hosted.server.origin }] })
    assert.equal(headers.get('cache-control'), 'no-cache')
  })

  for (const path of ['/openapi.json', '/docs'])
    it(`answers 304 for ${path} to whoever has it`, async () => {
      const etag = (await ask('GET', path)).headers.get('etag')!
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await ask('GET', path, { headers: { 'if-none-match': header } })
        assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
      }
      assert.equal((await ask('GET', path, { headers: { 'if-none-match': '"other"' } })).status, 200)
    })

  it('shows all of it on a page that runs nothing and loads nothing', async () => {
    const { text, headers } = await ask('GET', '/docs', { token: undefined })
    assert.match(headers.get('content-type')!, /^text\/html/)
    assert.match(
      headers.get('content-security-policy')!,
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; frame-ancestors 'none'/,
    )
    assert.doesNotMatch(text, /<script|<link|<img|src=|@import|url\(/)
    for (const { path, aliases = [] } of routes)
      for (const one of [path, ...aliases]) assert.ok(text.includes(`<code>${template(one)}</code>`), one)
    for (const name of [...operations.map((one) => one.name), 'sql']) assert.ok(text.includes(`id="${name}"`), name)
    for (const code of errorCodes) assert.ok(text.includes(`<code>${code}</code>`), code)
    for (const [, anchor] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(text.includes(`id="${anchor}"`), anchor)
  })

  it('answers about tokens, kinds and itself as documented', async () => {
    const path = '/api/v1/account/applications/token'
    const { body } = await ask('POST', path, { token: undefined, body: secret })
    assert.equal(body.token_type, 'Bearer')
    await ask('POST', path, { token: undefined, body: { ...secret, client_secret: 'wrong' } })
    await ask('POST', path, { token: undefined, body: '{' })
    await ask('POST', path, { token: undefined, body: {} })
    await ask('POST', path, { token: undefined, body: 'text', headers: { 'content-type': 'text/plain' } })
    await ask('POST', '/api/v1/embedded/scoped-token', { token: bearer, body: { external_user_id: 'ann' } })
    await ask('POST', '/api/v1/embedded/scoped-token', { body: { external_user_id: 'ann' } })
    await ask('GET', '/v1/integrations/connector-types')
    for (const kind of [...Object.keys(catalog), 'unknown'])
      await ask('GET', `/api/v1/integrations/connector-types/${kind}`)
    for (const probe of ['/healthz', '/readyz', '/metrics']) await ask('GET', probe, { token: undefined })
    const begun = { external_user_id: 'ann', connector_type: 'asana', redirect_url: 'https://app.example/done' }
    await ask('POST', `${connectors}/oauth/initiate`, { token: bearer, body: begun })
    await ask('GET', `${connectors}/oauth/callback?state=unknown`)
  })

  it('answers about connectors as documented', async () => {
    const body = {
      external_user_id: 'ben',
      connector_type: 'asana',
      name: 'Work',
      credentials: hosted.credentials('one'),
    }
    const { id } = (await ask('POST', connectors, { token: bearer, body })).body
    const one = `${connectors}/${id}`
    assert.equal((await ask('POST', connectors, { token: bearer, body })).status, 409)
    await ask('POST', connectors, { body: { ...body, credentials: { token: 7 } } })
    await ask('POST', `/api${connectors}`, { body: { ...body, external_user_id: 'ann', credentials: { tokens: '7' } } })
    await ask('GET', `${connectors}?limit=1`, { token: bearer })
    await ask('GET', `${connectors}?cursor=no`, { token: bearer })
    await ask('GET', '/api/v1/connectors/connectors_for_user?external_user_id=ben', { token: bearer })
    await ask('GET', one, { token: bearer })
    await ask('GET', one, { token: undefined })
    await ask('GET', one)
    await ask('PATCH', one, { token: bearer, body: { name: 'Home' } })
    await ask('PATCH', one, { token: bearer, body: { names: 'Home' } })
    await ask('POST', `${one}/check`, { token: bearer })
    hosted.systems.faults.add({ kind: 'asana', effect: { type: 'status', status: 401 }, times: null })
    const checked = await ask('POST', `${one}/check`, { token: bearer })
    hosted.calm()
    assert.equal(checked.body.status, 'unhealthy')
    assert.equal((await ask('DELETE', one, { token: bearer })).status, 204)
    await ask('DELETE', `/v1/integrations/end-users/ben`, { token: bearer })
    await ask('GET', '/v1/integrations/audit', { token: bearer })
    await ask('GET', '/v1/integrations/audit?event=none', { token: bearer })
  })

  it('answers about syncs as documented, before, during and after', async () => {
    for (const [kind, id] of Object.entries(ids)) {
      if (!keepsCopy(catalog[kind as keyof typeof catalog])) continue
      await ask('GET', `${connectors}/${id}/sync`)
      assert.equal((await ask('POST', `${connectors}/${id}/sync`)).status, 202)
      await ask('POST', `${connectors}/${id}/sync`, { body: { entities: ['unknown'] } })
      await ask('GET', `${connectors}/${id}/sync`)
      await hosted.server.service.syncs.settled()
      await ask('GET', `${connectors}/${id}/sync`)
    }
  })

  for (const { connector, name, action } of operations)
    it(`takes the shown request of ${name}, finds something, and answers as documented`, async () => {
      const path = executePath(ids[connector.kind]!)
      if (action === 'download') {
        const response = await hosted.stream(requests[name].value.entity, requests[name].value.params, {
          connector: ids[connector.kind]!,
        })
        assert.equal(response.status, 200)
        assert.ok((await response.arrayBuffer()).byteLength > 0)
        return
      }
      const answer = isFine(await ask('POST', path, { body: requests[name].value }))
      fits(`/components/schemas/${name}.answer`, answer)
      const { result } = answer
      assert.ok(action === 'get' || (action === 'search' ? result.hits : result).length > 0, 'nothing was found')
    })

  it('answers with the fields that a caller chose as documented', async () => {
    const path = executePath(ids['facebook-marketing']!)
    for (const name of ['ad_accounts.list', 'ad_account.get', 'campaigns.get', 'ads_insights.list']) {
      const { entity, action, params } = requests[`facebook-marketing.${name}`].value
      const body = { entity, action, params: { ...params, fields: 'account_id' } }
      const answer = isFine(await ask('POST', path, { body }))
      fits(`/components/schemas/facebook-marketing.${name}.answer`, answer)
    }
  })

  it('answers bodies that are no JSON as documented, also where none is needed', async () => {
    const id = await hosted.connect(hosted.credentials('one'))
    for (const [method, path] of [
      ['POST', `${connectors}/${id}/check`],
      ['POST', `${connectors}/${id}/sync`],
      ['PATCH', `${connectors}/${id}`],
      ['DELETE', `${connectors}/${id}`],
      ['DELETE', '/v1/integrations/end-users/ben'],
    ] as const) {
      assert.equal((await ask(method, path, { token: bearer, body: '{' })).status, 400)
      const headers = { 'content-type': 'text/plain' }
      assert.equal((await ask(method, path, { token: bearer, body: 'text', headers })).status, 415)
    }
  })

  it('answers what goes wrong in an execution as documented', async () => {
    const path = executePath(ids.asana!)
    const list = { entity: 'workspaces', action: 'list' }
    for (const body of [
      { entity: 'task', action: 'list' },
      { entity: 'tasks', action: 'download' },
      { entity: 'tasks', action: 'list', params: { asignee: 'me' } },
      { entity: 'tasks', action: 'get', params: { task_gid: '1' } },
      { entity: 'tasks', action: 'search', params: { query: { filter: { eq: { nam: 'x' } } } } },
      {
        ...requests['asana.attachments.download'].value,
        params: { attachment_gid: hosted.at.attachment, range_header: 'bytes=99999999-' },
      },
      { entity: 'attachments', action: 'download', params: { attachment_gid: hosted.at.attachment_external_null } },
      {},
    ])
      assert.ok((await ask('POST', path, { body })).status >= 400)
    for (const effect of [
      { type: 'status', status: 401 },
      { type: 'status', status: 402 },
      { type: 'status', status: 403 },
      { type: 'status', status: 429 },
      { type: 'status', status: 500 },
      { type: 'html', status: 200 },
    ] as const) {
      hosted.fault(effect, { times: null })
      assert.ok((await ask('POST', path, { body: list })).status >= 400)
      hosted.calm()
    }
  })
})
