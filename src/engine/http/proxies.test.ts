import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, isIP, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { ConexError } from '../../errors.ts'
import { bytes, contents, driveWith, storage } from '../drive.suite.ts'
import { closeAfterTests, refusal } from '../scripted-engine.suite.ts'
import { answerJson } from '../scripted-system.suite.ts'
import { orders, shopBy } from '../shop.suite.ts'
import { type Proxies, proxiesOf } from './proxies.ts'

/** A proxy that leads wherever it is asked to, or answers with a status, and remembers where. */
async function startProxy(status = 200) {
  const tunnels: { to: string; headers: IncomingMessage['headers'] }[] = []
  const sockets = new Set<Socket>()
  const server = createServer()
  server.on('connection', (socket) => sockets.add(socket))
  server.on('connect', ({ url, headers }: IncomingMessage, socket: Socket) => {
    tunnels.push({ to: url!, headers })
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const [, host, port] = /^(.*):(\d+)$/.exec(url!)!
    const onward = connect(Number(port), host === '127.0.0.1' ? host : '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    for (const [end, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(end)
      end.on('error', () => other.resetAndDestroy()).on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAfterTests(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { address, tunnels, through: (except = ''): Proxies => ({ https: address, http: address, except }) }
}

describe('through a proxy', () => {
  it('go calls and files, with the credentials of the system inside the tunnel and those of the proxy outside', async () => {
    const { through, tunnels } = await startProxy()
    const proxies = through()
    const named = { ...proxies, http: proxies.http.replace('//', '//user:pass%3Aword@') }
    const { system, asked, engine, call } = await driveWith(storage, { proxies: named })
    assert.deepEqual(await contents((await engine.download(call())).body), bytes)
    assert.deepEqual(
      tunnels.map(({ to }) => to).sort(),
      [system.requests, asked].map(([one]) => one!.headers.host).sort(),
    )
    for (const { headers } of tunnels) {
      assert.equal(headers.authorization, undefined)
      assert.equal(headers['proxy-authorization'], `Basic ${Buffer.from('user:pass:word').toString('base64')}`)
    }
    assert.equal(system.requests[0]!.headers.authorization, 'Bearer secret-token')
    assert.equal(system.requests[0]!.headers['proxy-authorization'], undefined)
  })

  it('nothing goes to what NO_PROXY lists', async () => {
    const { through, tunnels } = await startProxy()
    for (const except of ['127.0.0.1', 'example.com, 127.0.0.1', '*']) {
      const { engine, call } = await driveWith(storage, { proxies: through(except) })
      assert.deepEqual(await contents((await engine.download(call())).body), bytes)
    }
    assert.equal(tunnels.length, 0)
  })

  it('a reset on the way is no end of a file', async () => {
    const { through } = await startProxy()
    const { engine, call } = await driveWith(
      (_, __, response) => {
        // Neither a length nor chunks: the end of the connection is the end of the file.
        response.useChunkedEncodingByDefault = false
        response.writeHead(200, { connection: 'close' })
        response.write(bytes)
        setTimeout(() => response.socket!.resetAndDestroy(), 50)
      },
      { proxies: through(), retries: 0 },
    )
    await assert.rejects(engine.download(call()).then(({ body }) => contents(body)))
  })

  it('no private address is asked for, written out or behind a name that is known here', async () => {
    const { through, tunnels } = await startProxy()
    const known: Record<string, readonly string[]> = {
      'inside.example': ['10.0.0.1'],
      'both.example': ['93.184.216.34', '10.0.0.1'],
      'outside.example': ['93.184.216.34'],
    }
    const { engine, call } = await shopBy((_, __, response) => answerJson(response, orders([])), {
      allowPrivateNetwork: false,
      retries: 0,
      proxies: through(),
      network: {
        resolve: (name, _, callback) =>
          known[name] === undefined
            ? callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), [])
            : callback(
                null,
                known[name].map((address) => ({ address, family: isIP(address) })),
              ),
        open: () => () => assert.fail('went directly'),
      },
    })
    const ask = (baseUrl: string) => engine.execute(call('orders', 'list', { 'shop-id': '1' }, { baseUrl }))
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', 'inside.example', 'both.example']) {
      const error = await refusal(ask(`https://${host}:1`), 'upstream_error')
      assert.match(error.message, /not allowed|not public/, host)
    }
    assert.equal(tunnels.length, 0)
    // What only the proxy knows is for the proxy to judge. Nothing answers at that port.
    for (const host of ['outside.example', 'unknown.example']) await refusal(ask(`https://${host}:1`), 'upstream_error')
    assert.deepEqual(
      tunnels.map(({ to }) => to),
      ['outside.example:1', 'unknown.example:1'],
    )
  })

  it('that refuses, or is not there, nothing goes, and a sentence says so without its address', async () => {
    const gone = await startProxy()
    for (const [proxies, why] of [
      [(await startProxy(407)).through(), /proxy did not lead to it/],
      [(await startProxy(403)).through(), /proxy did not lead to it/],
      [{ ...gone.through(), http: 'http://user:secret@127.0.0.1:1' }, /ECONNREFUSED/],
    ] as const) {
      const { system, engine, call } = await shopBy((_, __, response) => answerJson(response, orders([])), {
        proxies,
        retries: 0,
      })
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })), 'upstream_error')
      assert.match(error.message, why)
      assert.doesNotMatch(error.message, /secret|127\.0/)
      assert.equal(system.requests.length, 0)
    }
  })
})

describe('the proxies of an environment', () => {
  it('are those of Conex’s own variable, else those that all programs know', () => {
    const [a, b] = ['http://a:1/', 'http://b:2/']
    for (const [env, expected] of [
      [{}, null],
      [{ HTTPS_PROXY: ' ', NO_PROXY: 'x' }, null],
      [{ HTTPS_PROXY: 'http://a:1' }, { https: a, http: '', except: '' }],
      [
        { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:2' },
        { https: a, http: '', except: '' },
      ],
      [{ HTTP_PROXY: 'a:1' }, { https: a, http: a, except: '' }],
      [
        { HTTPS_PROXY: 'http://a:1', http_proxy: 'http://b:2', no_proxy: '.c' },
        { https: a, http: b, except: '.c' },
      ],
      [
        { CONEX_UPSTREAM_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:2', NO_PROXY: 'c' },
        { https: a, http: a, except: 'c' },
      ],
      [{ CONEX_UPSTREAM_PROXY: 'None', HTTPS_PROXY: 'http://b:2' }, null],
    ] as const)
      assert.deepEqual(proxiesOf(env), expected)
  })

  it('that are none are refused by the name of the variable, without the value', () => {
    for (const name of ['CONEX_UPSTREAM_PROXY', 'HTTPS_PROXY', 'http_proxy'])
      for (const value of ['socks5://user:secret@a:1', 'http://', 'http://secret:x:y'])
        assert.throws(
          () => proxiesOf({ [name]: value }),
          (error) =>
            error instanceof ConexError && error.message.startsWith(`${name} must`) && !/secret/.test(error.message),
        )
  })
})
