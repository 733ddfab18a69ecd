/** The consent page, and the addresses that fetch, exchange and inspect tokens. */
import { type Clock, createConsentPage, param } from '../../../kit/simulator.ts'
import { type Access, applicationOf, brokenBy, platform, systemToken } from './access.ts'
import { user } from './company.ts'
import { route } from './graph.ts'
import { refuse } from './replies.ts'

const { text } = param

/** The lifetime of a long-lived token, in seconds. */
const lifetime = 5_183_944
/** The lifetime of a token for a code, in seconds. */
const shortLifetime = 5_400

export const createConsent = (clock: Clock) =>
  createConsentPage({
    title: 'Facebook',
    person: user.name,
    application: platform,
    clock,
    separator: ',',
    pkce: false,
    denial: { error_reason: 'user_denied', error_description: 'Permissions error' },
  })

export const tokenRoutes = (access: Access, consent: ReturnType<typeof createConsent>) => [
  route({
    path: '/oauth/access_token',
    method: ['GET', 'POST'],
    open: true,
    params: {
      client_id: text(),
      client_secret: text(),
      grant_type: text(),
      code: text(),
      redirect_uri: text(),
      fb_exchange_token: text(),
    },
    /** Exchanges a code, or a token that still works, for one that lasts 60 days. */
    answer({ args }) {
      const app = applicationOf(args.client_id, args.client_secret)
      if (app === undefined) return refuse({ code: 1, message: 'Error validating client secret.' })
      if (args.grant_type === 'fb_exchange_token') {
        if (access.working(args.fb_exchange_token ?? '').app !== app)
          refuse({ code: 190, message: 'The access token does not belong to this application.' })
        return { access_token: access.issue(app), token_type: 'bearer', expires_in: lifetime }
      }
      const given = consent.redeem(args.code ?? '', args.redirect_uri ?? '', undefined)
      if (given === 'other redirect_uri')
        refuse({
          code: 100,
          subcode: 36008,
          message:
            'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
        })
      if (typeof given === 'string' || app.id !== platform.client_id)
        refuse({ code: 100, subcode: 36009, message: 'This authorization code has been used or has expired.' })
      return { access_token: access.issue(app), token_type: 'bearer', expires_in: shortLifetime }
    },
  }),
  route({
    path: '/debug_token',
    open: true,
    params: { access_token: text(), input_token: text() },
    answer({ args, now }) {
      const [id, secret] = (args.access_token ?? '').split('|')
      const app = applicationOf(id, secret)
      if (app === undefined) return refuse({ code: 190, message: 'Invalid OAuth access token signature.' })
      const token = access.find(args.input_token ?? '')
      if (token?.app !== app) {
        const error = { code: 190, message: 'Invalid OAuth access token.' }
        return { data: { error, is_valid: false, scopes: [] } }
      }
      const { scopes, subcode } = token
      const isForever = args.input_token === systemToken
      const seconds = Math.floor(now / 1000)
      return {
        data: {
          app_id: app.id,
          type: isForever ? 'SYSTEM_USER' : 'USER',
          application: app.name,
          data_access_expires_at: seconds + 90 * 86_400,
          ...(subcode !== undefined && { error: brokenBy(subcode) }),
          expires_at: isForever ? 0 : seconds + lifetime,
          is_valid: subcode === undefined,
          scopes,
          user_id: user.id,
        },
      }
    },
  }),
]
