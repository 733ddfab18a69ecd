/** The OAuth addresses: consent, codes, refresh, revocation. */
import {
  type Call,
  type Clock,
  type ConsentPage,
  createConsentPage,
  jsonReply,
  type Reply,
  readQuery,
  valuesOf,
} from '../../../kit/simulator.ts'
import type { Access } from './access.ts'
import { gidOf } from './gids.ts'
import { people } from './organization.ts'
import { errorReply, messages } from './refusals.ts'
import type { World } from './world.ts'

export interface OAuth {
  answer(call: Call): Reply
  readonly consent: ConsentPage
}

export function createOAuth(access: Access, world: World, clock: Clock): OAuth {
  const person = gidOf('user', people.two)
  const consent = createConsentPage({
    title: 'Asana',
    person: world.find('user', person)?.name ?? person,
    application: { client_id: access.client.id, client_secret: access.client.secret },
    clock,
    separator: ' ',
    pkce: true,
  })

  function token(form: Map<string, string>): Reply {
    if (form.get('client_id') !== access.client.id || form.get('client_secret') !== access.client.secret) {
      return refusal('invalid_client', 'The client credentials were invalid.')
    }
    if (form.get('grant_type') === 'refresh_token') {
      const grant = access.grant(form.get('refresh_token') ?? '')
      if (grant === undefined) return refusal('invalid_grant', 'The `refresh_token` provided was invalid.')
      const { accessToken, refreshToken } = access.refresh(grant)
      return tokens(grant.user, accessToken, refreshToken)
    }
    if (form.get('grant_type') !== 'authorization_code') {
      return refusal('unsupported_grant_type', 'The `grant_type` provided was not supported.')
    }
    const given = consent.redeem(form.get('code') ?? '', form.get('redirect_uri') ?? '', form.get('code_verifier'))
    if (typeof given === 'string') return refusal('invalid_grant', 'The `code` provided was invalid.')
    const { accessToken, refreshToken } = access.consent(person)
    return tokens(person, accessToken, refreshToken)
  }

  function tokens(user: string, accessToken: string, refreshToken: string | undefined): Reply {
    const person = world.find('user', user)
    return jsonReply(200, {
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: access.settings.seconds,
      data: { id: user, gid: user, name: person?.name, email: person?.email },
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    })
  }

  function revoke(form: Map<string, string>): Reply {
    if (form.get('client_id') !== access.client.id || form.get('client_secret') !== access.client.secret) {
      return refusal('invalid_client', 'The client credentials were invalid.')
    }
    const token = form.get('token') ?? ''
    if (token.startsWith('1/')) return refusal('invalid_request', 'Only refresh tokens can be revoked.')
    access.revoke(token)
    return jsonReply(200, {})
  }

  return {
    answer(call) {
      if (call.path === '/-/oauth_authorize' && ['GET', 'POST'].includes(call.method)) return consent.answer(call)
      if (call.method === 'POST') {
        const form = valuesOf(readQuery(call.body))
        if (call.path === '/-/oauth_token') return token(form)
        if (call.path === '/-/oauth_revoke') return revoke(form)
      }
      return errorReply(404, messages.noRoute)
    },
    consent,
  }
}

/** OAuth addresses refuse in OAuth's form. */
export function refusal(error: string, description: string): Reply {
  return jsonReply(400, {
    error,
    error_uri: 'https://developers.asana.com/docs/oauth',
    error_description: description,
  })
}
