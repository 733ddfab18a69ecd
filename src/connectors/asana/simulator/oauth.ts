/** The OAuth addresses: consent (given at once), codes, refreshing, revoking. */
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../../simulator/clock.ts'
import { readQuery, valuesOf } from '../../../simulator/query.ts'
import { jsonReply } from '../../../simulator/send.ts'
import type { Call, Reply } from '../../../simulator/system.ts'
import type { Access } from './access.ts'
import { gidOf } from './gids.ts'
import { people } from './organization.ts'
import { errorReply, messages } from './refusals.ts'
import type { World } from './world.ts'

const codeLife = 600_000

interface Code {
  readonly redirectUri: string
  readonly challenge: string | undefined
  readonly expires: number
}

export type OAuth = (call: Call) => Reply

export function createOAuth(access: Access, world: World, clock: Clock): OAuth {
  const codes = new Map<string, Code>()

  /** A person who always agrees, unless the address carries `simulate=refuse`. */
  function authorize(call: Call): Reply {
    const params = valuesOf(readQuery(call.query))
    const redirectUri = params.get('redirect_uri') ?? ''
    if (params.get('client_id') !== access.client.id || !/^https?:\/\/./.test(redirectUri)) {
      const body = 'The client_id or redirect_uri is not known.\n'
      return { status: 400, headers: { 'content-type': 'text/plain' }, body }
    }
    const back = new URL(redirectUri)
    const state = params.get('state')
    if (params.get('response_type') !== 'code') back.searchParams.set('error', 'unsupported_response_type')
    else if (params.get('simulate') === 'refuse') back.searchParams.set('error', 'access_denied')
    else {
      const code = randomBytes(24).toString('base64url')
      codes.set(code, { redirectUri, challenge: params.get('code_challenge'), expires: clock.now() + codeLife })
      back.searchParams.set('code', code)
    }
    if (state !== undefined) back.searchParams.set('state', state)
    return { status: 302, headers: { location: back.href }, body: '' }
  }

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
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proven = code?.challenge === undefined || challengeOf(form.get('code_verifier') ?? '') === code.challenge
    if (code === undefined || !proven || code.redirectUri !== form.get('redirect_uri') || clock.now() > code.expires) {
      return refusal('invalid_grant', 'The `code` provided was invalid.')
    }
    const user = gidOf('user', people.two)
    const { accessToken, refreshToken } = access.consent(user)
    return tokens(user, accessToken, refreshToken)
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

  return (call) => {
    if (call.method === 'GET' && call.path === '/-/oauth_authorize') return authorize(call)
    if (call.method === 'POST') {
      const form = valuesOf(readQuery(call.body))
      if (call.path === '/-/oauth_token') return token(form)
      if (call.path === '/-/oauth_revoke') return revoke(form)
    }
    return errorReply(404, messages.noRoute)
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

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
