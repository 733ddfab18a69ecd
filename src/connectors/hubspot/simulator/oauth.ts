/** The OAuth addresses: the consent page, and tokens, inspection and revocation in three versions ("Manage OAuth tokens"). */
import {
  type Call,
  type Clock,
  type ConsentPage,
  createConsentPage,
  decode,
  jsonReply,
  type Reply,
  readQuery,
  valuesOf,
} from '../../../kit/simulator.ts'
import type { Access, AccessToken, Grant } from './access.ts'
import { beyond, portal } from './portal.ts'
import { refused, tokenRefused } from './replies.ts'

export interface OAuth {
  readonly consent: ConsentPage
  /** Undefined if there is no such address. */
  answer(call: Call): Reply | undefined
}

type Form = ReadonlyMap<string, string>

export function createOAuth(access: Access, clock: Clock): OAuth {
  const { application, settings } = access
  const consent = createConsentPage({
    title: 'HubSpot',
    person: `${portal.user} (account ${portal.id})`,
    application,
    clock,
    separator: ' ',
    scopes: portal.scopes,
    pkce: false,
  })

  function wrongClient(form: Form): Reply | undefined {
    if (form.get('client_id') !== application.client_id)
      return tokenRefused('BAD_CLIENT_ID', 'invalid_client', 'missing or invalid client id')
    if (form.get('client_secret') !== application.client_secret)
      return tokenRefused('BAD_CLIENT_SECRET', 'invalid_client', 'missing or invalid client secret')
    return undefined
  }

  function token(form: Form, version: string): Reply {
    const wrong = wrongClient(form)
    if (wrong !== undefined) return wrong
    switch (form.get('grant_type')) {
      case 'refresh_token': {
        const grant = access.grant(form.get('refresh_token') ?? '')
        if (settings.hub === 'deleted') return tokenRefused('BAD_HUB', 'access_denied', 'the account is gone')
        if (grant === undefined || settings.hub === 'uninstalled')
          return tokenRefused('BAD_REFRESH_TOKEN', 'invalid_grant', 'missing or invalid refresh token')
        return issued(grant, version)
      }
      case 'authorization_code': {
        const given = consent.redeem(form.get('code') ?? '', form.get('redirect_uri') ?? '', undefined)
        if (given === 'other redirect_uri')
          return tokenRefused('BAD_REDIRECT_URI', 'invalid_request', 'redirect uri does not match the code')
        if (typeof given === 'string')
          return tokenRefused('BAD_AUTH_CODE', 'invalid_grant', 'missing or unknown auth code')
        const granted = given.scopes.filter((scope) => !beyond(settings.plan).includes(scope))
        return issued(access.consent(granted), version)
      }
      default:
        return tokenRefused('BAD_GRANT_TYPE', 'unsupported_grant_type', 'missing or unknown grant type')
    }
  }

  function issued(given: Grant, version: string): Reply {
    const { accessToken, grant } = access.issue(given)
    return jsonReply(200, {
      token_type: 'bearer',
      access_token: accessToken,
      refresh_token: grant.refreshToken,
      expires_in: settings.seconds,
      ...(version !== 'v1' && {
        hub_id: portal.id,
        user_id: portal.userId,
        scopes: grant.scopes,
        token_use: 'access_token',
      }),
    })
  }

  const about = (grant: Grant) => ({
    hub_id: portal.id,
    user_id: portal.userId,
    user: portal.user,
    hub_domain: portal.domain,
    scopes: grant.scopes,
    client_id: application.client_id,
  })

  const left = (token: AccessToken): number => Math.floor((token.ends - clock.now()) / 1000)

  function introspect(form: Form): Reply {
    const wrong = wrongClient(form)
    if (wrong !== undefined) return wrong
    const text = form.get('token') ?? ''
    const token = access.find(text)
    if (token !== undefined && left(token) > 0)
      return jsonReply(200, {
        active: true,
        token_use: 'access_token',
        token_type: 'bearer',
        ...about(token.grant),
        app_id: portal.appId,
        expires_in: left(token),
      })
    const grant = access.grant(text)
    if (grant !== undefined) return jsonReply(200, { active: true, token_use: 'refresh_token', ...about(grant) })
    return jsonReply(200, { active: false })
  }

  /** Version 1 has tokens in the path, and requires no application. */
  function inspect(kind: string, text: string): Reply {
    if (kind === 'refresh-tokens') {
      const grant = access.grant(text)
      if (grant === undefined) return refused(404, undefined, 'refresh token does not exist')
      return jsonReply(200, { token: text, token_type: 'refresh', ...about(grant) })
    }
    const token = access.find(text)
    if (token === undefined || left(token) <= 0)
      return refused(404, undefined, 'access token does not exist or expired')
    const more = { token: text, token_type: 'access', app_id: portal.appId, expires_in: left(token) }
    return jsonReply(200, { ...about(token.grant), ...more })
  }

  function revoke(form: Form): Reply {
    const wrong = wrongClient(form)
    if (wrong !== undefined) return wrong
    access.revoke(form.get('token') ?? '')
    return { status: 200, headers: {}, body: '' }
  }

  return {
    consent,
    answer(call) {
      if (call.path === '/oauth/authorize') return authorize(call)
      const [, version, rest = ''] = /^\/oauth\/(v1|v3|2026-03)\/(.+)$/.exec(call.path) ?? []
      if (version === undefined) return undefined
      const [, kind, text] = /^(access-tokens|refresh-tokens)\/([^/]+)$/.exec(rest) ?? []
      if (version === 'v1' && kind !== undefined) {
        if (call.method === 'GET') return inspect(kind, decode(text!))
        if (call.method !== 'DELETE' || kind !== 'refresh-tokens') return refused(405, undefined, 'wrong method')
        access.revoke(decode(text!))
        return { status: 204, headers: {}, body: '' }
      }
      const post: Readonly<Record<string, (form: Form) => Reply>> = {
        token: (form) => token(form, version),
        ...(version !== 'v1' && { 'token/introspect': introspect, 'token/revoke': revoke }),
      }
      const respond = Object.hasOwn(post, rest) ? post[rest] : undefined
      if (respond === undefined) return undefined
      if (call.method !== 'POST') return refused(405, undefined, 'wrong method')
      // Later versions read only the body.
      const sent = version === 'v1' ? [...readQuery(call.query), ...readQuery(call.body)] : readQuery(call.body)
      return respond(valuesOf(sent))
    },
  }

  /** A scope beyond the account's plan stops the page, unless it is optional. */
  function authorize(call: Call): Reply {
    const params = valuesOf(readQuery(call.method === 'POST' ? call.body : call.query))
    const never = (params.get('scope') ?? '').split(' ').filter((one) => beyond(settings.plan).includes(one))
    if (never.length > 0 && params.get('client_id') === application.client_id)
      return refused(400, 'MISSING_SCOPES', `The account cannot grant ${never.join(', ')}.`)
    return consent.answer(call)
  }
}
