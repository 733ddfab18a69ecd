import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { authMethod } from '../catalog/authorization.ts'
import { connector } from '../catalog/connector.ts'
import { entity } from '../catalog/entity.ts'
import {
  array,
  arrayOf,
  boolean,
  id,
  integer,
  nullable,
  number,
  object,
  objectOf,
  optional,
  text,
} from '../catalog/fields.ts'
import { body, get, list, nowhere, query } from '../catalog/operation.ts'
import { cursorPaging, pageNumberPaging, walkPaging } from '../catalog/paging.ts'
import { ConexError } from '../errors.ts'
import type { Call } from './call.ts'
import { createEngine } from './engine.ts'
import { answerJson, fixedCredentials, patientClock, type Script, startScriptedSystem } from './scripted-system.ts'
import type { EngineSettings } from './settings.ts'

const record = {
  id: id(),
  count: nullable(integer()),
  price: nullable(number()),
  open: nullable(boolean()),
  note: nullable(text()),
  parts: nullable(arrayOf(objectOf({ value: nullable(number()), name: nullable(text()) }))),
  extra: nullable(object()),
  rows: nullable(array()),
} as const

/** A system that needs what no single kind needs: every way to place params, select fields and page. */
const shop = connector({
  kind: 'shop',
  definitionId: '00000000-0000-7000-8000-000000000001',
  title: 'Shop',
  baseUrl: 'https://shop.example/v1',
  authMethods: [
    authMethod({
      name: 'token',
      title: 'Token',
      credentials: { token: text() },
      authorization: { style: 'bearer', token: 'token' },
    }),
    authMethod({
      name: 'key',
      title: 'Key',
      credentials: { key: text(), key_secret: text() },
      authorization: { style: 'basic', user: 'key', password: 'key_secret' },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'orders', action: 'list', params: {} },
  readRefusal: ({ status, body: told }) => {
    const error = (told as { error?: { code?: string } } | null)?.error
    if (error === undefined) return null
    if (error.code === 'slow_down') return { code: 'upstream_rate_limited', transient: true, retryAfter: 4 }
    if (error.code === 'too_much') return { code: 'upstream_refused', smallerPage: true }
    return status < 300 ? { code: 'upstream_error' } : null
  },
  entities: {
    orders: entity({
      description: 'Orders.',
      list: list({
        description: 'List orders.',
        path: '/shops/{shop-id}/orders',
        params: {
          'shop-id': text(),
          'status.any': optional(text()),
          renamed: optional(text()),
          unsent: optional(text()),
          tags: optional(arrayOf(text())),
          fields: optional(text()),
          after: optional(text()),
          limit: optional(integer()),
        },
        send: { renamed: query('upstream_name'), unsent: nowhere },
        select: { send: 'fields', default: ['id', 'count'], param: 'fields' },
        recordsAt: ['data'],
        record,
        paging: cursorPaging({
          params: {},
          cursor: 'after',
          next: ['paging', 'cursors', 'after'],
          more: ['paging', 'next'],
          limit: { param: 'limit', default: 100, smallest: 10 },
          block: { name: 'after', holds: 'token' },
        }),
      }),
      get: get({
        description: 'Get an order.',
        path: '/orders/{order_id}',
        params: { order_id: text() },
        recordsAt: [],
        record,
      }),
    }),
    lines: entity({
      description: 'Lines, by a POST whose params stand in the body.',
      list: list({
        description: 'List lines.',
        method: 'POST',
        path: '/lines/query',
        params: { filter: object(), deep: optional(text()) },
        send: { deep: body('options', 'inner', 'deep') },
        recordsAt: ['lines'],
        record: { id: id() },
        paging: walkPaging({
          cursor: 'cursor',
          next: ['records', 'cursor'],
          block: {
            name: 'pagination',
            holds: 'object',
            at: ['records'],
            token: 'cursor',
            counted: (found, count) => ({
              currentPageNumber: 0,
              ...found,
              totalRecords: count,
              currentPageSize: count,
            }),
          },
        }),
      }),
    }),
    files: entity({
      description: 'Files, by page number.',
      list: list({
        description: 'List files.',
        path: '/files',
        recordsAt: ['files'],
        record: { id: id() },
        paging: pageNumberPaging({
          params: { page: optional(integer()), count: optional(integer()) },
          page: 'page',
          size: { param: 'count', default: 50 },
          pages: ['paging', 'pages'],
          block: { name: 'next_page', holds: 'token' },
        }),
      }),
    }),
  },
})

const cleanups: (() => Promise<void>)[] = []
after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

/** A system that follows the script, and a call to it. */
async function given(script: Script, settings: Partial<EngineSettings> = {}) {
  const system = await startScriptedSystem(script)
  const clock = patientClock()
  const engine = createEngine({ allowPrivateNetwork: true, clock, random: () => 0.5, ...settings })
  cleanups.push(
    () => engine.close(),
    () => system.close(),
  )
  const call = (entityName: string, action: string, params: object = {}, more: Partial<Call> = {}): Call => ({
    connector: shop,
    baseUrl: `${system.origin}/v1/`,
    credentials: fixedCredentials({ token: 'secret-token' }),
    entity: entityName,
    action,
    params,
    ...more,
  })
  return { system, clock, engine, call }
}

const orders = (records: unknown[], more: object = {}) => ({ data: records, ...more })

/** The ConexError that a promise ends with. */
async function refusal(promise: Promise<unknown>): Promise<ConexError> {
  const error = await promise.then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ConexError, String(error))
  return error
}

describe('the engine builds requests', () => {
  it('puts params in the path, the query under their own or another name, or nowhere', async () => {
    const { system, engine, call } = await given((_, __, response) => answerJson(response, orders([])))
    await engine.execute(
      call('orders', 'list', {
        'shop-id': '1/../2?x#y',
        'status.any': 'a&b',
        renamed: 'é',
        unsent: 'no',
        tags: ['a', 'b'],
      }),
    )
    assert.equal(
      system.requests[0]!.url,
      '/v1/shops/1%2F..%2F2%3Fx%23y/orders?status.any=a%26b&upstream_name=%C3%A9&tags=a%2Cb&limit=100&fields=id%2Ccount',
    )
    assert.equal(system.requests[0]!.headers.authorization, 'Bearer secret-token')
  })

  it('encodes half a surrogate as the replacement character instead of failing', async () => {
    const { system, engine, call } = await given((_, __, response) => answerJson(response, orders([])))
    await engine.execute(call('orders', 'list', { 'shop-id': 'a\ud800' }))
    assert.match(system.requests[0]!.url, /^\/v1\/shops\/a%EF%BF%BD\/orders/)
  })

  it('refuses what would step to another path, and sends nothing', async () => {
    const { system, engine, call } = await given((_, __, response) => answerJson(response, {}))
    for (const step of ['', '.', '..']) {
      const error = await refusal(engine.execute(call('orders', 'get', { order_id: step })))
      assert.equal(error.code, 'invalid_params')
      assert.deepEqual(
        error.issues!.map(({ path }) => path),
        ['/params/order_id'],
      )
    }
    assert.equal(system.requests.length, 0)
  })

  it('keeps any text of a path param within its own step of the path', async () => {
    const { system, engine, call } = await given((_, __, response) => answerJson(response, { id: '1' }))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('%2e%2e', '..%2f', '...', '%')),
        async (text) => {
          fc.pre(!/^\.{0,2}$/.test(text))
          await engine.execute(call('orders', 'get', { order_id: text }))
          const [, base, path, step, ...more] = system.requests.at(-1)!.url.split('/')
          assert.deepEqual([base, path, decodeURIComponent(step!), more], ['v1', 'orders', text.toWellFormed(), []])
          assert.ok(!step!.includes('?'))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('writes whole numbers digit for digit into a body', async () => {
    const { system, engine, call } = await given((_, __, response) => answerJson(response, { lines: [] }))
    await engine.execute(call('lines', 'list', { filter: { id: 9007199254740993n } }))
    assert.equal(system.requests[0]!.body, '{"filter":{"id":9007199254740993}}')
  })

  it('nests body params where the operation says', async () => {
    const { system, engine, call } = await given((_, __, response) => answerJson(response, { lines: [] }))
    await engine.execute(call('lines', 'list', { filter: { ids: ['1'] }, deep: 'x' }))
    assert.deepEqual(JSON.parse(system.requests[0]!.body), {
      filter: { ids: ['1'] },
      options: { inner: { deep: 'x' } },
    })
    assert.equal(system.requests[0]!.method, 'POST')
  })

  it('signs with basic credentials when those were given', async () => {
    const { system, engine, call } = await given((_, __, response) => answerJson(response, orders([])))
    const credentials = fixedCredentials({ key: 'k', key_secret: 's:ü' })
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials }))
    assert.equal(system.requests[0]!.headers.authorization, `Basic ${Buffer.from('k:s:ü').toString('base64')}`)
  })
})

describe('the engine gives records their declared types', () => {
  it('turns number strings into numbers and keeps what the catalog does not list', async () => {
    const { engine, call } = await given((_, __, response) =>
      answerJson(
        response,
        '{"data":[{"id":9007199254740993,"count":"0","price":"12.50","open":"true","note":"","parts":[{"value":"1e3"}],"other":9007199254740993,"__proto__":{"a":1}}]}',
      ),
    )
    const { result, connector_metadata } = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    const [order] = result as Record<string, unknown>[]
    assert.equal(order!.id, '9007199254740993')
    assert.equal(order!.count, 0)
    assert.equal(order!.price, 12.5)
    assert.equal(order!.open, true)
    assert.equal(order!.note, '')
    assert.deepEqual(order!.parts, [{ value: 1000, name: null }])
    assert.equal(order!.other, 9007199254740993n)
    assert.equal(Object.getPrototypeOf(order), Object.prototype)
    assert.ok(Object.hasOwn(order!, '__proto__'))
    assert.deepEqual(connector_metadata, { after: null })
  })

  it('names values that cannot be what is declared, once per field, and gives null', async () => {
    const bad = { id: '7', count: '1;2', price: { x: 1 }, parts: [{ value: 'x' }, { value: 2 }] }
    const { engine, call } = await given((_, __, response) =>
      answerJson(response, orders([{ id: '1' }, bad, { ...bad, id: '8' }])),
    )
    const { result, connector_metadata } = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    const records = result as Record<string, unknown>[]
    assert.equal(records.length, 3)
    assert.equal(records[1]!.count, null)
    assert.equal(records[1]!.price, null)
    assert.deepEqual(records[1]!.parts, [
      { value: null, name: null },
      { value: 2, name: null },
    ])
    const warnings = connector_metadata.warnings!
    assert.deepEqual(
      warnings.map(({ path }) => path),
      ['/result/1/count', '/result/1/price', '/result/1/parts/0/value'],
    )
    assert.match(warnings[0]!.message, /record 7, and 1 more/)
    assert.ok(!JSON.stringify(warnings).includes('1;2'))
  })

  it('fills in null for absent fields that were asked for, and only for those', async () => {
    const { system, engine, call } = await given((_, __, response) => answerJson(response, orders([{ id: '1' }])))
    const narrowed = await engine.execute(
      call('orders', 'list', { 'shop-id': '1', fields: 'id,note,parts{value,name}' }),
    )
    assert.deepEqual(narrowed.result, [{ id: '1', note: null, parts: null }])
    assert.match(system.requests[0]!.url, /fields=id%2Cnote%2Cparts%7Bvalue%2Cname%7D/)
  })

  it('reads the selected fields however they are nested', async () => {
    const { engine, call } = await given((_, __, response) => answerJson(response, orders([{ id: '1' }])))
    const whole = { id: '1', parts: null, rows: null }
    for (const [fields, record] of [
      ['id,parts{a{note},b},rows.count', whole],
      [`id,parts${'{'.repeat(2000)}note${'}'.repeat(2000)},rows`, whole],
      ['id,parts}{note},rows', whole],
      ['id,parts{note,rows', { id: '1', parts: null }],
    ] as const)
      assert.deepEqual((await engine.execute(call('orders', 'list', { 'shop-id': '1', fields }))).result, [record])
  })

  it('refuses an answer whose identifier is missing or no text', async () => {
    for (const broken of [{}, { id: null }, { id: { a: 1 } }]) {
      const { engine, call } = await given((_, __, response) => answerJson(response, broken))
      const error = await refusal(engine.execute(call('orders', 'get', { order_id: '1' })))
      assert.equal(error.code, 'upstream_invalid_response')
    }
  })

  it('refuses an answer without its list', async () => {
    for (const broken of [{}, { data: null }, { data: {} }, [], 'text']) {
      const { engine, call } = await given((_, __, response) => answerJson(response, JSON.stringify(broken)))
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
      assert.equal(error.code, 'upstream_invalid_response')
    }
  })
})

describe('the engine pages', () => {
  it('gives the token only while the system says that there is more', async () => {
    const { engine, call } = await given((turn, _, response) =>
      answerJson(
        response,
        orders([], { paging: { cursors: { after: 'B' }, ...(turn === 0 ? { next: 'https://x' } : {}) } }),
      ),
    )
    const first = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    assert.deepEqual(first, { result: [], connector_metadata: { after: 'B' } })
    const second = await engine.execute(call('orders', 'list', { 'shop-id': '1', after: 'B' }))
    assert.deepEqual(second.connector_metadata, { after: null })
  })

  it('walks on over empty and short pages to the end', async () => {
    const pages = [[], [{ id: '1' }], [], [{ id: '2' }, { id: '3' }]]
    const { system, engine, call } = await given((turn, _, response) =>
      answerJson(
        response,
        orders(pages[turn]!, { paging: { cursors: { after: `t${turn}` }, ...(turn < 3 ? { next: 'x' } : {}) } }),
      ),
    )
    const ids: unknown[] = []
    for await (const page of engine.pages(call('orders', 'list', { 'shop-id': '1' })))
      for (const order of page.result as { id: string }[]) ids.push(order.id)
    assert.deepEqual(ids, ['1', '2', '3'])
    assert.equal(system.requests.length, 4)
    assert.match(system.requests[3]!.url, /after=t2/)
  })

  it('stops with an error when a page token comes again', async () => {
    const { system, engine, call } = await given((_, __, response) =>
      answerJson(response, orders([{ id: '1' }], { paging: { cursors: { after: 'same' }, next: 'x' } })),
    )
    const walk = async () => {
      for await (const _ of engine.pages(call('orders', 'list', { 'shop-id': '1' })));
    }
    const error = await refusal(walk())
    assert.equal(error.code, 'upstream_invalid_response')
    assert.match(error.message, /same page token twice/)
    assert.ok(system.requests.length <= 3)
  })

  it('counts pages where the system numbers them', async () => {
    const { system, engine, call } = await given((turn, _, response) =>
      answerJson(response, { files: [{ id: String(turn) }], paging: { pages: 3 } }),
    )
    const first = await engine.execute(call('files', 'list'))
    assert.deepEqual(first.connector_metadata, { next_page: '2' })
    let records = 0
    for await (const page of engine.pages(call('files', 'list', { page: 2 })))
      records += (page.result as unknown[]).length
    assert.equal(records, 2)
    assert.equal(system.requests.at(-1)!.url, '/v1/files?page=3&count=50')
  })

  it('walks all pages inside one call where the list has no page params', async () => {
    const { system, engine, call } = await given((turn, _, response) =>
      answerJson(response, {
        lines: [{ id: String(turn) }],
        records: { totalRecords: 3, ...(turn < 2 ? { cursor: `c${turn}` } : {}) },
      }),
    )
    const { result, connector_metadata } = await engine.execute(call('lines', 'list', { filter: {} }))
    assert.deepEqual(result, [{ id: '0' }, { id: '1' }, { id: '2' }])
    assert.deepEqual(connector_metadata.pagination, {
      totalRecords: 3,
      currentPageSize: 3,
      currentPageNumber: 0,
      cursor: null,
    })
    assert.deepEqual(JSON.parse(system.requests[2]!.body), { filter: {}, cursor: 'c1' })
  })

  it('asks for half as many records when a page is too much for the system', async () => {
    const { system, engine, call } = await given((turn, _, response) =>
      turn < 2 ? answerJson(response, { error: { code: 'too_much' } }, 400) : answerJson(response, orders([])),
    )
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    assert.deepEqual(
      system.requests.map(({ url }) => /limit=(\d+)/.exec(url)![1]),
      ['100', '50', '25'],
    )
  })

  it('gives the refusal when one record is too much, since that has no smaller page', async () => {
    const { system, engine, call } = await given((_, __, response) =>
      answerJson(response, { error: { code: 'too_much' } }, 400),
    )
    assert.equal((await refusal(engine.execute(call('orders', 'get', { order_id: '1' })))).code, 'upstream_refused')
    assert.equal(system.requests.length, 1)
  })

  it('gives the refusal when even the smallest page is too much', async () => {
    const { system, engine, call } = await given((_, __, response) =>
      answerJson(response, { error: { code: 'too_much' } }, 400),
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1', limit: 20 })))
    assert.equal(error.code, 'upstream_refused')
    assert.equal(system.requests.length, 2)
  })
})

describe('the engine repeats what may be repeated', () => {
  for (const status of [429, 502, 503, 504])
    it(`tries again after ${status}, three times at the most`, async () => {
      const { system, engine, call, clock } = await given((_, __, response) => answerJson(response, '{}', status))
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
      assert.equal(error.code, status === 429 ? 'upstream_rate_limited' : 'upstream_error')
      assert.equal(system.requests.length, 4)
      assert.deepEqual(clock.slept, [500, 1000, 2000])
    })

  it('waits as long as Retry-After says, in seconds or as a date', async () => {
    const { engine, call, clock } = await given((turn, _, response) => {
      if (turn === 0) return answerJson(response, '{}', 429, { 'retry-after': '2' })
      if (turn === 1) {
        const date = new Date(clock.now() + 5000).toUTCString()
        return answerJson(response, '{}', 429, { 'retry-after': date })
      }
      if (turn === 2) return answerJson(response, '{}', 429, { 'retry-after': new Date(0).toUTCString() })
      return answerJson(response, orders([]))
    })
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    assert.deepEqual(clock.slept, [2000, 5000, 2000])
  })

  it('hands a wait beyond the ceiling to the caller at once', async () => {
    const { system, engine, call, clock } = await given((_, __, response) =>
      answerJson(response, '{}', 429, { 'retry-after': '86400' }),
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_rate_limited')
    assert.equal(error.retryAfter, 86400)
    assert.equal(system.requests.length, 1)
    assert.deepEqual(clock.slept, [])
  })

  it('reads a wait that the system tells in its own words', async () => {
    const { engine, call, clock } = await given((turn, _, response) =>
      turn === 0 ? answerJson(response, { error: { code: 'slow_down' } }, 400) : answerJson(response, orders([])),
    )
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    assert.deepEqual(clock.slept, [4000])
  })

  it('does not wait past its deadline', async () => {
    const { system, engine, call } = await given(
      (_, __, response) => answerJson(response, '{}', 429, { 'retry-after': '20' }),
      {
        deadline: 15_000,
      },
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_rate_limited')
    assert.equal(error.retryAfter, 20)
    assert.equal(system.requests.length, 1)
  })

  it('uses the whole answer that follows a cut one', async () => {
    const { system, engine, call } = await given((turn, _, response) => {
      if (turn === 0) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '20000' })
        response.write('{"data":[{"id":"1"}')
        return void setImmediate(() => response.destroy())
      }
      if (turn === 1) return answerJson(response, '{"data":[{"id":"1"}')
      return answerJson(response, orders([{ id: '1' }]))
    })
    const { result } = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
    assert.equal((result as unknown[]).length, 1)
    assert.equal(system.requests.length, 3)
  })

  it('does not repeat what the system refuses for good', async () => {
    for (const [status, code] of [
      [400, 'upstream_refused'],
      [401, 'reauthorization_required'],
      [402, 'upstream_plan_required'],
      [403, 'upstream_forbidden'],
      [404, 'record_not_found'],
      [451, 'upstream_forbidden'],
      [500, 'upstream_error'],
    ] as const) {
      const { system, engine, call } = await given((_, __, response) => answerJson(response, '{}', status))
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
      assert.equal(error.code, code)
      assert.equal(error.upstream?.status, status)
      assert.equal(system.requests.length, 1)
    }
  })

  it('says so when the answer is HTML', async () => {
    const { engine, call } = await given((_, __, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><title>Sign in</title>')
    })
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_invalid_response')
    assert.match(error.message, /not JSON \(text\/html\)/)
  })

  it('refuses an answer larger than it reads', async () => {
    const { engine, call } = await given(
      (_, __, response) => answerJson(response, orders([{ id: 'x'.repeat(5000) }])),
      {
        largestAnswer: 1024,
      },
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_invalid_response')
    assert.match(error.message, /larger than/)
  })
})

describe('the engine keeps its deadline', () => {
  const stalls: Record<string, Script> = {
    'headers that never come': () => {},
    'a body that stops': (_, __, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"data":[')
    },
    'a body that drips': (_, __, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    },
  }
  for (const [name, script] of Object.entries(stalls))
    it(`ends ${name} and closes the connection`, async () => {
      let closed: () => void = () => {}
      const gone = new Promise<void>((resolve) => {
        closed = resolve
      })
      const { engine, call } = await given(
        (turn, request, response) => {
          response.on('close', () => closed())
          script(turn, request, response)
        },
        { deadline: 150 },
      )
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
      assert.equal(error.code, 'upstream_timeout')
      await gone
    })

  it('stops the upstream read when the caller goes away', async () => {
    let closed: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      closed = resolve
    })
    const caller = new AbortController()
    const { engine, call } = await given((_, __, response) => {
      response.on('close', () => closed())
      caller.abort(new Error('the caller has gone'))
    })
    await assert.rejects(
      engine.execute(call('orders', 'list', { 'shop-id': '1' }, { signal: caller.signal })),
      /the caller has gone/,
    )
    await gone
  })
})

describe('the engine renews credentials', () => {
  it('once after a 401, and uses the new ones', async () => {
    const { system, engine, call } = await given((turn, _, response) =>
      turn === 0 ? answerJson(response, '{}', 401) : answerJson(response, orders([])),
    )
    const credentials = { current: async () => ({ token: 'old' }), renew: async () => ({ token: 'new' }) }
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials }))
    assert.deepEqual(
      system.requests.map(({ headers }) => headers.authorization),
      ['Bearer old', 'Bearer new'],
    )
  })

  it('again when a wait outlived them', async () => {
    const script = [401, 429, 401, 200]
    const { system, engine, call } = await given((turn, _, response) => answerJson(response, orders([]), script[turn]!))
    let token = 0
    const credentials = {
      current: async () => ({ token: `t${token}` }),
      renew: async () => ({ token: `t${++token}` }),
    }
    await engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials }))
    assert.deepEqual(
      system.requests.map(({ headers }) => headers.authorization),
      ['Bearer t0', 'Bearer t1', 'Bearer t1', 'Bearer t2'],
    )
  })

  it('and the renewal costs none of the repeats, which stay counted', async () => {
    const { system, clock, engine, call } = await given((turn, _, response) =>
      answerJson(response, '{}', turn % 2 === 0 ? 401 : 503),
    )
    const credentials = { current: async () => ({ token: 'old' }), renew: async () => ({ token: 'new' }) }
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials })))
    assert.equal(error.code, 'upstream_error')
    assert.equal(clock.slept.length, 3)
    assert.equal(system.requests.length, 8)
  })

  it('within the deadline, and not for a caller who has gone', async () => {
    const { engine, call } = await given((_, __, response) => answerJson(response, '{}', 401), { deadline: 80 })
    const never = () => new Promise<never>(() => {})
    const stuck = { current: async () => ({ token: 'old' }), renew: never }
    const late = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials: stuck })))
    assert.equal(late.code, 'upstream_timeout')
    const caller = new AbortController()
    const credentials = { current: never, renew: never }
    const gone = engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials, signal: caller.signal }))
    caller.abort(new Error('the caller has gone'))
    await assert.rejects(gone, /the caller has gone/)
  })

  it('not a second time when the system still answers 401', async () => {
    let renewals = 0
    const { system, engine, call } = await given((_, __, response) => answerJson(response, '{}', 401))
    const credentials = {
      current: async () => ({ token: 'old' }),
      renew: async () => {
        renewals++
        return { token: 'new' }
      },
    }
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' }, { credentials })))
    assert.equal(error.code, 'reauthorization_required')
    assert.equal(renewals, 1)
    assert.equal(system.requests.length, 2)
  })
})

describe('the engine keeps credentials where they belong', () => {
  it('follows a redirect to another origin without them', async () => {
    const other = await startScriptedSystem((_, __, response) => answerJson(response, orders([{ id: '1' }])))
    cleanups.push(() => other.close())
    for (const status of [301, 302, 303, 307, 308]) {
      const { engine, call } = await given((_, __, response) => {
        response.writeHead(status, { location: `${other.origin}/elsewhere` })
        response.end()
      })
      const { result } = await engine.execute(call('orders', 'list', { 'shop-id': '1' }))
      assert.equal((result as unknown[]).length, 1)
    }
    assert.equal(other.requests.length, 5)
    for (const { headers } of other.requests) assert.equal(headers.authorization, undefined)
  })

  it('does not take a login page elsewhere for a refusal of its credentials', async () => {
    const other = await startScriptedSystem((_, __, response) => answerJson(response, '{}', 401))
    cleanups.push(() => other.close())
    const { engine, call } = await given((_, __, response) => {
      response.writeHead(302, { location: other.origin })
      response.end()
    })
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_error')
  })

  it('gives up on redirects without end', async () => {
    const { system, engine, call } = await given((_, __, response) => {
      response.writeHead(302, { location: '/v1/again' })
      response.end()
    })
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.equal(error.code, 'upstream_error')
    assert.ok(system.requests.length <= 6)
  })

  it('never repeats them when the system echoes them', async () => {
    const { engine, call } = await given((_, __, response) =>
      answerJson(response, { error: { code: 'x' }, message: 'secret-token' }, 400),
    )
    const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
    assert.ok(!JSON.stringify([error.message, error.upstream]).includes('secret-token'))
  })

  it('does not reach private addresses unless the operator allows it', async () => {
    const { system, engine, call } = await given((_, __, response) => answerJson(response, orders([])), {
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
