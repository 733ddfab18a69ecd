/** Serves the simulated systems on one port, and their files on another. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createClock } from './clock.ts'
import { answerControl, isControl } from './control.ts'
import { effects } from './fault-effects.ts'
import { createFaultedCall } from './faulted-call.ts'
import { type ActiveFault, createFaults, type Fault } from './faults.ts'
import { type Listener, listen } from './listener.ts'
import { makeChange } from './make-change.ts'
import { createRequestLog, type RecordedRequest } from './requests.ts'
import { send } from './send.ts'
import type {
  Application,
  Call,
  Change,
  Examples,
  HostName,
  Reply,
  RunningSystem,
  SimulatedSystem,
  Tour,
} from './system.ts'

export interface SimulatorOptions {
  readonly host?: string
  /** 0, the default, chooses a free port. */
  readonly port?: number
  readonly filesPort?: number
  readonly seed?: number
  /** Roughly the number of records of the main kind: 10 to 1,000,000, default 2,000. */
  readonly scale?: number
  readonly now?: () => number
  /** Replaces every limit on calls per minute; null lifts all limits, including those on concurrent calls. */
  readonly callsPerMinute?: number | null
}

/** The machine-readable description of a system. */
export interface SystemDescription {
  readonly base_url: string
  readonly credentials: readonly Readonly<Record<string, string>>[]
  /** The application that asks for consent. */
  readonly application?: Application
}

export interface RunningSimulators {
  readonly origin: string
  readonly filesOrigin: string
  describe(): Record<string, SystemDescription>
  /** Names and gids of the records that are the same whatever the seed and the scale. */
  landmarks(kind: string): Readonly<Record<string, string>>
  /** For every operation of a system, params that find something. */
  examples(kind: string): Examples
  /** The first things to show of a system. */
  tour(kind: string): Tour
  readonly faults: {
    add(fault: Fault): ActiveFault
    clear(id?: number): void
    readonly active: readonly ActiveFault[]
  }
  /** Makes a change in a system, as `POST /_changes` does. */
  change(kind: string, change: Change): Record<string, unknown>
  /** At least the last 10,000 requests, oldest first, without those to the control addresses. */
  readonly requests: readonly RecordedRequest[]
  clearRequests(): void
  /** Moves the simulators' clock forward. */
  advance(ms: number): void
  readonly connections: {
    open(host?: HostName): number
    /** Answers that have begun and not yet ended. */
    running(host?: HostName): number
    bytesSent(host?: HostName): number
  }
  close(): Promise<void>
}

export async function startSimulators(
  systems: readonly SimulatedSystem[],
  options: SimulatorOptions = {},
): Promise<RunningSimulators> {
  const clock = createClock(options.now)
  const log = createRequestLog()
  const faults = createFaults()
  const running = new Map<string, RunningSystem>()
  const host = options.host ?? '127.0.0.1'
  const listeners = {} as Record<HostName, Listener>

  const receive = (hostName: HostName) => (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      dispatch(hostName, request, response, '')
      return
    }
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => dispatch(hostName, request, response, Buffer.concat(pieces).toString('utf8')))
  }

  function dispatch(hostName: HostName, request: IncomingMessage, response: ServerResponse, body: string): void {
    const target = request.url ?? '/'
    const question = target.indexOf('?')
    const path = question < 0 ? target : target.slice(0, question)
    const query = question < 0 ? '' : target.slice(question + 1)
    const method = request.method ?? 'GET'
    if (hostName === 'api' && isControl(path)) {
      send(answerControl({ method, path, query, body }, { faults, running, clock }), response)
      return
    }
    const origin = listeners[hostName].origin
    const entry: RecordedRequest = {
      host: hostName,
      origin,
      method,
      path,
      query,
      headers: request.headers,
      body,
      at: clock.now(),
      status: null,
    }
    log.add(entry)
    const slash = path.indexOf('/', 1)
    const kind = slash < 0 ? path.slice(1) : path.slice(1, slash)
    const system = running.get(kind)
    const call: Call = {
      host: hostName,
      method,
      path: slash < 0 ? '/' : path.slice(slash),
      query,
      headers: request.headers,
      body,
      onEnd: (action) => response.once('close', action),
    }
    const handle = (one: Call): Reply => (system === undefined ? nowhere(running) : guarded(system, one))
    const effect = faults.effectOn(kind, call)
    if (effect === undefined) {
      const reply = handle(call)
      entry.status = reply.status
      send(reply, response)
      return
    }
    const faulted = createFaultedCall({
      call,
      response,
      headers: effect.headers,
      target,
      origins: { api: listeners.api.origin, files: listeners.files.origin },
      wall: clock.wall,
      handle,
      refusal: (status) => (system === undefined ? nowhere(running) : system.refusal(status, call)),
      answered: (status) => {
        entry.status = status
      },
    })
    if (effect.delay_ms === undefined) {
      effects[effect.type].apply(effect, faulted)
      return
    }
    const timer = setTimeout(() => effects[effect.type].apply(effect, faulted), effect.delay_ms)
    response.once('close', () => clearTimeout(timer))
  }

  listeners.api = await listen(receive('api'), host, options.port ?? 0)
  listeners.files = await listen(receive('files'), host, options.filesPort ?? 0)
  for (const system of systems) {
    const surroundings = {
      seed: options.seed ?? 1,
      scale: options.scale ?? 2000,
      clock,
      origin: `${listeners.api.origin}/${system.kind}`,
      filesOrigin: `${listeners.files.origin}/${system.kind}`,
      ...(options.callsPerMinute === undefined ? {} : { callsPerMinute: options.callsPerMinute }),
    }
    running.set(system.kind, system.start(surroundings))
  }

  const over = (host: HostName | undefined, count: (listener: Listener) => number) =>
    host === undefined ? count(listeners.api) + count(listeners.files) : count(listeners[host])
  return {
    origin: listeners.api.origin,
    filesOrigin: listeners.files.origin,
    describe: () => describe(running),
    landmarks: (kind) => systemOf(running, kind).landmarks,
    examples: (kind) => systemOf(running, kind).examples,
    tour: (kind) => systemOf(running, kind).tour,
    faults,
    change: (kind, change) => makeChange(systemOf(running, kind), change),
    requests: log.entries,
    clearRequests: log.clear,
    advance: clock.advance,
    connections: {
      open: (host) => over(host, (listener) => listener.openSockets()),
      running: (host) => over(host, (listener) => listener.running()),
      bytesSent: (host) => over(host, (listener) => listener.bytesSent()),
    },
    close: async () => {
      await Promise.all([listeners.api.close(), listeners.files.close()])
    },
  }
}

export function describe(running: ReadonlyMap<string, RunningSystem>): Record<string, SystemDescription> {
  const all: Record<string, SystemDescription> = {}
  for (const [kind, { baseUrl, credentials, consent }] of running)
    all[kind] = { base_url: baseUrl, credentials, ...(consent && { application: consent.application }) }
  return all
}

/** A defect in a simulated system becomes an answer that shows it, and does not stop the others. */
function guarded(system: RunningSystem, call: Call): Reply {
  try {
    return system.handle(call)
  } catch (error) {
    const body = `The simulated system failed: ${(error as Error).stack}\n`
    return { status: 500, headers: { 'content-type': 'text/plain' }, body }
  }
}

function systemOf(running: ReadonlyMap<string, RunningSystem>, kind: string): RunningSystem {
  const system = running.get(kind)
  if (system === undefined) throw new Error(`There is no simulated system "${kind}".`)
  return system
}

function nowhere(running: ReadonlyMap<string, RunningSystem>): Reply {
  const kinds = [...running.keys()].map((kind) => `/${kind}/`).join(', ')
  return { status: 404, headers: { 'content-type': 'text/plain' }, body: `Nothing is simulated here; try ${kinds}.\n` }
}
