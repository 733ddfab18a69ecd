/** The simulated Slack: identity and tokens below `/api`, the consent page below `/oauth`. Its records come later. */
import {
  type Call,
  type Reply,
  type RunningSystem,
  readQuery,
  type SimulatedSystem,
  type Surroundings,
  valuesOf,
} from '../../../kit/simulator.ts'
import { type Access, createAccess, type Token } from './access.ts'
import { changeHelp, makeChange } from './changes.ts'
import { createOAuth } from './oauth.ts'
import { failed, fine, refusalFor } from './replies.ts'
import { team } from './team.ts'

export const slackSimulator: SimulatedSystem = { kind: 'slack', start }

function start({ seed, clock, origin }: Surroundings): RunningSystem {
  const access = createAccess(seed, clock)
  const oauth = createOAuth(access, clock)

  function answer(call: Call): Reply {
    if (call.path === '/oauth/v2/authorize') return oauth.consent.answer(call)
    const method = /^\/api\/([A-Za-z0-9.]+)$/.exec(call.path)?.[1]
    if (method === undefined)
      return { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>Not found</html>' }
    const args = valuesOf(readQuery(call.method === 'POST' ? call.body : call.query))
    if (method === 'oauth.v2.access') return oauth.access(call, args)
    const respond = methods[method]
    if (respond === undefined) return failed('unknown_method', { req_method: method })
    const sent = bearerToken(call) ?? (call.method === 'POST' ? args.get('token') : undefined)
    const token = access.find(sent)
    return typeof token === 'string' ? failed(token) : respond(access, sent!, token)
  }

  return {
    baseUrl: `${origin}/api`,
    credentials: access.credentials,
    consent: oauth.consent,
    landmarks: { team: team.id, user: team.userId, bot: team.botId },
    // Its records come later.
    examples: {},
    tour: { replication_config: { start_date: '2025-01-01T00:00:00Z', lookback_window: 7, join_channels: false } },
    handle: answer,
    refusal: refusalFor,
    changes: changeHelp,
    change: (change) => makeChange(access, change),
  }
}

type Respond = (access: Access, sent: string, token: Token) => Reply

const methods: Readonly<Record<string, Respond>> = {
  'auth.test': (access, _sent, token) => {
    const { kind, scopes } = token
    const left = access.left(token)
    return fine(
      {
        url: team.url,
        team: team.name,
        team_id: team.id,
        ...(kind === 'bot'
          ? { user: team.botName, user_id: team.botUserId, bot_id: team.botId }
          : { user: team.userName, user_id: team.userId }),
        is_enterprise_install: false,
        ...(left !== null && { expires_in: left }),
      },
      { 'x-oauth-scopes': scopes.join(',') },
    )
  },
  'auth.revoke': (access, sent) => {
    access.revoke(sent)
    return fine({ revoked: true })
  },
}

function bearerToken({ headers }: Call): string | undefined {
  return headers.authorization?.startsWith('Bearer ') ? headers.authorization.slice(7) : undefined
}
