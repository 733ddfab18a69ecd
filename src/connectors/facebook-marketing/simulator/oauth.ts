/** The addresses for consents, and for fetching, exchanging and inspecting tokens. */
import {
  type Call,
  type Clock,
  type ConsentPage,
  createConsentPage,
  jsonReply,
  type Reply,
} from '../../../kit/simulator.ts'
import { type Access, tokens } from './access.ts'
import { user } from './account-fields.ts'
import type { Params } from './params.ts'
import { refuse } from './replies.ts'

/** The lifetime of a long-lived token, in seconds. */
const lifetime = 5_183_944
/** The lifetime of a token for a code, in seconds. */
const shortLifetime = 5_400

export interface OAuth {
  readonly consent: ConsentPage
  /** Answers the consent page and the token endpoints; null for all other addresses. */
  answer(path: string, params: Params, call: Call): Reply | null
}

export function createOAuth(access: Access, clock: Clock): OAuth {
  const consent = createConsentPage({
    title: 'Facebook',
    person: user.name,
    application: access.platform,
    clock,
    separator: ',',
    pkce: false,
    denial: { error_reason: 'user_denied', error_description: 'Permissions error' },
    refuse: (message) => ({ status: 400, headers: { 'content-type': 'text/plain' }, body: `${message}\n` }),
  })

  /** Exchanges a code, or a token that still works, for one that lasts 60 days. */
  function exchange(params: Params): Reply {
    const app = access.application(params.get('client_id'), params.get('client_secret') ?? '')
    if (app === undefined) refuse({ code: 1, message: 'Error validating client secret.' })
    if (params.get('grant_type') === 'fb_exchange_token') {
      const { app: owner } = access.working(params.get('fb_exchange_token') ?? '')
      if (owner !== app) refuse({ code: 190, message: 'The access token does not belong to this application.' })
    } else {
      const given = consent.redeem(params.get('code') ?? '', params.get('redirect_uri') ?? '', undefined)
      if (given === 'other redirect_uri')
        refuse({
          code: 100,
          subcode: 36008,
          message:
            'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
        })
      if (typeof given === 'string' || app.id !== consent.application.client_id)
        refuse({ code: 100, subcode: 36009, message: 'This authorization code has been used or has expired.' })
      return jsonReply(200, { access_token: access.issue(app), token_type: 'bearer', expires_in: shortLifetime })
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

  return {
    consent,
    answer(path, params, call) {
      switch (path) {
        case '/dialog/oauth':
          return consent.answer(call)
        case '/oauth/access_token':
          return exchange(params)
        case '/debug_token':
          return debug(params)
        default:
          return null
      }
    },
  }
}
