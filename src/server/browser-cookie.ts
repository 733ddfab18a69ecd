/**
 * The cookie with which a browser that left a page of Conex is known again when it comes back. It holds a random text
 * and says nothing about its user.
 */
import type { IncomingHttpHeaders } from 'node:http'

const seconds = 30 * 60

/** The prefix keeps other hosts and unencrypted pages from setting the cookie. */
const nameFor = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-conex-browser' : 'conex-browser'

/** The text in the cookie of this browser; undefined if it has none. */
export function browserOf({ cookie = '' }: IncomingHttpHeaders, publicUrl: string): string | undefined {
  const start = `${nameFor(publicUrl)}=`
  const found = cookie.split(';').map((part) => part.trim())
  return found.find((part) => part.startsWith(start))?.slice(start.length)
}

/** The header that gives a browser its cookie. Browsers send it when another site leads them back. */
export const browserCookie = (browser: string, publicUrl: string): string =>
  [
    `${nameFor(publicUrl)}=${browser}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`,
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')
