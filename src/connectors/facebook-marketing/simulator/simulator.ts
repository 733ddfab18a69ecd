/** The simulated Marketing API: Graph below `/v24.0` to `/v26.0`, with the token endpoints beside it. */
import {
  type Call,
  changesFrom,
  createApi,
  decode,
  jsonReply,
  type Reply,
  type Route,
  type RunningSystem,
  type SimulatedSystem,
  type Surroundings,
} from '../../../kit/simulator.ts'
import { createAccess, credentials } from './access.ts'
import type { Account } from './accounts.ts'
import { changesOf } from './changes.ts'
import { examples } from './examples.ts'
import type { Caller, Graph } from './graph.ts'
import { landmarks } from './landmarks.ts'
import { createConsent, tokenRoutes } from './oauth.ts'
import { errorReply, invalidParameter, refusalFor, unknownPath } from './replies.ts'
import { createReportRuns } from './report-runs.ts'
import { routes } from './routes.ts'
import { createUsage } from './usage.ts'
import { createWorld } from './world.ts'

export const facebookMarketingSimulator: SimulatedSystem = { kind: 'facebook-marketing', start }

const versions = ['v24.0', 'v25.0', 'v26.0']
const newest = 'v26.0'

function start(surroundings: Surroundings): RunningSystem {
  const { clock, seed, scale, origin } = surroundings
  const graph: Graph = {
    ...createWorld(seed, scale, clock.now),
    origin,
    runs: createReportRuns(),
    settings: { weight: 20_000, shortPages: false },
  }
  const access = createAccess()
  const consent = createConsent(clock)
  const use = createUsage(clock, surroundings.callsPerMinute)

  /** The account of a path; null for paths about the person. */
  function accountAt(path: string): Account | null {
    const first = path.split('/')[1] ?? ''
    if (first.startsWith('act_')) return graph.account(first.slice('act_'.length)) ?? null
    return graph.find(first)?.account ?? graph.runs.find(first)?.query.account ?? null
  }

  const api = (prefix: string, routes: readonly Route<Graph, Caller>[]) =>
    createApi<Graph, Caller>({
      world: graph,
      clock,
      prefix,
      routes,
      caller(call) {
        const path = decode(call.path.slice(prefix.length))
        const { scopes } = access.caller(call, path)
        return { scopes, usage: use(accountAt(path), path.endsWith('/insights') ? 'ads_insights' : 'ads_management') }
      },
      refusals: {
        noRoute: ({ path }) => errorReply(unknownPath(decode(path.slice(prefix.length)))),
        wrongMethod: ({ method }) =>
          errorReply({
            code: 100,
            type: 'GraphMethodException',
            message: `Unsupported ${method.toLowerCase()} request.`,
          }),
        unreadableBody: () => errorReply(invalidParameter('Invalid JSON for postbody')),
        param: ({ name, fault }) => errorReply(invalidParameter(fault ?? `Param ${name} must be an array.`)),
      },
      reply: (value, { caller }) => jsonReply(200, value, caller?.usage),
    })

  const byVersion = new Map(versions.map((version) => [version, api(`/${version}`, routes)]))
  const tokens = api('', tokenRoutes(access, consent))

  function handle(call: Call): Reply {
    const { version, path } = split(call)
    // Codes and tokens are exchanged below every version, and below none.
    if (path === '/dialog/oauth') return consent.answer(call)
    if (path === '/oauth/access_token' || path === '/debug_token') return tokens({ ...call, path })
    return byVersion.get(version)?.(call) ?? errorReply(deprecated)
  }

  return {
    baseUrl: `${origin}/${newest}`,
    credentials,
    consent,
    landmarks,
    examples,
    tour: {
      list: { entity: 'campaigns', columns: ['id', 'name', 'objective', 'effective_status'] },
      search: {
        entity: 'campaigns',
        params: {
          query: {
            filter: { and: [{ eq: { effective_status: 'ACTIVE' } }, { fuzzy: { name: 'sleep bag' } }] },
            sort: [{ updated_time: 'desc' }],
          },
          limit: 5,
        },
        columns: ['id', 'name', 'updated_time'],
      },
    },
    handle: (call) => withGraphHeaders(call, handle(call)),
    refusal: (status, call) => withGraphHeaders(call, refusalFor(status)),
    ...changesFrom(changesOf(graph, access)),
  }
}

const deprecated = {
  code: 2635,
  message: `(#2635) You are calling a deprecated version of the Ads API. Please update to the latest version: ${newest}.`,
}

/** The version that a path begins with, empty if it has none, and the rest of the path. */
function split({ path }: Call): { version: string; path: string } {
  const [version = ''] = /(?<=^\/)v\d{1,3}\.0(?=\/|$)/.exec(path) ?? []
  return { version, path: version === '' ? path : path.slice(version.length + 1) }
}

/** The headers that Graph sends with every answer, with the version that serves the call. */
function withGraphHeaders(call: Call, reply: Reply): Reply {
  const { version } = split(call)
  const served = version === '' ? newest : (versions.find((one) => one >= version) ?? newest)
  const headers = {
    'cache-control': 'private, no-cache, no-store, must-revalidate',
    'facebook-api-version': served,
    'x-fb-request-id': 'AConexSimulatedRequest1',
    'x-fb-trace-id': 'EconexTrace',
    'x-fb-rev': '1031246688',
    vary: 'Origin, Accept-Encoding',
    ...reply.headers,
  }
  return { ...reply, headers }
}
