/** The OAuth addresses: consent, codes, refresh, revocation. They refuse in OAuth's form. */
import {
  type Call,
  type Clock,
  createConsentPage,
  jsonReply,
  type Reply,
  readQuery,
  valuesOf,
} from '../../../kit/simulator.ts'
import type { Access } from './access.ts'
import { people, user } from './company.ts'
import { errorReply, messages } from './refusals.ts'
import type { World } from './world.ts'

export const refusal = (error: string, error_description: string): Reply =>
  jsonReply(400, { error, error_uri: 'https://developers.asana.com/docs/oauth', error_description })

export function createOAuth(access: Access, world: World, clock: Clock) {
  const { application, settings } = access
  const gid = user(people.two)
  const owner = world.find('user', gid)
  const person = owner?.name ?? gid
  const consent = createConsentPage({ title: 'Asana', person, application, clock, separator: ' ', pkce: true })

  function token(form: ReadonlyMap<string, string>): Reply {
    const sent = (name: string) => form.get(name) ?? ''
    if (sent('grant_type') === 'refresh_token') {
      const { seconds, rotates } = settings
      const renewed = access.refresh(sent('refresh_token'), seconds, rotates)
      if (renewed === undefined) return refusal('invalid_grant', 'The `refresh_token` provided was invalid.')
      return tokens(renewed.accessToken, rotates ? renewed.refreshToken : null)
    }
    if (sent('grant_type') !== 'authorization_code')
      return refusal('unsupported_grant_type', 'The `grant_type` provided was not supported.')
    const given = consent.redeem(sent('code'), sent('redirect_uri'), form.get('code_verifier'))
    if (typeof given === 'string') return refusal('invalid_grant', 'The `code` provided was invalid.')
    const { accessToken, refreshToken } = access.consent(gid)
    return tokens(accessToken, refreshToken)
  }

  /** Only a new grant, or one whose refresh tokens rotate, shows a refresh token. */
  const tokens = (access_token: string, refresh_token: string | null): Reply =>
    jsonReply(200, {
      ...{ access_token, token_type: 'bearer', expires_in: settings.seconds },
      data: { id: gid, gid, name: owner?.name, email: owner?.email },
      ...(refresh_token !== null && { refresh_token }),
    })

  function revoke(form: ReadonlyMap<string, string>): Reply {
    const given = form.get('token') ?? ''
    if (given.startsWith('1/')) return refusal('invalid_request', 'Only refresh tokens can be revoked.')
    access.revoke(given)
    return jsonReply(200, {})
  }

  return {
    consent,
    answer(call: Call): Reply {
      const { method, path } = call
      if (path === '/-/oauth_authorize' && ['GET', 'POST'].includes(method)) return consent.answer(call)
      const answer = { '/-/oauth_token': token, '/-/oauth_revoke': revoke }[path]
      if (answer === undefined || method !== 'POST') return errorReply(404, messages.noRoute)
      const form = valuesOf(readQuery(call.body))
      const isKnown = Object.entries(application).every(([name, value]) => form.get(name) === value)
      return isKnown ? answer(form) : refusal('invalid_client', 'The client credentials were invalid.')
    },
  }
}
