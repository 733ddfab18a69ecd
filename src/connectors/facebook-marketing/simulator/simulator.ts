/** The simulated Marketing API: Graph below `/v24.0` to `/v26.0`, with the token endpoints beside it. */
import {
  type Call,
  decode,
  jsonReply,
  orRefusal,
  type Reply,
  type RunningSystem,
  type SimulatedSystem,
  type Surroundings,
} from '../../../kit/simulator.ts'
import { createAccess } from './access.ts'
import { changeHelp, makeChange } from './changes.ts'
import type { EdgeOptions } from './edges.ts'
import { examples } from './examples.ts'
import { landmarks } from './landmarks.ts'
import { createOAuth } from './oauth.ts'
import { readParams } from './params.ts'
import { refusalFor, refuse } from './replies.ts'
import { createReportRuns } from './report-runs.ts'
import { accountAt, answer } from './routes.ts'
import { createUsage } from './usage.ts'
import { createWorld } from './world.ts'

export const facebookMarketingSimulator: SimulatedSystem = { kind: 'facebook-marketing', start }

const newest = 26
const oldest = 24

function start(surroundings: Surroundings): RunningSystem {
  const { clock, seed, scale, origin } = surroundings
  const world = createWorld(seed, scale, clock.now)
  const access = createAccess()
  const oauth = createOAuth(access, clock)
  const runs = createReportRuns()
  const usage = createUsage(clock, surroundings.callsPerMinute)
  const options: EdgeOptions = { weight: 20_000, shortPages: false }

  function handle(call: Call): Reply {
    const { version, path } = split(call.path)
    const params = readParams(call)
    const now = clock.now()
    const granted = oauth.answer(path, params, call)
    if (granted !== null) return granted
    if (version === undefined || version < oldest || version > newest)
      refuse({
        code: 2635,
        message: `(#2635) You are calling a deprecated version of the Ads API. Please update to the latest version: v${newest}.0.`,
      })
    const token = access.caller(call.headers.authorization, params, path)
    if (call.method !== 'GET' && !(call.method === 'POST' && path.endsWith('/insights')))
      refuse({ code: 100, type: 'GraphMethodException', message: `Unsupported ${call.method.toLowerCase()} request.` })
    const used = usage.take(
      accountAt(path, { world, runs }),
      path.endsWith('/insights') ? 'ads_insights' : 'ads_management',
    )
    const address = `${origin}/v${version}.0${path}`
    const ask = { method: call.method, path, params, world, runs, options, scopes: token.scopes, now, address }
    return jsonReply(200, answer(ask), used)
  }

  return {
    baseUrl: `${origin}/v${newest}.0`,
    credentials: access.credentials,
    consent: oauth.consent,
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
    handle: (call) =>
      withGraphHeaders(
        call,
        orRefusal(() => handle(call)),
      ),
    refusal: (status, call) => withGraphHeaders(call, refusalFor(status)),
    changes: changeHelp,
    change: (change) => makeChange(change, { world, access, runs, options, now: clock.now }),
  }
}

/** The version of a path, undefined if it has none, and the rest of the path. */
function split(path: string): { version: number | undefined; path: string } {
  const match = /^\/v(\d{1,3})\.0(\/.*)?$/.exec(path)
  return match === null
    ? { version: undefined, path: decode(path) }
    : { version: Number(match[1]), path: decode(match[2] ?? '/') }
}

/** The headers that Graph sends with every answer. */
function withGraphHeaders(call: Call, reply: Reply): Reply {
  const { version = newest } = split(call.path)
  const headers = {
    'cache-control': 'private, no-cache, no-store, must-revalidate',
    'facebook-api-version': `v${Math.min(Math.max(version, oldest), newest)}.0`,
    'x-fb-request-id': 'AConexSimulatedRequest1',
    'x-fb-trace-id': 'EconexTrace',
    'x-fb-rev': '1031246688',
    vary: 'Origin, Accept-Encoding',
    ...reply.headers,
  }
  return { ...reply, headers }
}
