/** The simulated Gong: its interface below `/v2` and `/company-17/v2`, OAuth below `/oauth2`, recordings on the file host. */
import {
  type Call,
  orRefusal,
  type Reply,
  type RunningSystem,
  readQuery,
  SimulatedRefusal,
  type SimulatedSystem,
  type Surroundings,
  valuesOf,
} from '../../../kit/simulator.ts'
import { createAccess } from './access.ts'
import { createLimits } from './call-limits.ts'
import { changeHelp, createChanges } from './changes.ts'
import { createCompany } from './company.ts'
import { examplesAt } from './examples.ts'
import { jsonBody } from './inputs.ts'
import { landmarksOf } from './landmarks.ts'
import { answerMedia } from './media-host.ts'
import { createOAuth } from './oauth.ts'
import { createPages } from './pages.ts'
import { answerReply, errorReply, messages, refusalFor, refuse, scopeMissing } from './replies.ts'
import { findRoute } from './routes.ts'
import { createState } from './state.ts'
import { company as profile } from './vocabulary.ts'

export const gongSimulator: SimulatedSystem = { kind: 'gong', start }

/** The company's own host, as a path: grants work only below it. */
const companyPrefix = `/company-${profile.number}`

function start({ seed, scale, clock, origin, filesOrigin, callsPerMinute }: Surroundings): RunningSystem {
  const state = createState(callsPerMinute === null)
  if (typeof callsPerMinute === 'number') state.settings.callsPerSecond = callsPerMinute / 60
  const { settings } = state
  const company = createCompany(seed, scale, state, clock.now())
  const access = createAccess(seed, clock, state)
  const oauth = createOAuth(access, state, clock, `${origin}${companyPrefix}`)
  const pages = createPages(seed, clock.now)
  const take = createLimits(clock, settings)
  const landmarks = landmarksOf(company.calls, company.people)

  /** Checks the caller first, then the scope, then the limit, and only then reads the request. */
  function admit(call: Call, ofCompany: boolean, scope: string): void {
    const caller = access.caller(call.headers.authorization)
    if (caller === undefined) refuse(401, messages.unauthorized)
    if (settings.inactive) refuse(401, messages.inactive)
    if (caller === 'grant' && !ofCompany) refuse(401, messages.wrongHost)
    if (caller === 'key' && settings.wrongAddress) refuse(403, messages.wrongAddress)
    need(scope)
    const wait = take()
    if (wait !== null)
      throw new SimulatedRefusal(errorReply(429, messages.limited, { 'retry-after': String(wait) }), messages.limited)
  }

  function need(scope: string): void {
    if (settings.missingScopes.includes(scope)) refuse(401, scopeMissing(scope))
  }

  function answer(call: Call): Reply {
    const ofCompany = call.path.startsWith(`${companyPrefix}/`)
    const path = ofCompany ? call.path.slice(companyPrefix.length) : call.path
    const found = path.startsWith('/v2/') ? findRoute(path.slice('/v2/'.length)) : undefined
    if (found === undefined) return errorReply(404, messages.noRoute)
    const { route, id } = found
    if (call.method !== route.method) return errorReply(405, messages.wrongMethod)
    admit(call, ofCompany, route.scope)
    if (route.method === 'POST' && !/^application\/json\b/i.test(call.headers['content-type'] ?? ''))
      return errorReply(415, messages.notJson)
    return answerReply(
      route.answer({
        company,
        pages,
        now: clock.now(),
        filesOrigin,
        id,
        query: route.method === 'GET' ? valuesOf(readQuery(call.query)) : new Map(),
        body: route.method === 'POST' ? jsonBody(call.body) : {},
        need,
      }),
    )
  }

  function handle(call: Call): Reply {
    if (call.host === 'files') return answerMedia(call, company.calls, clock.now())
    if (call.path.startsWith('/oauth2/')) return oauth.answer(call)
    return orRefusal(() => {
      const reply = answer(call)
      return settings.bareIds ? withBareIds(reply) : reply
    })
  }

  return {
    baseUrl: origin,
    credentials: access.credentials,
    consent: oauth.consent,
    landmarks,
    examples: examplesAt(landmarks, clock.now()),
    tour: {
      list: { entity: 'calls', columns: ['title', 'started', 'system'] },
      download: { entity: 'call_audio' },
      search: {
        entity: 'users',
        params: {
          query: { filter: { and: [{ eq: { active: true } }, { like: { title: '%manager%' } }] } },
          limit: 5,
        },
        columns: ['firstName', 'lastName', 'title'],
      },
    },
    handle,
    refusal: refusalFor,
    changes: changeHelp,
    change: createChanges(state, access),
  }
}

/** Long ids as bare numbers, everywhere. */
const withBareIds = (reply: Reply): Reply =>
  typeof reply.body === 'string' ? { ...reply, body: reply.body.replaceAll(/"(\d{18,19})"/g, '$1') } : reply
