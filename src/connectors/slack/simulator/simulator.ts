/** The simulated Slack: methods below `/api`, the consent page below `/oauth`, bytes of files on the file host. */
import {
  argumentsOf,
  bearerOf,
  type Call,
  changesFrom,
  createApi,
  type Reply,
  type RunningSystem,
  readQuery,
  type SimulatedSystem,
  type Surroundings,
  valuesOf,
} from '../../../kit/simulator.ts'
import { type Caller, createAccess } from './access.ts'
import { changesOf } from './changes.ts'
import { at } from './channels.ts'
import type { Workspace } from './declare.ts'
import { examples } from './examples.ts'
import { answerFile } from './file-host.ts'
import { archive } from './files.ts'
import { said } from './messages.ts'
import { createOAuth } from './oauth.ts'
import { supportGroup } from './people.ts'
import { failed, fine, limited, refusalFor } from './replies.ts'
import { routes } from './routes.ts'
import { team } from './team.ts'
import { createWorld } from './world.ts'

export const slackSimulator: SimulatedSystem = { kind: 'slack', start }

const prefix = '/api/'

/** Calls a minute of each method, for each workspace and application ("Rate limits"). */
const tiers = {
  tier1: { calls: 1, seconds: 60 },
  tier2: { calls: 20, seconds: 60 },
  tier3: { calls: 50, seconds: 60 },
  tier4: { calls: 100, seconds: 60 },
}

const readingMessages: readonly string[] = ['conversations.history', 'conversations.replies']

function start(surroundings: Surroundings): RunningSystem {
  const { seed, clock, origin, callsPerMinute } = surroundings
  const access = createAccess(seed, clock)
  const oauth = createOAuth(access, clock)
  const world: Workspace = { ...createWorld(surroundings), access }

  const api = createApi<Workspace, Caller>({
    world,
    clock,
    prefix,
    routes,
    callsPerMinute,
    args: { blank: 'absent' },
    caller(call) {
      const inForm = call.method === 'POST' ? argumentsOf({ ...call, query: '' })?.get('token') : undefined
      const found = access.find(bearerOf(call) ?? (typeof inForm === 'string' ? inForm : undefined))
      return typeof found === 'string' ? failed(found) : found
    },
    scopesOf: ({ scopes }) => scopes,
    limits: tiers,
    limitOf(_, { path, limit }) {
      if (limit === undefined) return null
      const isRestricted = world.settings.restricted && readingMessages.includes(path)
      return { name: isRestricted ? 'tier1' : limit, key: path }
    },
    refusals: {
      noRoute: ({ path }) => failed('unknown_method', { req_method: path.slice(prefix.length) }),
      wrongMethod: () => failed('invalid_post_type'),
      unreadableBody: () => failed('invalid_json'),
      scope: (needed, { scopes }) => failed('missing_scope', { needed: needed.join(','), provided: scopes.join(',') }),
      limited,
      param: ({ name, problem, fault }) => {
        const messages = [`[ERROR] ${problem === 'missing' ? 'missing required field' : 'invalid value'}: ${name}`]
        return failed(fault ?? 'invalid_arguments', { response_metadata: { messages } })
      },
      cursor: () => failed('invalid_cursor'),
    },
    reply: (value, { caller }, { scopes }) =>
      fine(value as Record<string, unknown>, {
        'x-oauth-scopes': caller.scopes.join(','),
        ...(scopes !== undefined && { 'x-accepted-oauth-scopes': scopes.join(',') }),
      }),
  })

  function handle(call: Call): Reply {
    if (call.host === 'files') return answerFile(call, world, access)
    if (call.path === '/oauth/v2/authorize') return oauth.consent.answer(call)
    if (!/^\/api\/[A-Za-z0-9.]+$/.test(call.path))
      return { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>Not found</html>' }
    if (call.path !== `${prefix}oauth.v2.access`) return api(call)
    return oauth.access(call, valuesOf(readQuery(call.method === 'POST' ? call.body : call.query)))
  }

  return {
    baseUrl: `${origin}/api`,
    credentials: access.credentials,
    consent: oauth.consent,
    landmarks: {
      team: team.id,
      user: team.userId,
      bot: team.botId,
      usergroup: supportGroup,
      ...at,
      ...said,
      ...Object.fromEntries(Object.entries(archive).map(([name, id]) => [`file_${name}`, id])),
    },
    examples,
    tour: {
      list: { entity: 'channels', columns: ['id', 'name', 'num_members', 'is_archived'] },
      download: { entity: 'files' },
      // Slack takes so few calls for messages that their copy fills slowly.
      search: {
        entity: 'users',
        params: { query: { filter: { eq: { deleted: false, is_bot: false } }, sort: [{ name: 'asc' }] }, limit: 5 },
        columns: ['id', 'name', 'real_name'],
      },
      replication_config: { start_date: '2025-01-01T00:00:00Z', lookback_window: 7, join_channels: false },
    },
    handle,
    refusal: refusalFor,
    ...changesFrom(changesOf(world, access, clock)),
  }
}
