/** Declared addresses of a simulated system: what each takes, who may call it, and how it answers. */
import type { Rows } from './collection.ts'
import type { CursorFault, Page, PageStyle } from './pages.ts'
import type { ArgsOf, ParamSet } from './params.ts'
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

/** The functions that declare routes over one world; `route` answers anything, `list` cuts records into pages. */
export function routesOver<World, Caller>() {
  type Told<P extends ParamSet> = Ask<World, Caller, ArgsOf<P>>

  const base = <P extends ParamSet>({ method = 'GET', params, ...rest }: Declared<World, Caller, P>) => ({
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

  function list<R, const P extends ParamSet = Record<never, never>>(
    declared: Declared<World, Caller, P> & {
      /** Records of the list, before its filters. Looks up what the params name, and throws refusals. */
      readonly rows: (ask: Told<P>) => Rows<R>
      /** Filters by the name of their param; one that is absent keeps everything. */
      readonly filters?: { readonly [N in keyof P]?: (record: R, ask: Told<P>) => boolean }
      /** What the caller may see of the rows. */
      readonly visible?: (record: R, ask: Told<P>) => boolean
      /** Drops records after the page is cut, as systems do that filter late. */
      readonly drop?: (record: R, ask: Told<P>) => boolean
      /** The page size in use for one that was asked for. */
      readonly size?: (asked: number, ask: Told<P>) => number
      readonly pages: PageStyle<R>
      readonly show: (record: R, ask: Told<P>) => unknown
      readonly body: (shown: readonly unknown[], page: Page<R>, ask: Told<P>) => unknown
    },
  ): Route<World, Caller> {
    const { rows, filters, visible, drop, size, pages, show, body } = declared
    return {
      ...base(declared),
      params: { ...declared.params, ...pages.params },
      answer(plain, refuseCursor) {
        const ask = plain as Told<P>
        const args = plain.args
        const active = Object.entries(filters ?? {}).filter(([name]) => args[name] !== undefined) as [
          string,
          (record: R, ask: Told<P>) => boolean,
        ][]
        const page = pages.cut(
          {
            rows: rows(ask),
            keep: (record) =>
              (visible === undefined || visible(record, ask)) && active.every(([, filter]) => filter(record, ask)),
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

  return { route, list }
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
