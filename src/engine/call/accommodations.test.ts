/** What the engine does for systems that refuse whole requests for a part of them, or want to be shown more than a token. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { authMethod } from '../../catalog/authorization.ts'
import { connector } from '../../catalog/connector.ts'
import { entity } from '../../catalog/entity.ts'
import { id, integer, nullable, optional, text } from '../../catalog/fields.ts'
import { list } from '../../catalog/operation.ts'
import { cursorPaging } from '../../catalog/paging.ts'
import { closeAfterTests, scriptedEngine } from '../scripted-engine.suite.ts'
import { answerJson, fixedCredentials, type Script, startScriptedSystem } from '../scripted-system.suite.ts'

const record = { id: id(), name: nullable(text()), secret: nullable(text()), fresh: nullable(text()) } as const

/** A system that has all of it. */
const mill = connector({
  kind: 'mill',
  definitionId: '00000000-0000-7000-8000-000000000002',
  title: 'Mill',
  baseUrl: 'https://mill.example',
  authMethods: [
    authMethod({
      name: 'token',
      title: 'Token',
      credentials: { token: text(), client_id: optional(text()), client_secret: optional(text()) },
      authorization: {
        style: 'bearer',
        token: 'token',
        proof: 'proof',
      },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'bags', action: 'list', params: {} },
  readRefusal: ({ body, path }) => {
    const error = (body as { error?: { code: string; field?: string } } | null)?.error
    if (error === undefined) return null
    if (error.code === 'unknown field') return { code: 'upstream_refused', unknownField: error.field! }
    if (error.code === 'too much') return { code: 'upstream_refused', smallerPage: true }
    if (error.code === 'tired') return { code: 'upstream_error', transient: true, smallerPage: true }
    return { code: 'upstream_forbidden', detail: `Not ${path}.` }
  },
  entities: {
    bags: entity({
      description: 'Bags.',
      list: list({
        description: 'List bags.',
        path: '/bags',
        params: { fields: optional(text()) },
        select: { send: 'fields', param: 'fields', default: Object.keys(record), restricted: ['secret'] },
        recordsAt: ['data'],
        record,
        paging: cursorPaging({
          params: { limit: optional(integer()), after: optional(text()) },
          cursor: 'after',
          next: ['cursor'],
          more: ['next'],
          moreQuery: 'after',
          limit: { param: 'limit', default: 8, smallest: 4 },
          block: { name: 'after', holds: 'token' },
        }),
        detour: {
          owns: ({ after }) => after === 'around',
          async answer({ read, wait, query, params }) {
            const asked = await read({
              method: 'POST',
              path: '/orders',
              form: { fields: query.fields!, note: 'a b&c' },
            })
            const waited = [await wait(1_000), await wait(10_000_000)]
            return { data: [{ id: String((asked as { id: number }).id), waited, limit: params.limit }] }
          },
        },
      }),
    }),
  },
})

describe('the engine, where a system is particular,', () => {
  async function start(script: Script, credentials: Record<string, string> = { token: 't' }) {
    const { system, clock, engine } = await scriptedEngine(script, { random: () => 0 })
    return {
      system,
      clock,
      queries: () => system.requests.map(({ url }) => Object.fromEntries(new URL(url, 'http://x').searchParams)),
      list: (params: object = {}) =>
        engine.execute({
          connector: mill,
          baseUrl: system.origin,
          credentials: fixedCredentials(credentials),
          entity: 'bags',
          action: 'list',
          params,
        }),
    }
  }

  it('signs the token with the application’s secret, after the other query parameters', async () => {
    const credentials = { token: 't', client_id: 'a', client_secret: 's' }
    const { list, queries, system } = await start((_, __, response) => answerJson(response, { data: [] }), credentials)
    await list()
    assert.equal(queries()[0]!.proof, createHmac('sha256', 's').update('t').digest('hex'))
    assert.equal(system.requests[0]!.headers.authorization, 'Bearer t')
    assert.equal(queries()[0]!.fields, 'id,name,secret,fresh')
  })

  it('signs nothing without that secret', async () => {
    const { list, queries } = await start((_, __, response) => answerJson(response, { data: [] }))
    await list()
    assert.equal(queries()[0]!.proof, undefined)
  })

  it('keeps the proof from another host that it is redirected to', async () => {
    const other = await startScriptedSystem((_, __, response) => answerJson(response, { data: [] }))
    closeAfterTests(other.close)
    const credentials = { token: 't', client_id: 'a', client_secret: 's' }
    const { list } = await start((_, __, response) => {
      response.writeHead(302, { location: `${other.origin}/elsewhere` })
      response.end()
    }, credentials)
    await list()
    assert.equal(other.requests[0]!.url, '/elsewhere')
    assert.equal(other.requests[0]!.headers.authorization, undefined)
  })

  it('tells the reader of refusals which path was asked', async () => {
    const { list } = await start((_, __, response) => answerJson(response, { error: { code: 'no' } }, 403))
    await assert.rejects(list({ fields: 'name' }), /^ConexError: Not \/bags\./)
  })

  it('repeats a refused request once without its restricted fields, and says so', async () => {
    const { list, queries } = await start((turn, _, response) =>
      turn === 0
        ? answerJson(response, { error: { code: 'no' } }, 403)
        : answerJson(response, { data: [{ id: '1', name: 'a', fresh: 'b' }] }),
    )
    const { result, connector_metadata } = await list()
    assert.deepEqual(result, [{ id: '1', name: 'a', fresh: 'b', secret: null }])
    assert.deepEqual(
      connector_metadata.warnings?.map(({ path }) => path),
      ['/result/secret'],
    )
    assert.deepEqual(
      queries().map(({ fields }) => fields),
      ['id,name,secret,fresh', 'id,name,fresh'],
    )
  })

  it('repeats it once only, and not for fields that the caller selected', async () => {
    const refusing = await start((_, __, response) => answerJson(response, { error: { code: 'no' } }, 403))
    await assert.rejects(refusing.list(), { code: 'upstream_forbidden' })
    assert.equal(refusing.system.requests.length, 2)
    await assert.rejects(refusing.list({ fields: 'secret' }), { code: 'upstream_forbidden' })
    assert.equal(refusing.system.requests.length, 3)
  })

  it('drops a default field that the system does not know, but never the identifier', async () => {
    const { list, queries } = await start((turn, _, response) =>
      turn === 0
        ? answerJson(response, { error: { code: 'unknown field', field: 'fresh' } }, 400)
        : turn === 1
          ? answerJson(response, { data: [{ id: '1' }] })
          : answerJson(response, { error: { code: 'unknown field', field: 'id' } }, 400),
    )
    const { result } = await list()
    assert.deepEqual(result, [{ id: '1', name: null, secret: null, fresh: null }])
    assert.equal(queries()[1]!.fields, 'id,name,secret')
    await assert.rejects(list(), { code: 'upstream_refused' })
    assert.equal(queries().length, 3)
  })

  it('takes the detour when even the smallest page is too much', async () => {
    const { list, system, clock } = await start((_, { url }, response) =>
      url.startsWith('/orders')
        ? answerJson(response, { id: 7 })
        : answerJson(response, { error: { code: 'too much' } }, 500),
    )
    const { result } = await list({ limit: 9 })
    assert.deepEqual(result, [{ id: '7', waited: [true, false], limit: 9, name: null, secret: null, fresh: null }])
    assert.deepEqual(
      system.requests.map(({ method, url }) => [method, new URL(url, 'http://x').searchParams.get('limit')]),
      [
        ['GET', '9'],
        ['GET', '4'],
        ['POST', null],
      ],
    )
    const order = system.requests[2]!
    assert.equal(order.headers['content-type'], 'application/x-www-form-urlencoded')
    assert.deepEqual(Object.fromEntries(new URLSearchParams(order.body)), {
      fields: 'id,name,secret,fresh',
      note: 'a b&c',
    })
    assert.deepEqual(clock.slept, [1_000])
  })

  it('takes it at once for a page token that the detour gave out', async () => {
    const { list, system } = await start((_, __, response) => answerJson(response, { id: 7 }))
    await list({ after: 'around' })
    assert.deepEqual(
      system.requests.map(({ method }) => method),
      ['POST'],
    )
  })

  it('does not change the way in the middle of a list', async () => {
    const { list, system } = await start((_, __, response) =>
      answerJson(response, { error: { code: 'too much' } }, 500),
    )
    await assert.rejects(list({ after: 'usual' }), { code: 'upstream_refused' })
    assert.ok(system.requests.every(({ method }) => method === 'GET'))
  })

  it('asks for less at once, and repeats only the smallest page', async () => {
    const { list, queries } = await start((turn, _, response) =>
      turn < 4 ? answerJson(response, { error: { code: 'tired' } }, 500) : answerJson(response, { data: [] }),
    )
    await list({ limit: 8 })
    assert.deepEqual(
      queries().map(({ limit }) => limit),
      ['8', '4', '4', '4', '4'],
    )
  })

  for (const [name, paging, after] of [
    ['without more to come a token means nothing', { cursor: 'B' }, null],
    ['with more to come it is the next page', { cursor: 'B', next: 'https://mill.example/bags?after=C' }, 'B'],
    [
      'without one it is read from the address of the next page',
      { next: 'https://mill.example/bags?limit=8&after=C%3D' },
      'C=',
    ],
  ] as const)
    it(name, async () => {
      const { list } = await start((_, __, response) => answerJson(response, { data: [], ...paging }))
      assert.deepEqual((await list()).connector_metadata, { after })
    })

  for (const next of ['https://mill.example/bags', 'https://mill.example/bags?after=', 'soon', '', {}, [], 7, false])
    it(`refuses an answer with more to come but no token: ${JSON.stringify(next)}`, async () => {
      const { list } = await start((_, __, response) => answerJson(response, { data: [], next }))
      await assert.rejects(list(), { code: 'upstream_invalid_response' })
    })
})
