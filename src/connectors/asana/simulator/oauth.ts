/** Who may call: personal tokens, and those of an application that a person allowed at the OAuth addresses. */
import {
  type Call,
  type Clock,
  clientFault,
  createConsentPage,
  createTokenEndpoint,
  createTokens,
  jsonReply,
  type Reply,
  readQuery,
  secretsOf,
  valuesOf,
} from '../../../kit/simulator.ts'
import { people, user } from './company.ts'
import { errorReply, messages } from './refusals.ts'
import type { World } from './world.ts'

export type Access = ReturnType<typeof createAccess>

export function createAccess(seed: number, clock: Clock, world: World) {
  const secret = secretsOf(seed, 'asana')
  const application = { client_id: `12${String(seed).padStart(14, '0')}`, client_secret: secret('client') }
  /** Tokens of an application are told apart. */
  const tokens = createTokens<{ readonly user: string; readonly oauth: boolean }>(clock, (kind, number, of) => {
    const end = secret(`${kind} ${number}`)
    if (kind === 'refresh') return `2/${of.user}/refresh:${end}`
    return of.oauth ? `1/${of.user}:${end}` : `2/${of.user}/12${secret(`app ${of.user}`, 14)}:${end}`
  })
  /** How refreshing behaves; changes on demand set it. */
  const settings = { rotates: false, seconds: 3600 }
  const gid = user(people.two)
  const { name, email } = world.find('user', gid)!
  const grant = { user: gid, oauth: true }
  const first = tokens.issue(grant, settings.seconds)
  const personal = (index: number) => ({ token: tokens.issue({ user: user(index), oauth: false }, null).accessToken })
  const consent = createConsentPage({ title: 'Asana', person: name, application, clock, separator: ' ', pkce: true })

  const token = createTokenEndpoint({
    ...{ consent, tokens, settings },
    // Each consent is a grant of its own.
    grant: () => ({ ...grant }),
    answer: ({ accessToken, refreshToken }, _, isNew) =>
      jsonReply(200, {
        ...{ access_token: accessToken, token_type: 'bearer', expires_in: settings.seconds },
        data: { id: gid, gid, name, email },
        ...((isNew || settings.rotates) && { refresh_token: refreshToken }),
      }),
    refuse(fault) {
      if (fault === 'client id' || fault === 'client secret') return wrongClient
      if (fault === 'refresh token') return wrongRefreshToken
      if (fault !== 'grant type') return refusal('invalid_grant', 'The `code` provided was invalid.')
      return refusal('unsupported_grant_type', 'The `grant_type` provided was not supported.')
    },
  })

  function revoke(form: ReadonlyMap<string, string>): Reply {
    if (clientFault(application, form) !== undefined) return wrongClient
    const given = form.get('token') ?? ''
    if (given.startsWith('1/')) return refusal('invalid_request', 'Only refresh tokens can be revoked.')
    tokens.revoke(given)
    return jsonReply(200, {})
  }

  return {
    ...{ tokens, settings, consent },
    credentials: [
      personal(people.one),
      { refresh_token: first.refreshToken ?? '', access_token: first.accessToken, ...application },
      personal(people.volunteer),
      personal(people.two),
    ] as readonly Readonly<Record<string, string>>[],
    answer(call: Call): Reply {
      const { method, path } = call
      if (path === '/-/oauth_authorize' && ['GET', 'POST'].includes(method)) return consent.answer(call)
      const answer = { '/-/oauth_token': token, '/-/oauth_revoke': revoke }[path]
      if (answer === undefined || method !== 'POST') return errorReply(404, messages.noRoute)
      return answer(valuesOf(readQuery(call.body)))
    },
  }
}

const refusal = (error: string, error_description: string): Reply =>
  jsonReply(400, { error, error_uri: 'https://developers.asana.com/docs/oauth', error_description })

const wrongClient = refusal('invalid_client', 'The client credentials were invalid.')
export const wrongRefreshToken = refusal('invalid_grant', 'The `refresh_token` provided was invalid.')
