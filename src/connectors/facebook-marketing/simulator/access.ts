/** Applications and tokens: who may call, and the proof of an application. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { user } from './account-fields.ts'
import type { Params } from './params.ts'
import { refuse } from './replies.ts'

interface Token {
  /** The application it was made for. */
  readonly app: Application
  readonly scopes: readonly string[]
  /** The code and subcode it is refused with. */
  readonly broken?: { readonly subcode: number; readonly message: string }
}

interface Application {
  readonly id: string
  readonly secret: string
  readonly name: string
  /** "Require app secret" is switched on. */
  readonly strict: boolean
}

const reader: Application = {
  id: '884422110033557',
  secret: '5f1d8c0be92f4a67b3d2a9c4e7f60a18',
  name: 'Northpass Reports',
  strict: false,
}
const strict: Application = {
  id: '991133557722446',
  secret: '0c7be2d4f5a94e18a6b3c1d09e8f7a65',
  name: 'Northpass Warehouse',
  strict: true,
}
const applications = [reader, strict]

const scopes = ['ads_read', 'business_management']
const tokenOf = (name: string): string => `EAAMk0Nex0${name}ZBqZCZCsimulated`

export const tokens = {
  user: tokenOf('User'),
  system: tokenOf('System'),
  strict: tokenOf('Strict'),
  expired: tokenOf('Expired'),
  password: tokenOf('Password'),
  removed: tokenOf('Removed'),
  scopeless: tokenOf('Scopeless'),
} as const

export interface Access {
  /** Credentials that are accepted, the first ones to be shown. */
  readonly credentials: readonly Readonly<Record<string, string>>[]
  /** The token of a call, checked; refuses in Graph's words. */
  caller(authorization: string | undefined, params: Params, path: string): { readonly token: Token }
  /** Makes a token unusable, as its user does; and usable again. */
  breakToken(text: string, subcode: number): void
  mendToken(text: string): void
  /** `GET /debug_token`. */
  debug(params: Params, now: number): unknown
  /** `/oauth/access_token`: a code, or a token that still lives, for one that lives for 60 days. */
  exchange(params: Params): unknown
}

export function createAccess(): Access {
  const known = new Map<string, Token>([
    [tokens.user, { app: reader, scopes }],
    [tokens.system, { app: reader, scopes }],
    [tokens.strict, { app: strict, scopes }],
    [tokens.expired, { app: reader, scopes, broken: brokenBy(463) }],
    [tokens.password, { app: reader, scopes, broken: brokenBy(460) }],
    [tokens.removed, { app: reader, scopes, broken: brokenBy(458) }],
    [tokens.scopeless, { app: reader, scopes: ['public_profile'] }],
  ])
  const broken = new Map<string, NonNullable<Token['broken']>>()
  let exchanges = 0

  function check(text: string): Token {
    const token = known.get(text)
    if (token === undefined)
      refuse({ status: 401, code: 190, message: 'Invalid OAuth access token - Cannot parse access token' })
    const reason = broken.get(text) ?? token.broken
    if (reason !== undefined) refuse({ code: 190, subcode: reason.subcode, message: reason.message })
    return token
  }

  return {
    credentials: [
      { access_token: tokens.user, client_id: reader.id, client_secret: reader.secret },
      { account_key: tokens.system },
      { access_token: tokens.strict, client_id: strict.id, client_secret: strict.secret },
    ],
    caller(authorization, params, path) {
      const text = params.get('access_token') ?? /^(?:Bearer|OAuth) (.+)$/i.exec(authorization ?? '')?.[1]
      if (text === undefined || text === '')
        return path.startsWith('/me')
          ? refuse({
              code: 2500,
              message: 'An active access token must be used to query information about the current user.',
            })
          : refuse({ code: 104, message: 'An access token is required to request this resource.' })
      const token = check(text)
      checkProof(text, token, params.get('appsecret_proof'))
      return { token }
    },
    breakToken: (text, subcode) => void broken.set(text, brokenBy(subcode)),
    mendToken: (text) => void broken.delete(text),
    debug(params, now) {
      const [id, secret] = (params.get('access_token') ?? '').split('|')
      const app = applications.find((one) => one.id === id && one.secret === secret)
      if (app === undefined) refuse({ code: 190, message: 'Invalid OAuth access token signature.' })
      const text = params.get('input_token') ?? ''
      const token = known.get(text)
      if (token === undefined || token.app !== app)
        return { data: { error: { code: 190, message: 'Invalid OAuth access token.' }, is_valid: false, scopes: [] } }
      const reason = broken.get(text) ?? token.broken
      return {
        data: {
          app_id: app.id,
          type: text === tokens.system ? 'SYSTEM_USER' : 'USER',
          application: app.name,
          data_access_expires_at: Math.floor(now / 1000) + 90 * 86_400,
          ...(reason === undefined ? {} : { error: { code: 190, message: reason.message, subcode: reason.subcode } }),
          expires_at: text === tokens.system ? 0 : Math.floor(now / 1000) + lifetime,
          is_valid: reason === undefined,
          scopes: token.scopes,
          user_id: user.id,
        },
      }
    },
    exchange(params) {
      const app = applications.find(
        (one) => one.id === params.get('client_id') && one.secret === params.get('client_secret'),
      )
      if (app === undefined) refuse({ code: 1, message: 'Error validating client secret.' })
      if (params.get('grant_type') === 'fb_exchange_token') check(params.get('fb_exchange_token') ?? '')
      else if (!params.get('code')?.startsWith('code-'))
        refuse({ code: 100, subcode: 36009, message: 'This authorization code has been used.' })
      exchanges += 1
      const text = tokenOf(`Exchanged${exchanges}`)
      known.set(text, { app, scopes })
      return { access_token: text, token_type: 'bearer', expires_in: lifetime }
    },
  }
}

/** Seconds that a long-lived token lives. */
const lifetime = 5_183_944

function checkProof(text: string, { app }: Token, given: string | undefined): void {
  if (given === undefined) {
    if (app.strict)
      refuse({
        code: 100,
        type: 'GraphMethodException',
        message: 'API calls from the server require an appsecret_proof argument',
      })
    return
  }
  const wanted = createHmac('sha256', app.secret).update(text).digest()
  const shown = Buffer.from(given, 'hex')
  if (given !== given.toLowerCase() || shown.length !== wanted.length || !timingSafeEqual(shown, wanted))
    refuse({ code: 100, type: 'GraphMethodException', message: 'Invalid appsecret_proof provided in the API argument' })
}

function brokenBy(subcode: number): NonNullable<Token['broken']> {
  const messages: Readonly<Record<number, string>> = {
    458: 'Error validating access token: The user has not authorized application 884422110033557.',
    460: 'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
    463: 'Error validating access token: Session has expired on Tuesday, 03-Nov-26 08:00:00 PST. The current time is Friday, 27-Nov-26 16:00:00 PST.',
  }
  return { subcode, message: messages[subcode] ?? 'Error validating access token: The session is invalid.' }
}
