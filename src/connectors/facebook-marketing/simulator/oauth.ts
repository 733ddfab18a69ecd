/** The addresses where tokens are consented to, fetched, exchanged and inspected. */
import type { Clock } from '../../../simulator/clock.ts'
import { jsonReply } from '../../../simulator/send.ts'
import type { Reply } from '../../../simulator/system.ts'
import { type Access, type Application, tokens } from './access.ts'
import { user } from './account-fields.ts'
import type { Params } from './params.ts'
import { refuse } from './replies.ts'

/** Seconds that a long-lived token lives. */
const lifetime = 5_183_944
const codeLife = 600_000

interface Code {
  readonly app: Application
  readonly redirectUri: string
  readonly expires: number
}

/** Answers the token endpoints; null for all other addresses. */
export type OAuth = (path: string, params: Params) => Reply | null

export function createOAuth(access: Access, clock: Clock): OAuth {
  const codes = new Map<string, Code>()
  let consents = 0

  /** A person who always agrees, unless the address carries `simulate=refuse`. */
  function dialog(params: Params): Reply {
    const app = access.application(params.get('client_id'))
    const redirectUri = params.get('redirect_uri') ?? ''
    if (app === undefined || !/^https?:\/\/./.test(redirectUri))
      return { status: 400, headers: { 'content-type': 'text/plain' }, body: 'Invalid App ID or redirect_uri.\n' }
    const back = new URL(redirectUri)
    if (params.get('simulate') === 'refuse') {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_reason', 'user_denied')
      back.searchParams.set('error_description', 'Permissions error')
    } else {
      consents += 1
      const code = `AQDconex${consents}`
      codes.set(code, { app, redirectUri, expires: clock.now() + codeLife })
      back.searchParams.set('code', code)
    }
    const state = params.get('state')
    if (state !== undefined) back.searchParams.set('state', state)
    return { status: 302, headers: { location: back.href }, body: '' }
  }

  /** A code, or a token that still works, for one that lives for 60 days. */
  function exchange(params: Params): Reply {
    const app = access.application(params.get('client_id'), params.get('client_secret') ?? '')
    if (app === undefined) refuse({ code: 1, message: 'Error validating client secret.' })
    if (params.get('grant_type') === 'fb_exchange_token') {
      const { app: owner } = access.working(params.get('fb_exchange_token') ?? '')
      if (owner !== app) refuse({ code: 190, message: 'The access token does not belong to this application.' })
    } else {
      const code = codes.get(params.get('code') ?? '')
      codes.delete(params.get('code') ?? '')
      if (code === undefined || code.app !== app || clock.now() > code.expires)
        refuse({ code: 100, subcode: 36009, message: 'This authorization code has been used or has expired.' })
      if (code.redirectUri !== params.get('redirect_uri'))
        refuse({
          code: 100,
          subcode: 36008,
          message:
            'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
        })
    }
    return jsonReply(200, { access_token: access.issue(app), token_type: 'bearer', expires_in: lifetime })
  }

  function debug(params: Params): Reply {
    const [id, secret = ''] = (params.get('access_token') ?? '').split('|')
    const app = access.application(id, secret)
    if (app === undefined) refuse({ code: 190, message: 'Invalid OAuth access token signature.' })
    const text = params.get('input_token') ?? ''
    const found = access.inspect(text)
    if (found === undefined || found.token.app !== app) {
      const error = { code: 190, message: 'Invalid OAuth access token.' }
      return jsonReply(200, { data: { error, is_valid: false, scopes: [] } })
    }
    const isForever = text === tokens.system
    const now = Math.floor(clock.now() / 1000)
    return jsonReply(200, {
      data: {
        app_id: app.id,
        type: isForever ? 'SYSTEM_USER' : 'USER',
        application: app.name,
        data_access_expires_at: now + 90 * 86_400,
        ...(found.broken === undefined ? {} : { error: { code: 190, ...found.broken } }),
        expires_at: isForever ? 0 : now + lifetime,
        is_valid: found.broken === undefined,
        scopes: found.token.scopes,
        user_id: user.id,
      },
    })
  }

  return (path, params) => {
    switch (path) {
      case '/dialog/oauth':
        return dialog(params)
      case '/oauth/access_token':
        return exchange(params)
      case '/debug_token':
        return debug(params)
      default:
        return null
    }
  }
}
