/** Page tokens: JSON Web Tokens with a position, valid for fifteen minutes and only for their own list. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { messages, refuse } from './refusals.ts'

const life = 900
const head = Buffer.from('{"typ":"JWT","alg":"HS256"}').toString('base64url')

/** `list` is the path with the filters: part of the key, so that a token of another list does not verify. */
export function writeOffset(rank: number, list: string, now: number): string {
  const issued = Math.floor(now / 1000)
  const claims = { border_rank: JSON.stringify([rank]), iat: issued, exp: issued + life }
  const body = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${body}.${sign(body, list).toString('base64url')}`
}

/**
 * The rank of the last record on the previous page; refuses forged tokens, expired tokens and tokens of another list.
 */
export function readOffset(token: string, list: string, now: number): number {
  const [header, claims, signature] = token.split('.')
  if (header !== head || claims === undefined || signature === undefined) refuse(400, messages.badOffset)
  const given = Buffer.from(signature, 'base64url')
  const right = sign(`${header}.${claims}`, list)
  if (given.length !== right.length || !timingSafeEqual(given, right)) refuse(400, messages.badOffset)
  const { border_rank, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    border_rank: string
    exp: number
  }
  if (now / 1000 >= exp) refuse(400, messages.staleOffset)
  return (JSON.parse(border_rank) as [number])[0]
}

function sign(body: string, list: string): Buffer {
  return createHmac('sha256', `simulated page tokens ${list}`).update(body).digest()
}
