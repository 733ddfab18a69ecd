/** Declared addresses of a simulated system: what each takes, who may call it, and how it answers. */
import type { Rows } from './collection.ts'
import type { CursorFault, Page, PageStyle } from './pages.ts'
import type { ArgsOf, Param, ParamSet } from './params.ts'
import type { Call, Reply } from './system.ts'

/** What an answer is made from. */
export interface Ask<World, Caller, Args = Readonly<Record<string, unknown>>> {
  readonly world: World
  readonly caller: Caller
  /** The params, checked. */
  readonly args: Args
  /** The values of the placeholders in the path, without percent-encoding. */
  readonly path: Readonly<Record<string, string>>
  readonly call: Call
  /** Milliseconds since 1970 by the simulators' clock. */
  readonly now: number
}

export interface Route<World, Caller> {
  /** Several for systems that take a read in more than one way. */
  readonly methods: readonly string[]
  /** Below the prefix of the system; `{name}` is one segment. */
  readonly path: string
  readonly params: ParamSet
  /** Scopes of which the caller needs one; none if absent. */
  readonly scopes?: readonly string[]
  /** The name of the limit that its calls count for. */
  readonly limit?: string
  /** Whether it answers without a caller. */
  readonly open?: boolean
  /** Checks after the scope, and before the params. */
  readonly admit?: (ask: Ask<World, Caller>) => void
  /** The answer: a value for the system's usual form, or a whole reply. */
  readonly answer: (ask: Ask<World, Caller>, refuseCursor: (fault: CursorFault) => never) => unknown
}

export interface Declared<World, Caller, P extends ParamSet>
  extends Omit<Route<World, Caller>, 'methods' | 'params' | 'answer'> {
  readonly method?: string | readonly string[]
  readonly params?: P
}

/** A param that narrows a list, and the records that it keeps; without the param, the list keeps all. */
export interface Filter<R, Asked, T = unknown> {
  readonly param: Param<T>
  readonly keeps: (record: R, value: T, ask: Asked) => boolean
}

/** The values of a list's filters. */
type Filtered<V> = { readonly [N in keyof V]?: V[N] | undefined }

/**
 * The functions that declare routes over one world: `route` answers anything, `list` cuts records into pages, and `filter`
 * narrows a list. `methods` are those of routes that name none.
 */
export function routesOver<World, Caller>({ methods = ['GET'] }: { readonly methods?: readonly string[] } = {}) {
  type Told<P extends ParamSet> = Ask<World, Caller, ArgsOf<P>>
  type Listed<P extends ParamSet, V> = Ask<World, Caller, ArgsOf<P> & Filtered<V>>

  const base = <P extends ParamSet>({ method = methods, params, ...rest }: Declared<World, Caller, P>) => ({
    ...rest,
    methods: typeof method === 'string' ? [method] : method,
    params: params ?? {},
  })

  function route<const P extends ParamSet = Record<never, never>>(
    declared: Declared<World, Caller, P> & { readonly answer: (ask: Told<P>) => unknown },
  ): Route<World, Caller> {
    const { answer } = declared
    return { ...base(declared), answer: (ask) => answer(ask as Told<P>) }
  }

  function filter<R, T>(
    param: Param<T>,
    keeps: (record: R, value: T, ask: Ask<World, Caller>) => boolean,
  ): Filter<R, Ask<World, Caller>, T> {
    return { param, keeps }
  }

  function list<R, const P extends ParamSet = Record<never, never>, V = Record<never, never>>(
    declared: Declared<World, Caller, P> & {
      /** Records of the list, before its filters. Looks up what the params name, and throws refusals. */
      readonly rows: (ask: Listed<P, V>) => Rows<R>
      readonly filters?: { readonly [N in keyof V]: Filter<R, Ask<World, Caller>, V[N]> }
      /** What the caller may see of the rows. */
      readonly visible?: (record: R, ask: Listed<P, V>) => boolean
      /** Drops records after the page is cut, as systems do that filter late. */
      readonly drop?: (record: R, ask: Listed<P, V>) => boolean
      /** The page size in use for one that was asked for. */
      readonly size?: (asked: number, ask: Listed<P, V>) => number
      readonly pages: PageStyle<R>
      readonly show: (record: R, ask: Listed<P, V>) => unknown
      readonly body: (shown: readonly unknown[], page: Page<R>, ask: Listed<P, V>) => unknown
    },
  ): Route<World, Caller> {
    const { rows, filters = {}, visible, drop, size, pages, show, body } = declared
    const narrowing = Object.entries<Filter<R, Ask<World, Caller>>>(filters)
    return {
      ...base(declared),
      params: {
        ...declared.params,
        ...Object.fromEntries(narrowing.map(([name, { param }]) => [name, param])),
        ...pages.params,
      },
      answer(plain, refuseCursor) {
        const ask = plain as Listed<P, V>
        const args = plain.args
        const active = narrowing.filter(([name]) => args[name] !== undefined)
        const page = pages.cut(
          {
            rows: rows(ask),
            keep: (record) =>
              (visible === undefined || visible(record, ask)) &&
              active.every(([name, { keeps }]) => keeps(record, args[name], plain)),
            now: plain.now,
            ...(drop && { drop: (record: R) => drop(record, ask) }),
            ...(size && { size: (asked: number) => size(asked, ask) }),
          },
          args,
          [declared.path, plain.path, Object.entries(args).filter(([name]) => !Object.hasOwn(pages.params, name))],
          refuseCursor,
        )
        return body(
          page.records.map((record) => show(record, ask)),
          page,
          ask,
        )
      },
    }
  }

  return { route, list, filter }
}

/** Whether a route answered with a whole reply. */
export const isReply = (value: unknown): value is Reply =>
  typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'body' in value

export interface FoundRoute<World, Caller> {
  readonly route: Route<World, Caller>
  /** The values of the placeholders, percent-encoding untouched. */
  readonly values: Readonly<Record<string, string>>
}

/** Finds the route of a method and path; segments of words win over placeholders, whatever their method. */
export function routeFinder<World, Caller>(
  routes: readonly Route<World, Caller>[],
): (method: string, path: string) => FoundRoute<World, Caller> | 'wrong method' | null {
  const known = routes.map((route) => ({ route, segments: route.path.split('/') }))
  return (method, path) => {
    const given = path.split('/')
    let best: FoundRoute<World, Caller> | 'wrong method' | null = null
    let fewest = Number.POSITIVE_INFINITY
    for (const { route, segments } of known) {
      const values = match(segments, given)
      if (values === null) continue
      const placeholders = Object.keys(values).length
      if (placeholders > fewest) continue
      if (placeholders < fewest) best = 'wrong method'
      fewest = placeholders
      if (route.methods.includes(method)) best = { route, values }
    }
    return best
  }
}

function match(segments: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (segments.length !== given.length) return null
  const values: Record<string, string> = {}
  for (const [i, segment] of segments.entries()) {
    const value = given[i] as string
    if (!segment.startsWith('{')) {
      if (segment !== value) return null
    } else {
      if (value === '') return null
      values[segment.slice(1, -1)] = value
    }
  }
  return values
}
