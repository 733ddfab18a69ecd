/** The simulators' own addresses: faults and changes on demand, each documented by the program itself. */
import type { Clock } from './clock.ts'
import { effects } from './fault-effects.ts'
import type { ActiveFault, Fault, Faults } from './faults.ts'
import { changesOf, makeChange } from './make-change.ts'
import { readQuery, valuesOf } from './query.ts'
import { jsonReply } from './send.ts'
import type { Change, Reply, RunningSystem } from './system.ts'

export interface ControlCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
}

export interface Controlled {
  readonly faults: Faults
  readonly running: ReadonlyMap<string, RunningSystem>
  readonly clock: Clock
}

const addresses = ['/', '/_faults', '/_changes']

export function isControl(path: string): boolean {
  return addresses.includes(path)
}

export function answerControl(call: ControlCall, controlled: Controlled): Reply {
  try {
    if (call.path === '/') return jsonReply(200, overview(controlled))
    if (call.path === '/_faults') return onFaults(call, controlled.faults)
    return onChanges(call, controlled)
  } catch (error) {
    return jsonReply(400, { error: (error as Error).message })
  }
}

function overview({ running }: Controlled): unknown {
  return Object.fromEntries(
    [...running].map(([kind, system]) => [
      kind,
      {
        base_url: system.baseUrl,
        credentials: system.credentials,
        application: system.consent?.application,
        landmarks: system.landmarks,
      },
    ]),
  )
}

function onFaults(call: ControlCall, faults: Faults): Reply {
  if (call.method === 'POST') return jsonReply(201, show(faults.add(readJson(call.body) as unknown as Fault)))
  if (call.method === 'DELETE') {
    const id = valuesOf(readQuery(call.query)).get('id')
    faults.clear(id === undefined ? undefined : Number(id))
    return jsonReply(200, { active: faults.active.map(show) })
  }
  return jsonReply(200, {
    fault: {
      kind: 'only calls of this system',
      method: 'only this method',
      path: "part of the path below the kind's prefix; with $ at the end, the path must end there",
      query: 'part of the query string as received',
      host: '"api" or "files"',
      skip: 'matching calls to let through first (0)',
      times: 'calls to affect (1); null or "always" for all',
      effect: 'one of the effects; each also takes delay_ms and headers ({date+N} is the HTTP date N seconds from now)',
    },
    effects: Object.entries(effects).map(([type, { does, fields, example }]) => ({ type, does, fields, example })),
    example: { kind: 'asana', path: '/tasks$', times: 2, effect: effects.status.example },
    active: faults.active.map(show),
  })
}

function show({ id, fault, skip, left, applied }: ActiveFault): unknown {
  return { id, ...fault, skip, left: Number.isFinite(left) ? left : 'always', applied }
}

function onChanges(call: ControlCall, { running, clock }: Controlled): Reply {
  if (call.method !== 'POST') {
    const advance = {
      change: 'advance',
      does: 'Puts the clock of all systems forward.',
      example: { change: 'advance', ms: 60_000 },
    }
    const kinds = [...running].map(([kind, system]) => [kind, changesOf(system)])
    return jsonReply(200, { all: [advance], ...Object.fromEntries(kinds) })
  }
  const { kind = [...running.keys()][0], ...change } = readJson(call.body) as { kind?: string } & Change
  if (change.change === 'advance') {
    clock.advance(Number(change.ms))
    return jsonReply(200, { now: new Date(clock.now()).toISOString() })
  }
  const system = running.get(kind ?? '')
  if (system === undefined) throw new Error(`There is no simulated system "${kind}".`)
  return jsonReply(200, makeChange(system, change))
}

function readJson(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('Send a JSON object.')
  return value as Record<string, unknown>
}
