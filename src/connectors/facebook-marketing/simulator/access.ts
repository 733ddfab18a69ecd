/** Applications and tokens: who may call, and the proof of an application. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Params } from './params.ts'
import { refuse } from './replies.ts'

export interface Token {
  /** The application of the token. */
  readonly app: Application
  readonly scopes: readonly string[]
}

/** Why Graph refuses a token with code 190. */
export interface Reason {
  readonly subcode: number
  readonly message: string
}

export interface Application {
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
  /** Accepted credentials; documents show the first ones. */
  readonly credentials: readonly Readonly<Record<string, string>>[]
  /** The checked token of a call; refuses in Graph's words. */
  caller(authorization: string | undefined, params: Params, path: string): Token
  /** A token that still works; refuses in Graph's words. */
  working(text: string): Token
  /** A known token, and why it is no longer valid. */
  inspect(text: string): { readonly token: Token; readonly broken: Reason | undefined } | undefined
  /** The application that asks for consents. */
  readonly platform: { readonly client_id: string; readonly client_secret: string }
  /** The application with this id and, if one is given, this secret. */
  application(id: string | undefined, secret?: string): Application | undefined
  /** A new long-lived token. */
  issue(app: Application): string
  /** Makes a token unusable, as its user does, or usable again. */
  breakToken(text: string, subcode: number): void
  mendToken(text: string): void
}

export function createAccess(): Access {
  const known = new Map<string, Token>([
    [tokens.user, { app: reader, scopes }],
    [tokens.system, { app: reader, scopes }],
    [tokens.strict, { app: strict, scopes }],
    [tokens.expired, { app: reader, scopes }],
    [tokens.password, { app: reader, scopes }],
    [tokens.removed, { app: reader, scopes }],
    [tokens.scopeless, { app: reader, scopes: ['public_profile'] }],
  ])
  const broken = new Map<string, Reason>([
    [tokens.expired, reasonOf(463)],
    [tokens.password, reasonOf(460)],
    [tokens.removed, reasonOf(458)],
  ])
  let issued = 0

  const self: Access = {
    credentials: [
      { access_token: tokens.user, client_id: reader.id, client_secret: reader.secret },
      { account_key: tokens.system },
      { access_token: tokens.strict, client_id: strict.id, client_secret: strict.secret },
    ],
    platform: { client_id: reader.id, client_secret: reader.secret },
    caller(authorization, params, path) {
      const text = params.get('access_token') ?? /^(?:Bearer|OAuth) (.+)$/i.exec(authorization ?? '')?.[1]
      if (text === undefined || text === '')
        return path.startsWith('/me')
          ? refuse({
              code: 2500,
              message: 'An active access token must be used to query information about the current user.',
            })
          : refuse({ code: 104, message: 'An access token is required to request this resource.' })
      const token = self.working(text)
      checkProof(text, token, params.get('appsecret_proof'))
      return token
    },
    working(text) {
      const found = self.inspect(text)
      if (found === undefined)
        return refuse({ status: 401, code: 190, message: 'Invalid OAuth access token - Cannot parse access token' })
      if (found.broken !== undefined) refuse({ code: 190, ...found.broken })
      return found.token
    },
    inspect(text) {
      const token = known.get(text)
      return token === undefined ? undefined : { token, broken: broken.get(text) }
    },
    application: (id, secret) =>
      applications.find((app) => app.id === id && (secret === undefined || app.secret === secret)),
    issue(app) {
      issued += 1
      const text = tokenOf(`Issued${issued}`)
      known.set(text, { app, scopes })
      return text
    },
    breakToken: (text, subcode) => void broken.set(text, reasonOf(subcode)),
    mendToken: (text) => void broken.delete(text),
  }
  return self
}

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

function reasonOf(subcode: number): Reason {
  const messages: Readonly<Record<number, string>> = {
    458: 'Error validating access token: The user has not authorized application 884422110033557.',
    460: 'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
    463: 'Error validating access token: Session has expired on Tuesday, 03-Nov-26 08:00:00 PST. The current time is Friday, 27-Nov-26 16:00:00 PST.',
  }
  return { subcode, message: messages[subcode] ?? 'Error validating access token: The session is invalid.' }
}
