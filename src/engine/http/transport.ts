/** Sends one HTTP request to a third-party system, within the egress rules and the caller's deadline. */
import type { buildConnector, Dispatcher } from 'undici'
import type { EngineSettings } from '../settings.ts'
import { checkAddress, guardedConnector, guardedTunnel, spoken } from './egress.ts'
import type { HttpRequest, OpenedAnswer, Transport } from './messages.ts'
import { faultOf } from './transport-fault.ts'
import { wholeAnswer } from './whole-answer.ts'

export function createTransport(settings: EngineSettings): Transport {
  let opened: Promise<Connections> | undefined

  async function open(
    { method, url, headers, body, signal }: HttpRequest,
    of: keyof Connections,
    bodyTimeout: number,
  ): Promise<OpenedAnswer> {
    checkAddress(url, settings.allowPrivateNetwork)
    opened ??= openConnections(settings)
    const connections = (await opened)[of]
    signal.throwIfAborted()
    try {
      const target = { origin: url.origin, path: url.pathname + url.search }
      const answer = await connections.request({ ...target, method, headers, body: body ?? null, signal, bodyTimeout })
      // A stream without listeners must not crash the process.
      answer.body.on('error', ignore)
      return { status: answer.statusCode, headers: answer.headers, body: answer.body }
    } catch (error) {
      throw signal.aborted ? signal.reason : faultOf(error)
    }
  }

  return {
    send: async (request) =>
      wholeAnswer(await open(request, 'calls', 0), { largest: settings.largestAnswer, ...request }),

    open: (request, idleLimit) => open(request, 'files', idleLimit),

    close: async () => {
      const connections = await opened
      await Promise.all([connections?.calls.destroy(), connections?.files.destroy()])
    },
  }
}

/** Files have their own connections: a slow reader keeps one for as long as it likes, and calls would wait for it. */
interface Connections {
  readonly calls: Dispatcher
  readonly files: Dispatcher
}

/**
 * Loads the HTTP client on the first request, because loading it takes longer than loading the rest of the engine.
 * Imports it by its file: under the bare name, Bun has its own version, without the connect step that guards the
 * targets of requests.
 */
async function openConnections(settings: EngineSettings): Promise<Connections> {
  const { Agent, EnvHttpProxyAgent, Pool, buildConnector } = await import('undici/index.js')
  const { allowPrivateNetwork, connections, network, proxies } = settings
  const connect = guardedConnector(network?.open ?? buildConnector, allowPrivateNetwork, network?.resolve)
  const options = {
    connect,
    // The deadline of the operation governs headers and JSON bodies; an idle limit governs running downloads.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 64 * 1024,
  }
  // The number of concurrent files is bounded per connector and end user instead.
  if (proxies === null) return { calls: new Agent({ ...options, connections }), files: new Agent(options) }
  const proxied = {
    ...options,
    httpsProxy: proxies.https,
    httpProxy: proxies.http,
    noProxy: proxies.except,
    proxyTunnel: true,
    proxyTls: spoken,
    requestTls: spoken,
    // Creates the connections to systems, through a tunnel or directly.
    factory: (origin: string | URL, given: object): Dispatcher => {
      const open = (given as { connect: buildConnector.connector }).connect
      return new Pool(origin, {
        ...given,
        connect: open === connect ? open : guardedTunnel(open, allowPrivateNetwork, network?.resolve),
      })
    },
    // Creates those to the proxy, which may take as long to answer as a system may to connect.
    clientFactory: (origin: URL, given: object): Dispatcher =>
      new Pool(origin, { ...given, headersTimeout: spoken.timeout }),
  }
  return { calls: new EnvHttpProxyAgent({ ...proxied, connections }), files: new EnvHttpProxyAgent(proxied) }
}

const ignore = (): void => {}
