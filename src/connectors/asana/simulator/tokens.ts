/** Tokens that say something: JSON Web Tokens, each good for one list or record, and for a time. */
import { createHmac } from 'node:crypto'

interface Claims {
  readonly [claim: string]: unknown
  /** When it ends, in seconds. */
  readonly exp: number
}

const head = Buffer.from('{"typ":"JWT","alg":"HS256"}').toString('base64url')

function signed(claims: string, of: string): string {
  const text = `${head}.${claims}`
  return `${text}.${createHmac('sha256', `simulated tokens ${of}`).update(text).digest('base64url')}`
}

/** A token of something, good for `life` seconds from `now`, which is in milliseconds. */
export function writeToken(said: object, of: string, now: number, life: number): string {
  const iat = Math.floor(now / 1000)
  return signed(Buffer.from(JSON.stringify({ ...said, iat, exp: iat + life })).toString('base64url'), of)
}

/** What a token says, ended or not; undefined for a token of something else. */
export function readToken(token: string, of: string): Claims | undefined {
  const claims = token.split('.')[1] ?? ''
  return token === signed(claims, of) ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : undefined
}
