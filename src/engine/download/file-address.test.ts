import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { describe, it } from 'node:test'
import type { Download } from '../call/call.ts'
import { bytes, contents, drive, driveWith, storage } from '../drive.suite.ts'
import { createAnswerMemory } from '../http/answer-memory.ts'
import { createTransport } from '../http/transport.ts'
import { createLimiter } from '../limits/limiter.ts'
import { closeAfterTests, refusal } from '../scripted-engine.suite.ts'
import { answerJson, fixedCredentials, patientClock, startScriptedSystem } from '../scripted-system.suite.ts'
import { defaultEngineSettings } from '../settings.ts'
import { downloadFile } from './download.ts'

describe('a file address', () => {
  for (const status of [400, 401, 403])
    it(`that is answered ${status} is asked for again, once`, async () => {
      const { system, asked, engine, call } = await driveWith((turn, request, response) => {
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
    const { system, asked, engine, call } = await driveWith((_, __, response) =>
      response.writeHead(403).end('<Error>secret of the host</Error>'),
    )
    const error = await refusal(engine.download(call()), 'upstream_error')
    assert.ok(!JSON.stringify([error.message, error.upstream]).includes('secret of the host'))
    assert.deepEqual([system.requests.length, asked.length], [2, 2])
  })

  it('may lead on to another host, which sees no credentials either', async () => {
    const other = await driveWith(storage)
    const { engine, call } = await driveWith((_, __, response) =>
      response.writeHead(302, { location: `${other.origin}/there` }).end(),
    )
    assert.deepEqual(await contents((await engine.download(call())).body), bytes)
    assert.equal(other.asked[0]!.url, '/there')
    assert.equal(other.asked[0]!.headers.authorization, undefined)
  })

  it('that leads on without end is given up', async () => {
    const { asked, engine, call } = await driveWith((_, __, response) =>
      response.writeHead(302, { location: '/again' }).end(),
    )
    await refusal(engine.download(call()), 'upstream_error')
    assert.ok(asked.length <= 6)
  })

  it('that leads on to no address is an answer of no use', async () => {
    for (const headers of [{}, { location: '' }, { location: 'http://[' }, { location: ['/one', '/two'] }]) {
      const { asked, engine, call } = await driveWith((_, __, response) =>
        response.writeHead(302, headers as OutgoingHttpHeaders).end(),
      )
      await refusal(engine.download(call()), 'upstream_invalid_response')
      assert.equal(asked.length, 1)
    }
  })

  it('that is gone is told', async () => {
    for (const status of [404, 410]) {
      const { engine, call } = await driveWith((_, __, response) => response.writeHead(status).end())
      await refusal(engine.download(call()), 'file_unavailable')
    }
  })

  it('whose host is busy is asked again, and a long wait is handed to the caller', async () => {
    const { asked, clock, engine, call } = await driveWith((turn, request, response) =>
      turn < 2
        ? void response.writeHead(turn === 0 ? 503 : 429, { 'retry-after': '2' }).end()
        : storage(turn, request, response),
    )
    await contents((await engine.download(call())).body)
    assert.deepEqual([asked.length, clock.slept], [3, [2000, 2000]])
    const busy = await driveWith((_, __, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
    assert.equal((await refusal(busy.engine.download(busy.call()), 'upstream_rate_limited')).retryAfter, 3600)
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
    closeAfterTests(() => new Promise((resolve) => trap.close(() => resolve())))
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
      const error = await refusal(fetchFrom(url), 'upstream_error')
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
      const redirecting = await driveWith((_, __, response) => response.writeHead(302, { location }).end())
      const error = await refusal(redirecting.engine.download(redirecting.call()), 'upstream_error')
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
            send: (request) => open.send(request),
            open: (request, idleLimit) => guarded.open(request, idleLimit),
            close: async () => {},
          },
          limiter: createLimiter(defaultEngineSettings),
          settings: { ...defaultEngineSettings, clock: patientClock() },
          room: createAnswerMemory(2 ** 20)(),
          told: new Set(),
          signal: new AbortController().signal,
          endsAt: Number.POSITIVE_INFINITY,
        },
        { operation: drive.entities.files.download, params: { gid: '1' } },
      )
    } finally {
      await system.close()
      await guarded.close()
      await open.close()
    }
  }
})
