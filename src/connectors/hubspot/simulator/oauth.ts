/** Grants and tokens, and the OAuth addresses: consent, tokens, inspection and revocation in three versions ("Manage OAuth tokens"). */
import {
  type Call,
  type Clock,
  clientFault,
  createConsentPage,
  createTokenEndpoint,
  createTokens,
  decode,
  jsonReply,
  type Reply,
  readQuery,
  secretsOf,
  type TokenFault,
  valuesOf,
} from '../../../kit/simulator.ts'
import { beyond, type Plan, portal } from './portal.ts'
import { refused, tokenRefused } from './replies.ts'

export interface Grant {
  readonly scopes: readonly string[]
}

type Form = ReadonlyMap<string, string>

export type Access = ReturnType<typeof createAccess>

export function createAccess(seed: number, clock: Clock) {
  const secret = secretsOf(seed, 'hubspot')
  const uuid = (of: string) => secret(of).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const settings = {
    ...{ rotates: false, seconds: 1800 },
    hub: 'installed' as 'installed' | 'uninstalled' | 'deleted',
    plan: 'enterprise' as Plan,
    /** Scopes that no grant has any more. */
    withheld: [] as readonly string[],
  }
  const application = { client_id: uuid('application'), client_secret: uuid('secret of the application') }
  // Access tokens are about as long as real ones, which have outgrown many database columns.
  const tokens = createTokens<Grant>(clock, (kind, number) =>
    kind === 'refresh' ? `na1-${uuid(`refresh ${number}`)}` : `C${secret(`access ${number}`, 64).repeat(3)}`,
  )
  const first = tokens.issue({ scopes: portal.scopes }, settings.seconds)
  const refreshing = { refresh_token: first.refreshToken ?? '', ...application }
  const consent = createConsentPage({
    title: 'HubSpot',
    person: `${portal.user} (account ${portal.id})`,
    ...{ application, clock, separator: ' ', scopes: portal.scopes, pkce: false },
  })

  const words: Readonly<Record<TokenFault, readonly [string, string, string]>> = {
    'client id': ['BAD_CLIENT_ID', 'invalid_client', 'missing or invalid client id'],
    'client secret': ['BAD_CLIENT_SECRET', 'invalid_client', 'missing or invalid client secret'],
    'grant type': ['BAD_GRANT_TYPE', 'unsupported_grant_type', 'missing or unknown grant type'],
    'refresh token': ['BAD_REFRESH_TOKEN', 'invalid_grant', 'missing or invalid refresh token'],
    'other redirect_uri': ['BAD_REDIRECT_URI', 'invalid_request', 'redirect uri does not match the code'],
    'unknown code': ['BAD_AUTH_CODE', 'invalid_grant', 'missing or unknown auth code'],
    'wrong verifier': ['BAD_AUTH_CODE', 'invalid_grant', 'missing or unknown auth code'],
  }
  const refuse = (fault: TokenFault): Reply =>
    fault === 'refresh token' && settings.hub === 'deleted'
      ? tokenRefused('BAD_HUB', 'access_denied', 'the account is gone')
      : tokenRefused(...words[fault])

  const token = (version: string) =>
    createTokenEndpoint({
      ...{ consent, tokens, settings, refuse },
      grant: ({ scopes }) => ({ scopes: scopes.filter((scope) => !beyond(settings.plan).includes(scope)) }),
      answer({ accessToken, refreshToken }, { scopes }, isNew) {
        if (!isNew && settings.hub !== 'installed') return refuse('refresh token')
        return jsonReply(200, {
          ...{ token_type: 'bearer', access_token: accessToken, refresh_token: refreshToken },
          expires_in: settings.seconds,
          ...(version !== 'v1' && { hub_id: portal.id, user_id: portal.userId, scopes, token_use: 'access_token' }),
        })
      },
    })

  const about = ({ scopes }: Grant) => ({
    ...{ hub_id: portal.id, user_id: portal.userId, user: portal.user, hub_domain: portal.domain, scopes },
    client_id: application.client_id,
  })

  /** What answers tell of an access token that is valid. */
  function facts(text: string) {
    const found = tokens.find(text)
    if (typeof found === 'string') return undefined
    const expires_in = Math.floor((found.ends - clock.now()) / 1000)
    return { ...about(found.grant), app_id: portal.appId, expires_in }
  }

  function introspect(form: Form): Reply {
    const text = form.get('token') ?? ''
    const found = facts(text)
    const grant = tokens.grantOf(text)
    if (found !== undefined)
      return jsonReply(200, { active: true, token_use: 'access_token', token_type: 'bearer', ...found })
    return jsonReply(
      200,
      grant === undefined ? { active: false } : { active: true, token_use: 'refresh_token', ...about(grant) },
    )
  }

  /** Version 1 has tokens in the path, and requires no application. */
  function inspect(kind: string, text: string): Reply {
    const grant = tokens.grantOf(text)
    const found = kind === 'refresh-tokens' ? grant && about(grant) : facts(text)
    if (found !== undefined) return jsonReply(200, { ...found, token: text, token_type: kind.replace('-tokens', '') })
    const gone = kind === 'refresh-tokens' ? 'refresh token does not exist' : 'access token does not exist or expired'
    return refused(404, undefined, gone)
  }

  /** Ends a refresh token. Its access tokens stay valid to their end. */
  function revoke(text: string, status: number): Reply {
    if (tokens.grantOf(text) !== undefined) tokens.revoke(text, true)
    return { status, headers: {}, body: '' }
  }

  /** For an application that proves itself. */
  const proven = (answer: (form: Form) => Reply) => (form: Form) => {
    const fault = clientFault(application, form)
    return fault === undefined ? answer(form) : refuse(fault)
  }

  /** A scope beyond the account's plan stops the page, unless it is optional. */
  function authorize(call: Call): Reply {
    const params = valuesOf(readQuery(call.method === 'POST' ? call.body : call.query))
    const never = (params.get('scope') ?? '').split(' ').filter((one) => beyond(settings.plan).includes(one))
    if (never.length > 0 && params.get('client_id') === application.client_id)
      return refused(400, 'MISSING_SCOPES', `The account cannot grant ${never.join(', ')}.`)
    return consent.answer(call)
  }

  return {
    ...{ application, settings, tokens, consent },
    credentials: [{ ...refreshing, access_token: first.accessToken }, refreshing],
    /** The scopes that a grant has at this moment. */
    scopesOf: ({ scopes }: Grant) =>
      scopes.filter((scope) => !settings.withheld.includes(scope) && !beyond(settings.plan).includes(scope)),
    /** Undefined if there is no such address. */
    answer(call: Call): Reply | undefined {
      if (call.path === '/oauth/authorize') return authorize(call)
      const [, version = '', rest = ''] = /^\/oauth\/(v1|v3|2026-03)\/(.+)$/.exec(call.path) ?? []
      const [, kind, text = ''] = /^(access-tokens|refresh-tokens)\/([^/]+)$/.exec(rest) ?? []
      if (version === 'v1' && kind !== undefined) {
        if (call.method === 'GET') return inspect(kind, decode(text))
        const isRevocation = call.method === 'DELETE' && kind === 'refresh-tokens'
        return isRevocation ? revoke(decode(text), 204) : refused(405, undefined, 'wrong method')
      }
      const later = {
        'token/introspect': proven(introspect),
        'token/revoke': proven((form) => revoke(form.get('token') ?? '', 200)),
      }
      const respond = { token: token(version), ...(version !== 'v1' && later) }[rest]
      if (respond === undefined) return undefined
      if (call.method !== 'POST') return refused(405, undefined, 'wrong method')
      // Later versions read only the body.
      return respond(valuesOf([...(version === 'v1' ? readQuery(call.query) : []), ...readQuery(call.body)]))
    },
  }
}
