/** Faults on demand: the calls that each affects, how often it applies, and which are active. */
import { type Effect, effects } from './fault-effects.ts'
import type { Call, HostName } from './system.ts'

/** What a test asks for: a matcher, and the effect on every call that matches. */
export interface Fault {
  /** Only calls of this system; absent: of any. */
  readonly kind?: string
  readonly method?: string
  /** Part of the path below the kind's prefix; with `$` at the end, the path must end there. */
  readonly path?: string
  /** Part of the query string as received. */
  readonly query?: string
  readonly host?: HostName
  /** How many matching calls pass first (default 0). */
  readonly skip?: number
  /** How many matching calls are affected (default 1); null or "always" means all. */
  readonly times?: number | null | 'always'
  readonly effect: Effect
}

export interface ActiveFault {
  readonly id: number
  readonly fault: Fault
  /** Calls that still pass. */
  skip: number
  /** Calls that are still to be affected. */
  left: number
  applied: number
}

export interface Faults {
  /** Activates a fault; throws an `Error` that says what is wrong with it. */
  add(fault: Fault): ActiveFault
  /** Removes one fault, or all of them. */
  clear(id?: number): void
  readonly active: readonly ActiveFault[]
  /** The effect for this call, if any: from the oldest active fault that matches it. */
  effectOn(kind: string, call: Call): Effect | undefined
}

export function createFaults(): Faults {
  let active: ActiveFault[] = []
  let lastId = 0
  return {
    get active() {
      return active
    },
    add(fault) {
      check(fault)
      lastId += 1
      const times = fault.times === undefined ? 1 : fault.times
      const left = times === null || times === 'always' ? Number.POSITIVE_INFINITY : times
      const added = { id: lastId, fault, skip: fault.skip ?? 0, left, applied: 0 }
      active = [...active, added]
      return added
    },
    clear(id) {
      active = id === undefined ? [] : active.filter((fault) => fault.id !== id)
    },
    effectOn(kind, call) {
      for (const candidate of active) {
        if (candidate.left === 0 || !matches(candidate.fault, kind, call)) continue
        if (candidate.skip > 0) {
          candidate.skip -= 1
          continue
        }
        candidate.left -= 1
        candidate.applied += 1
        return candidate.fault.effect
      }
      return undefined
    },
  }
}

function matches(fault: Fault, kind: string, call: Call): boolean {
  if (fault.kind !== undefined && fault.kind !== kind) return false
  if (fault.host !== undefined && fault.host !== call.host) return false
  if (fault.method !== undefined && fault.method.toUpperCase() !== call.method) return false
  if (fault.query !== undefined && !call.query.includes(fault.query)) return false
  if (fault.path === undefined) return true
  return fault.path.endsWith('$') ? call.path.endsWith(fault.path.slice(0, -1)) : call.path.includes(fault.path)
}

const matcherFields = new Set(['kind', 'method', 'path', 'query', 'host', 'skip', 'times', 'effect'])

/** Refuses a fault that could never apply, or not as meant: a misspelled fault must not make a test pass. */
function check(fault: Fault): void {
  for (const name of Object.keys(fault)) {
    if (!matcherFields.has(name))
      throw new Error(`A fault has no field "${name}"; it has ${[...matcherFields].join(', ')}.`)
  }
  const effect = fault.effect as Effect | undefined
  const known = effect === undefined ? undefined : effects[effect.type]
  if (effect === undefined || known === undefined) {
    throw new Error(`A fault needs an effect whose type is one of ${Object.keys(effects).join(', ')}.`)
  }
  for (const name of Object.keys(effect)) {
    if (name !== 'type' && name !== 'delay_ms' && name !== 'headers' && !(name in known.fields)) {
      throw new Error(`The effect "${effect.type}" has no field "${name}".`)
    }
  }
  // Such a header could not be sent, and would crash the simulators.
  const sent = { ...effect.headers, value: effect.value, location: effect.location }
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value === 'string' && /[\x00-\x08\x0a-\x1f\x7f]/.test(value))
      throw new Error(`No header can carry the control characters in "${name}".`)
  }
}
