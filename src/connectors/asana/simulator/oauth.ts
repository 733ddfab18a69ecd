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
import { people } from './company.ts'
import { gidOf } from './gids.ts'
import { errorReply, messages } from './refusals.ts'
import type { World } from './world.ts'

export const refusal = (error: string, description: string): Reply =>
  jsonReply(400, { error, error_uri: 'https://developers.asana.com/docs/oauth', error_description: description })

export function createOAuth(access: Access, world: World, clock: Clock) {
  const { application, settings } = access
  const person = gidOf('user', people.two)
  const consent = createConsentPage({
    title: 'Asana',
    person: world.find('user', person)?.name ?? person,
    application,
    clock,
    separator: ' ',
    pkce: true,
  })

  function token(form: ReadonlyMap<string, string>): Reply {
    switch (form.get('grant_type')) {
      case 'refresh_token': {
        const renewed = access.refresh(form.get('refresh_token') ?? '', settings.seconds, settings.rotates)
        if (renewed === undefined) return refusal('invalid_grant', 'The `refresh_token` provided was invalid.')
        return tokens(renewed.grant.user, renewed.accessToken, settings.rotates ? renewed.refreshToken : null)
      }
      case 'authorization_code': {
        const given = consent.redeem(form.get('code') ?? '', form.get('redirect_uri') ?? '', form.get('code_verifier'))
        if (typeof given === 'string') return refusal('invalid_grant', 'The `code` provided was invalid.')
        const { accessToken, refreshToken } = access.consent(person)
        return tokens(person, accessToken, refreshToken)
      }
      default:
        return refusal('unsupported_grant_type', 'The `grant_type` provided was not supported.')
    }
  }

  /** Only a new grant, or one whose refresh tokens rotate, shows a refresh token. */
  function tokens(user: string, accessToken: string, refreshToken: string | null): Reply {
    const owner = world.find('user', user)
    return jsonReply(200, {
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: settings.seconds,
      data: { id: user, gid: user, name: owner?.name, email: owner?.email },
      ...(refreshToken !== null && { refresh_token: refreshToken }),
    })
  }

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
