/** Declared params of a simulated call, and how each value is checked before the call is answered. */

export interface Param<T = unknown, R extends boolean = boolean> {
  /** The value as the route gets it; undefined for one that the system refuses. */
  readonly read: (given: unknown) => T | undefined
  readonly required: R
  /** The system's own word for a wrong value. */
  readonly fault?: string
}

export type ParamSet = Readonly<Record<string, Param>>

/** The checked values of a route's params. */
export type ArgsOf<P extends ParamSet> = {
  readonly [K in keyof P]: P[K] extends Param<infer T, infer R> ? (true extends R ? T : T | undefined) : never
}

/** What is wrong with a call's params; the system words it. */
export interface ParamFault {
  readonly name: string
  readonly problem: 'missing' | 'invalid' | 'unknown'
  readonly value: unknown
  /** Of the declaration. */
  readonly fault?: string
}

interface Wording {
  readonly fault?: string
}

/** A param from a function that reads its value. */
export const custom = <T>(read: (given: unknown) => T | undefined, { fault }: Wording = {}): Param<T, false> => ({
  read,
  required: false,
  ...(fault !== undefined && { fault }),
})

export const required = <T>(given: Param<T>): Param<T, true> => ({ ...given, required: true })

export const text = ({ pattern, ...wording }: Wording & { readonly pattern?: RegExp } = {}): Param<string, false> =>
  custom(
    (given) => (typeof given === 'string' && (pattern === undefined || pattern.test(given)) ? given : undefined),
    wording,
  )

/** A whole number, in a query or in JSON. */
export const integer = ({
  least = Number.MIN_SAFE_INTEGER,
  most = Number.MAX_SAFE_INTEGER,
  ...wording
}: Wording & { readonly least?: number; readonly most?: number } = {}): Param<number, false> =>
  custom((given) => {
    const number = typeof given === 'string' && /^-?\d{1,15}$/.test(given) ? Number(given) : given
    return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most
      ? number
      : undefined
  }, wording)

export const boolean = (wording: Wording = {}): Param<boolean, false> =>
  custom((given) => {
    if (given === true || given === 'true' || given === '1') return true
    return given === false || given === 'false' || given === '0' ? false : undefined
  }, wording)

export const word = <const W extends string>(words: readonly W[], wording: Wording = {}): Param<W, false> =>
  custom((given) => words.find((one) => one === given), wording)

/** A date, `2026-02-28`, that the calendar has: JavaScript would turn 30 February into a day of March. */
export const isDate = (given: unknown): given is string => {
  if (typeof given !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(given)) return false
  const midnight = Date.parse(`${given}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(given)
}

/** Words with a separator between them, or as a list in JSON; without `of`, any words. */
export const words = <const W extends string = string>({
  of,
  separator = ',',
  most = Number.POSITIVE_INFINITY,
  ...wording
}: Wording & { readonly of?: readonly W[]; readonly separator?: string; readonly most?: number } = {}): Param<
  readonly W[],
  false
> =>
  custom((given) => {
    const found = typeof given === 'string' ? given.split(separator) : given
    if (!Array.isArray(found) || found.length > most) return undefined
    return found.every(
      (one) => typeof one === 'string' && (of === undefined || (of as readonly string[]).includes(one)),
    )
      ? (found as W[])
      : undefined
  }, wording)

/** A value of a JSON body, with its own check. */
export const json = <T = unknown>(check?: (given: unknown) => T | undefined, wording: Wording = {}): Param<T, false> =>
  custom(check ?? ((given) => given as T), wording)

/**
 * An object in a JSON body, with params of its own; unknown names in it are ignored, and a fault is
 * told by its path: `filter.ids`.
 */
export const object = <const P extends ParamSet>(params: P, wording: Wording = {}): Param<ArgsOf<P>, false> =>
  custom((given) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
    return readArgs(params, new Map(Object.entries(given)), (fault) => {
      throw new InnerFault(fault)
    })
  }, wording)

/** A fault inside of an object, on its way to the call's own params. */
class InnerFault extends Error {
  readonly fault: ParamFault

  constructor(fault: ParamFault) {
    super(`${fault.name} is ${fault.problem}`)
    this.fault = fault
  }
}

function readInside(declared: Param, value: unknown): unknown {
  try {
    return declared.read(value)
  } catch (error) {
    if (error instanceof InnerFault) return error
    throw error
  }
}

/** Checks all given values; `refuse` throws. Unknown names are ignored unless the system refuses them. */
export function readArgs<P extends ParamSet>(
  params: P,
  given: ReadonlyMap<string, unknown>,
  refuse: (fault: ParamFault) => never,
  { unknown = 'ignored', blank = 'value' }: ArgRules = {},
): ArgsOf<P> {
  const args: Record<string, unknown> = {}
  for (const [name, declared] of Object.entries(params)) {
    const value = given.get(name)
    const fault = declared.fault === undefined ? {} : { fault: declared.fault }
    if (value === undefined || value === null || (value === '' && blank === 'absent')) {
      if (declared.required) refuse({ name, problem: 'missing', value, ...fault })
      continue
    }
    const read = readInside(declared, value)
    if (read instanceof InnerFault) refuse({ ...read.fault, name: `${name}.${read.fault.name}` })
    args[name] = read ?? refuse({ name, problem: 'invalid', value, ...fault })
  }
  if (unknown === 'refused')
    for (const [name, value] of given) if (!Object.hasOwn(params, name)) refuse({ name, problem: 'unknown', value })
  return args as ArgsOf<P>
}

/** How a system takes params in general. */
export interface ArgRules {
  readonly unknown?: 'ignored' | 'refused'
  /** Whether a blank text is a value, or the same as none. */
  readonly blank?: 'value' | 'absent'
}
