import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authMethod } from '../../catalog/authorization.ts'
import { connector } from '../../catalog/connector.ts'
import { entity } from '../../catalog/entity.ts'
import { id, object, optional, text } from '../../catalog/fields.ts'
import { renewedAt } from '../../catalog/oauth.ts'
import { list } from '../../catalog/operation.ts'
import { cursorPaging } from '../../catalog/paging.ts'
import { refusal, scriptedEngine } from '../scripted-engine.suite.ts'
import { answerJson, type Script } from '../scripted-system.suite.ts'

/** A system with an address for each customer, whose lists say "none" for nothing and "gone" for what never was. */
const loft = connector({
  kind: 'loft',
  definitionId: '00000000-0000-7000-8000-000000000004',
  title: 'Loft',
  baseUrl: 'https://loft.example',
  authMethods: [
    authMethod({
      name: 'oauth',
      title: 'OAuth',
      credentials: { refresh_token: text(), access_token: optional(text()) },
      authorization: {
        ...renewedAt({
          tokenAddress: { url: 'https://loft.example/token', relativeToBase: 'token' },
          clientAuthentication: 'basic',
        }),
        customerAddress: 'home',
      },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'boxes', action: 'list', params: {} },
  readRefusal: ({ status, body }) => {
    const message = String((body as { error?: unknown } | undefined)?.error ?? '')
    if (status === 403) return { code: 'upstream_forbidden', renew: true, message }
    if (status === 401) return { code: 'reauthorization_required', renew: false, message }
    return status === 404 ? { code: 'record_not_found', message } : null
  },
  entities: {
    boxes: entity({
      description: 'Boxes.',
      list: list({
        description: 'List boxes.',
        method: 'POST',
        path: '/boxes',
        params: { filter: optional(object()) },
        send: { filter: { in: 'body', at: ['where'], as: (value, now) => ({ given: value, asked: now }) } },
        recordsAt: ['boxes'],
        record: { id: id() },
        reshape: (records, { privateRecords }) =>
          privateRecords ? records : records.filter((record) => !(record as { hidden?: boolean }).hidden),
        paging: cursorPaging({
          params: {},
          cursor: 'cursor',
          next: ['page', 'next'],
          block: {
            name: 'page',
            holds: 'object',
            at: ['page'],
            token: 'next',
            counted: (found, records) => ({ total: found?.total ?? records, here: records }),
          },
        }),
        readRefusal: ({ code, message }, params) => {
          if (code !== 'record_not_found') return null
          if (message === 'gone')
            return { code: 'upstream_error', detail: 'Loft lost its boxes; repeat the call later.' }
          return params.filter === undefined ? { answer: { boxes: [] } } : null
        },
      }),
    }),
  },
})

describe('a list', async () => {
  async function given(
    script: Script,
    { privateRecords = true, home }: { privateRecords?: boolean; home?: string } = {},
  ) {
    const { system, clock, engine } = await scriptedEngine(script, { random: () => 0, privateRecords })
    const credentials = {
      refresh_token: 'r',
      access_token: 'a',
      ...(home === undefined ? {} : { home: system.origin + home }),
    }
    let renewals = 0
    const run = (params: object = {}) =>
      engine.execute({
        connector: loft,
        baseUrl: system.origin,
        credentials: {
          current: async () => credentials,
          renew: async () => {
            renewals++
            return { ...credentials, access_token: 'b' }
          },
        },
        entity: 'boxes',
        action: 'list',
        params,
      })
    return { run, system, clock, renewals: () => renewals }
  }

  it('may be empty by a refusal, with a paging block of its own', async () => {
    const { run } = await given((_, __, response) => answerJson(response, { error: 'none' }, 404))
    assert.deepEqual(await run(), { result: [], connector_metadata: { page: { total: 0, here: 0, next: null } } })
    const error = await refusal(run({ filter: {} }), 'upstream_refused')
    assert.equal(error.upstream?.message, 'none')
  })

  it('may give a refusal another meaning, and leaves the others alone', async () => {
    const lost = await given((_, __, response) => answerJson(response, { error: 'gone' }, 404))
    const error = await refusal(lost.run(), 'upstream_error')
    assert.match(error.message, /lost its boxes/)
    assert.deepEqual(error.upstream, { status: 404, code: null, message: 'gone' })
    const bad = await given((_, __, response) => answerJson(response, { error: 'bad' }, 400))
    await refusal(bad.run(), 'upstream_refused')
  })

  it('sends a param in the form that the system wants, made at the time of the call', async () => {
    const { run, system, clock } = await given((_, __, response) => answerJson(response, { boxes: [] }))
    await run({ filter: { size: 3 } })
    assert.deepEqual(JSON.parse(system.requests[0]!.body), { where: { given: { size: 3 }, asked: clock.now() } })
  })

  it('counts in its paging block what the caller gets', async () => {
    const page: Script = (_, __, response) =>
      answerJson(response, { boxes: [{ id: '1' }, { id: '2', hidden: true }], page: { total: 7, here: 2, next: 'n' } })
    const open = await given(page)
    assert.deepEqual((await open.run()).connector_metadata, { page: { total: 7, here: 2, next: 'n' } })
    const closed = await given(page, { privateRecords: false })
    assert.deepEqual(await closed.run(), {
      result: [{ id: '1' }],
      connector_metadata: { page: { total: 7, here: 1, next: 'n' } },
    })
  })

  it('goes to the customer’s own address where one is known', async () => {
    const { run, system } = await given((_, __, response) => answerJson(response, { boxes: [] }), { home: '/c7/' })
    await run()
    assert.deepEqual(
      system.requests.map(({ url }) => url),
      ['/c7/boxes'],
    )
  })

  it('is asked for again with renewed credentials where the kind says that they may help, and not where it says no', async () => {
    const denied = await given((turn, _, response) =>
      turn === 0 ? answerJson(response, { error: 'no' }, 403) : answerJson(response, { boxes: [] }),
    )
    await denied.run()
    assert.equal(denied.renewals(), 1)
    const closed = await given((_, __, response) => answerJson(response, { error: 'closed' }, 401))
    await refusal(closed.run(), 'reauthorization_required')
    assert.equal(closed.renewals(), 0)
  })
})
