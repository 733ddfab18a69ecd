/** Applications and tokens: who may call, and the proof of an application. */
import { createHmac } from 'node:crypto'
import { argumentsOf, type Call } from '../../../kit/simulator.ts'
import { type GraphError, refuse } from './replies.ts'

export interface Token {
  /** The application of the token. */
  readonly app: Application
  readonly scopes: readonly string[]
  /** Of the refusal with which Graph answers it from now on. */
  readonly subcode?: number | undefined
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

const scopes = ['ads_read', 'business_management']
const tokenOf = (name: string): string => `EAAMk0Nex0${name}ZBqZCZCsimulated`

/** The tokens that exist from the start. */
const seeded: Readonly<Record<string, Token>> = {
  User: { app: reader, scopes },
  System: { app: reader, scopes },
  Strict: { app: strict, scopes },
  Expired: { app: reader, scopes, subcode: 463 },
  Password: { app: reader, scopes, subcode: 460 },
  Removed: { app: reader, scopes, subcode: 458 },
  Scopeless: { app: reader, scopes: ['public_profile'] },
}

/** Of the system user, which lasts for ever. */
export const systemToken = tokenOf('System')

export const tokenLandmarks = {
  token_expired: tokenOf('Expired'),
  token_password_changed: tokenOf('Password'),
  token_application_removed: tokenOf('Removed'),
  token_without_ads_read: tokenOf('Scopeless'),
  token_needs_proof: tokenOf('Strict'),
} as const

/** Accepted credentials; documents show the first ones. */
export const credentials = [
  { access_token: tokenOf('User'), client_id: reader.id, client_secret: reader.secret },
  { account_key: systemToken },
  { access_token: tokenOf('Strict'), client_id: strict.id, client_secret: strict.secret },
]

/** The application that asks for consents. */
export const platform = { client_id: reader.id, client_secret: reader.secret }

/** The application with this id and secret. */
export const applicationOf = (id: string | undefined, secret: string | undefined): Application | undefined =>
  [reader, strict].find((app) => app.id === id && app.secret === secret)

export type Access = ReturnType<typeof createAccess>

export function createAccess() {
  const known = new Map(Object.entries(seeded).map(([name, token]) => [tokenOf(name), token]))

  /** A token that still works; refuses in Graph's words. */
  function working(text: string): Token {
    const token = known.get(text)
    if (token === undefined)
      return refuse({ status: 401, code: 190, message: 'Invalid OAuth access token - Cannot parse access token' })
    return token.subcode === undefined ? token : refuse(brokenBy(token.subcode))
  }

  return {
    working,
    find: (text: string): Token | undefined => known.get(text),
    /** The checked token of a call; refuses in Graph's words. */
    caller(call: Call, path: string): Token {
      const args = argumentsOf(call)
      const text = args?.get('access_token') ?? /^(?:Bearer|OAuth) (.+)$/i.exec(call.headers.authorization ?? '')?.[1]
      if (typeof text !== 'string' || text === '') return refuse(path.startsWith('/me') ? nobody : noToken)
      const token = working(text)
      checkProof(text, token, args?.get('appsecret_proof'))
      return token
    },
    /** A new token. */
    issue(app: Application): string {
      const text = tokenOf(`Issued${known.size - Object.keys(seeded).length + 1}`)
      known.set(text, { app, scopes })
      return text
    },
    /** Makes a token unusable, as its user does, or usable again. */
    mark(text: string, subcode: number | undefined): void {
      const token = known.get(text)
      if (token === undefined) throw new Error('There is no such token.')
      known.set(text, { ...token, subcode })
    },
  }
}

const nobody: GraphError = {
  code: 2500,
  message: 'An active access token must be used to query information about the current user.',
}
const noToken: GraphError = { code: 104, message: 'An access token is required to request this resource.' }

function checkProof(text: string, { app }: Token, given: unknown): void {
  const fault = (message: string) => refuse({ code: 100, type: 'GraphMethodException', message })
  if (given === undefined && app.strict) fault('API calls from the server require an appsecret_proof argument')
  if (given !== undefined && given !== createHmac('sha256', app.secret).update(text).digest('hex'))
    fault('Invalid appsecret_proof provided in the API argument')
}

const reasons: Readonly<Record<number, string>> = {
  458: 'The user has not authorized application 884422110033557.',
  460: 'The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
  463: 'Session has expired on Tuesday, 03-Nov-26 08:00:00 PST. The current time is Friday, 27-Nov-26 16:00:00 PST.',
}

export const brokenBy = (subcode: number): GraphError => ({
  code: 190,
  subcode,
  message: `Error validating access token: ${reasons[subcode] ?? 'The session is invalid.'}`,
})
