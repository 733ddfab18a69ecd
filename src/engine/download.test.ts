import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import type { Readable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { authMethod } from '../catalog/authorization.ts'
import { connector } from '../catalog/connector.ts'
import { entity } from '../catalog/entity.ts'
import { text } from '../catalog/fields.ts'
import { download } from '../catalog/operation.ts'
import { ConexError, type ErrorCode } from '../errors.ts'
import type { Call, Download } from './call.ts'
import { downloadFile } from './download.ts'
import { createEngine } from './engine.ts'
import { createLimiter } from './limiter.ts'
import { answerJson, fixedCredentials, patientClock, startScriptedSystem } from './scripted-system.ts'
import { defaultEngineSettings, type EngineSettings } from './settings.ts'
import { createTransport } from './transport.ts'

const file = (refusedTypes: readonly string[] = []) =>
  entity({
    description: 'Files.',
    download: download({
      description: 'Download a file.',
      path: '/files/{gid}',
      params: { gid: text() },
      refusedTypes,
      locate: (answer) => {
        const { url, name } = answer as { url?: string; name?: string }
        if (url === undefined) throw new ConexError('file_unavailable', 'There is no file.')
        return name === undefined ? { url } : { url, name }
      },
    }),
  })

const drive = connector({
  kind: 'drive',
  definitionId: '00000000-0000-7000-8000-000000000002',
  title: 'Drive',
  baseUrl: 'https://drive.example',
  authMethods: [
    authMethod({
      name: 'token',
      title: 'Token',
      credentials: { token: text() },
      authorization: { style: 'bearer', token: 'token' },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'files', action: 'list', params: {} },
  readRefusal: () => null,
  entities: { files: file(), media: file(['text/html']) },
})

const cleanups: (() => Promise<void>)[] = []
after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))

type Host = (turn: number, request: IncomingMessage, response: ServerResponse) => void

/** Serves the bytes with ranges, as a storage host does. */
const storage: Host = (_, { headers: { range } }, response) => {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined || to === undefined) {
    response.writeHead(200, {
      'content-length': bytes.length,
      'content-type': 'application/pdf',
      'accept-ranges': 'bytes',
    })
    return void response.end(bytes)
  }
  const first = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
  if (first >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}`, 'content-type': 'application/xml' })
    return void response.end('<Error>secret of the host</Error>')
  }
  response.writeHead(206, {
    'content-range': `bytes ${first}-${last}/${bytes.length}`,
    'content-length': last - first + 1,
  })
  response.end(bytes.subarray(first, last + 1))
}

/** A system whose records point to a file host of their own. */
async function given(host: Host, settings: Partial<EngineSettings> = {}, located: object = {}) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    host(asked.length - 1, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const system = await startScriptedSystem((turn, _, response) =>
    answerJson(response, { url: `${origin}/kept/${turn}?signature=s${turn}#_=_`, ...located }),
  )
  const clock = patientClock()
  const engine = createEngine({ allowPrivateNetwork: true, clock, random: () => 0.5, ...settings })
  cleanups.push(
    () => engine.close(),
    () => system.close(),
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const call = (params: object = {}, more: Partial<Call> = {}): Call => ({
    connector: drive,
    baseUrl: system.origin,
    credentials: fixedCredentials({ token: 'secret-token' }),
    entity: 'files',
    action: 'download',
    params: { gid: '1', ...params },
    ...more,
  })
  return { system, asked, origin, clock, engine, call }
}

async function contents(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function refused(promise: Promise<unknown>, code: ErrorCode): Promise<ConexError> {
  const error = await promise.then(
    () => assert.fail('the download began'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ConexError, String(error))
  assert.equal(error.code, code, error.message)
  return error
}

describe('a download', () => {
  it('reads the record with the credentials and the file without them', async () => {
    const { system, asked, engine, call } = await given(storage)
    const { status, headers, body } = await engine.download(call())
    assert.deepEqual(await contents(body), bytes)
    assert.equal(status, 200)
    assert.deepEqual(headers, { 'content-type': 'application/pdf', 'accept-ranges': 'bytes', 'content-length': '1000' })
    assert.equal(system.requests[0]!.headers.authorization, 'Bearer secret-token')
    assert.equal(asked.length, 1)
    assert.equal(asked[0]!.url, '/kept/0?signature=s0')
    for (const name of ['authorization', 'cookie', 'range', 'referer']) assert.equal(asked[0]!.headers[name], undefined)
    assert.equal(asked[0]!.headers['accept-encoding'], 'identity')
  })

  it('of an empty file has no bytes and ends', async () => {
    const { engine, call } = await given((_, __, response) => response.writeHead(200, { 'content-length': '0' }).end())
    const { headers, body } = await engine.download(call())
    assert.equal(headers['content-length'], '0')
    assert.equal((await contents(body)).length, 0)
  })

  it('says why when the record has no file', async () => {
    const { engine, call, asked } = await given(storage, {}, { url: undefined })
    await refused(engine.download(call()), 'file_unavailable')
    assert.equal(asked.length, 0)
  })

  it('carries a file name in any script', async () => {
    const raw = Buffer.from('attachment; filename="отчёт.pdf"').toString('latin1')
    for (const disposition of [raw, "attachment; filename*=UTF-8''%D0%BE%D1%82%D1%87%D1%91%D1%82.pdf", undefined]) {
      const { engine, call } = await given(
        (_, __, response) => {
          response.writeHead(200, disposition === undefined ? {} : { 'content-disposition': disposition })
          response.end(bytes)
        },
        {},
        { name: 'отчёт.pdf' },
      )
      const { headers, body } = await engine.download(call())
      assert.equal(
        headers['content-disposition'],
        `attachment; filename="_____.pdf"; filename*=UTF-8''${encodeURIComponent('отчёт.pdf')}`,
      )
      await contents(body)
    }
  })

  it('refuses a page instead of a file only where such files are never kept', async () => {
    const page: Host = (_, __, response) =>
      response.writeHead(200, { 'content-type': 'Text/HTML; charset=utf-8' }).end('<!doctype html>')
    const { engine, call } = await given(page)
    assert.equal(String(await contents((await engine.download(call())).body)), '<!doctype html>')
    const error = await refused(engine.download(call({}, { entity: 'media' })), 'upstream_invalid_response')
    assert.ok(!error.message.includes('doctype'))
  })

  it('refuses bytes that are compressed although they were asked for as they are', async () => {
    const { engine, call } = await given((_, __, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes),
    )
    await refused(engine.download(call()), 'upstream_invalid_response')
  })
})

describe('a range', () => {
  for (const [range, contentRange, first, last] of [
    ['bytes=0-0', 'bytes 0-0/1000', 0, 0],
    ['bytes=500-599', 'bytes 500-599/1000', 500, 599],
    ['bytes=990-', 'bytes 990-999/1000', 990, 999],
    ['bytes=-10', 'bytes 990-999/1000', 990, 999],
    ['bytes=-5000', 'bytes 0-999/1000', 0, 999],
    ['bytes=0-524287', 'bytes 0-999/1000', 0, 999],
    ['bytes=999-99999999999', 'bytes 999-999/1000', 999, 999],
  ] as const)
    it(`${range} is answered with exactly those bytes`, async () => {
      const { asked, engine, call } = await given(storage)
      const { status, headers, body } = await engine.download(call({ range_header: range }))
      assert.equal(status, 206)
      assert.equal(headers['content-range'], contentRange)
      assert.equal(headers['content-length'], String(last - first + 1))
      assert.deepEqual(await contents(body), bytes.subarray(first, last + 1))
      assert.equal(asked[0]!.headers.range, range)
    })

  for (const range of [
    'bytes=9-2',
    'bytes=0-1,5-6',
    'BYTES=0-1',
    'items=0-1',
    'bytes= 0 - 1',
    'bytes=0x0-0x9',
    'bytes=-18446744073709551616',
    'bytes=-',
    'bytes=-0',
    'bytes=--1',
    '',
    'bytes=0-9\r\nX-Evil: 1',
    'bytes=0-9\n',
    '0-9',
    5,
    null,
    ['bytes=0-9'],
  ])
    it(`${JSON.stringify(range)} is refused and nothing is sent`, async () => {
      const { system, asked, engine, call } = await given(storage)
      const error = await refused(engine.download(call({ range_header: range })), 'invalid_params')
      assert.equal(error.issues![0]!.path, '/params/range_header')
      assert.equal(system.requests.length + asked.length, 0)
    })

  it('that the host ignores is answered honestly with the whole file', async () => {
    const { engine, call } = await given((_, __, response) =>
      response.writeHead(200, { 'content-length': '1000', 'content-range': 'bytes 0-9/1000' }).end(bytes),
    )
    const { status, headers, body } = await engine.download(call({ range_header: 'bytes=0-9' }))
    assert.equal(status, 200)
    assert.equal(headers['content-length'], '1000')
    assert.equal(headers['content-range'], undefined)
    assert.equal((await contents(body)).length, 1000)
  })

  for (const [name, range, headers] of [
    ['without a Content-Range', 'bytes=0-9', {}],
    ['of other bytes', 'bytes=0-9', { 'content-range': 'bytes 5-9/1000' }],
    ['of more bytes', 'bytes=0-9', { 'content-range': 'bytes 0-19/1000' }],
    ['of the whole file', 'bytes=10-19', { 'content-range': 'bytes 0-999/1000' }],
    ['beyond the file', 'bytes=0-9', { 'content-range': 'bytes 0-9/5' }],
    ['that ends before it begins', 'bytes=5-9', { 'content-range': 'bytes 5-4/1000' }],
    [
      'of another length than its header says',
      'bytes=0-9',
      { 'content-range': 'bytes 0-9/1000', 'content-length': '1000' },
    ],
    ['that is not the end', 'bytes=-10', { 'content-range': 'bytes 0-9/1000' }],
    ['that stops before the end', 'bytes=-10', { 'content-range': 'bytes 990-995/1000' }],
    ['that was not asked for', undefined, { 'content-range': 'bytes 0-999/1000' }],
  ] as const)
    it(`answered by a part ${name} is refused`, async () => {
      const { engine, call } = await given((_, __, response) => response.writeHead(206, headers).end(bytes))
      await refused(
        engine.download(call(range === undefined ? {} : { range_header: range })),
        'upstream_invalid_response',
      )
    })

  it('outside the file is told with the size of the file, and nothing of the host’s words', async () => {
    const { engine, call, asked } = await given(storage)
    const error = await refused(engine.download(call({ range_header: 'bytes=1000-' })), 'range_not_satisfiable')
    assert.equal(error.contentRange, 'bytes */1000')
    assert.ok(!JSON.stringify([error.message, error.upstream]).includes('secret of the host'))
    assert.equal(asked.length, 1)
  })
})

describe('a file address', () => {
  for (const status of [400, 401, 403])
    it(`that is answered ${status} is asked for again, once`, async () => {
      const { system, asked, engine, call } = await given((turn, request, response) => {
        if (turn === 0) return void response.writeHead(status, { 'content-type': 'application/xml' }).end('<Error/>')
        storage(turn, request, response)
      })
      assert.deepEqual(await contents((await engine.download(call())).body), bytes)
      assert.equal(system.requests.length, 2)
      assert.deepEqual(
        asked.map(({ url }) => url),
        ['/kept/0?signature=s0', '/kept/1?signature=s1'],
      )
    })

  it('that is refused again ends the download, without the host’s words', async () => {
    const { system, asked, engine, call } = await given((_, __, response) =>
      response.writeHead(403).end('<Error>secret of the host</Error>'),
    )
    const error = await refused(engine.download(call()), 'upstream_error')
    assert.ok(!JSON.stringify([error.message, error.upstream]).includes('secret of the host'))
    assert.deepEqual([system.requests.length, asked.length], [2, 2])
  })

  it('may lead on to another host, which sees no credentials either', async () => {
    const other = await given(storage)
    const { engine, call } = await given((_, __, response) =>
      response.writeHead(302, { location: `${other.origin}/there` }).end(),
    )
    assert.deepEqual(await contents((await engine.download(call())).body), bytes)
    assert.equal(other.asked[0]!.url, '/there')
    assert.equal(other.asked[0]!.headers.authorization, undefined)
  })

  it('that leads on without end is given up', async () => {
    const { asked, engine, call } = await given((_, __, response) =>
      response.writeHead(302, { location: '/again' }).end(),
    )
    await refused(engine.download(call()), 'upstream_error')
    assert.ok(asked.length <= 6)
  })

  it('that is gone is told', async () => {
    for (const status of [404, 410]) {
      const { engine, call } = await given((_, __, response) => response.writeHead(status).end())
      await refused(engine.download(call()), 'file_unavailable')
    }
  })

  it('whose host is busy is asked again, and a long wait is handed to the caller', async () => {
    const { asked, clock, engine, call } = await given((turn, request, response) =>
      turn < 2
        ? void response.writeHead(turn === 0 ? 503 : 429, { 'retry-after': '2' }).end()
        : storage(turn, request, response),
    )
    await contents((await engine.download(call())).body)
    assert.deepEqual([asked.length, clock.slept], [3, [2000, 2000]])
    const busy = await given((_, __, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
    assert.equal((await refused(busy.engine.download(busy.call()), 'upstream_rate_limited')).retryAfter, 3600)
    assert.equal(busy.asked.length, 1)
  })
})

describe('a file address into a private network', () => {
  it('is refused in every spelling before anything is sent to it', async () => {
    const trap = createTcpServer()
    let reached = 0
    trap.on('connection', (socket) => {
      reached++
      socket.destroy()
    })
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => trap.close(() => resolve())))
    const { port } = trap.address() as AddressInfo
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}/`,
      `https://localhost:${port}/`,
      `https://2130706433:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      `https://[::1]:${port}/`,
      'http://169.254.169.254/latest/',
      'https://169.254.169.254/latest/',
      'https://10.0.0.1/',
      'http://public.example/',
      'file:///etc/passwd',
      'ftp://public.example/x',
      'data:text/plain,x',
      'https://user:pass@public.example/',
    ]) {
      const error = await refused(fetchFrom(url), 'upstream_error')
      assert.match(error.message, /not allowed|not public/, url)
      assert.ok(!error.message.includes(url))
    }
    assert.equal(reached, 0)
  })

  it('is refused when a public-looking one leads there', async () => {
    for (const location of [
      'file:///etc/passwd',
      'ftp://127.0.0.1/',
      'data:text/plain,x',
      'http://user:pass@127.0.0.1/',
    ]) {
      const redirecting = await given((_, __, response) => response.writeHead(302, { location }).end())
      const error = await refused(redirecting.engine.download(redirecting.call()), 'upstream_error')
      assert.match(error.message, /not allowed/)
    }
  })

  /** Downloads from an address that a record holds; the system with the record is reached, for the file the rule holds. */
  async function fetchFrom(url: string): Promise<Download> {
    const guarded = createTransport({ ...defaultEngineSettings, allowPrivateNetwork: false })
    const open = createTransport({ ...defaultEngineSettings, allowPrivateNetwork: true })
    const system = await startScriptedSystem((_, __, response) => answerJson(response, { url }))
    try {
      return await downloadFile(
        {
          connector: drive,
          baseUrl: system.origin,
          credentials: fixedCredentials({ token: 'secret-token' }),
          transport: {
            send: (request) => (request.url.origin === system.origin ? open : guarded).send(request),
            close: async () => {},
          },
          limiter: createLimiter(defaultEngineSettings),
          settings: { ...defaultEngineSettings, clock: patientClock() },
          told: new Set(),
          signal: new AbortController().signal,
          endsAt: Number.POSITIVE_INFINITY,
        },
        drive.entities.files.download,
        { gid: '1' },
        { method: 'GET', path: '/files/1' },
      )
    } finally {
      await system.close()
      await guarded.close()
      await open.close()
    }
  }
})

describe('a file host that fails', () => {
  const cut = (response: ServerResponse, some: number): void => {
    response.writeHead(200, { 'content-length': bytes.length })
    response.flushHeaders()
    if (some > 0) response.write(bytes.subarray(0, some))
    setImmediate(() => response.destroy())
  }

  it('before the first byte is asked again', async () => {
    const { asked, engine, call } = await given((turn, request, response) =>
      turn < 2 ? cut(response, 0) : storage(turn, request, response),
    )
    assert.deepEqual(await contents((await engine.download(call())).body), bytes)
    assert.equal(asked.length, 3)
  })

  it('before the first byte every time is an error, not a file', async () => {
    const { asked, engine, call } = await given((_, __, response) => cut(response, 0))
    await refused(engine.download(call()), 'upstream_error')
    assert.equal(asked.length, 4)
  })

  it('after the first byte breaks the stream, so that a cut file cannot look whole', async () => {
    const { asked, engine, call } = await given((_, __, response) => cut(response, 10))
    const { body } = await engine.download(call())
    await assert.rejects(contents(body))
    assert.equal(asked.length, 1)
  })

  it('to begin in time is a timeout', async () => {
    const stalls: Host[] = [
      () => {},
      (_, __, response) => void response.writeHead(200, { 'content-length': '9' }).flushHeaders(),
    ]
    for (const stall of stalls) {
      const { engine, call } = await given(stall, { deadline: 100 })
      await refused(engine.download(call()), 'upstream_timeout')
    }
  })

  it('by falling silent before the first byte is asked again, and is a timeout in the end', async () => {
    const silence: Host = (_, __, response) => response.writeHead(200, { 'content-length': '9' }).flushHeaders()
    const { asked, engine, call } = await given(silence, { idleLimit: 50, retries: 1 })
    await refused(engine.download(call()), 'upstream_timeout')
    assert.equal(asked.length, 2)
  })

  it('by falling silent on the way breaks the stream at the idle limit, whatever the deadline', async () => {
    const { engine, call } = await given(
      (_, __, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write(bytes.subarray(0, 10))
      },
      { idleLimit: 100, deadline: 60_000 },
    )
    const { body } = await engine.download(call())
    await assert.rejects(contents(body), { code: 'UND_ERR_BODY_TIMEOUT' })
  })

  it('to be quick is no fault: the deadline ends with the first byte', async () => {
    const { engine, call } = await given(
      (_, __, response) => {
        response.writeHead(200, { 'content-length': '6' })
        let left = 6
        const drip = setInterval(() => {
          response.write('x')
          if (--left === 0) {
            clearInterval(drip)
            response.end()
          }
        }, 60)
      },
      { deadline: 200 },
    )
    assert.equal(String(await contents((await engine.download(call())).body)), 'xxxxxx')
  })
})

describe('a caller who goes away', () => {
  /** A host that sends without end, and a promise that it was told to stop. */
  const endless = () => {
    let stopped: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      stopped = resolve
    })
    const host: Host = (_, __, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write(bytes));
      }
      response.on('drain', more).on('close', () => stopped())
      more()
    }
    return { host, gone }
  }

  it('by destroying the body stops the host', async () => {
    const { host, gone } = endless()
    const { engine, call } = await given(host)
    const { body } = await engine.download(call())
    body.destroy()
    await gone
  })

  it('by leaving the loop over the body stops the host', async () => {
    const { host, gone } = endless()
    const { engine, call } = await given(host)
    for await (const _ of (await engine.download(call())).body) break
    await gone
  })

  it('by aborting stops the host, and the body ends with an error', async () => {
    const { host, gone } = endless()
    const { engine, call } = await given(host)
    const caller = new AbortController()
    const { body } = await engine.download(call({}, { signal: caller.signal }))
    const read = assert.rejects(contents(body))
    caller.abort()
    await gone
    await read
  })

  it('before the first byte stops the host too', async () => {
    let stopped: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      stopped = resolve
    })
    const caller = new AbortController()
    const { engine, call } = await given((_, __, response) => {
      response.on('close', () => stopped())
      caller.abort(new Error('the caller has gone'))
    })
    await assert.rejects(engine.download(call({}, { signal: caller.signal })), /the caller has gone/)
    await gone
  })
})
