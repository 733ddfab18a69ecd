/** The formats of settings: each with a description, and a function that reads it. */
import type { CallLimit } from '../catalog/limit.ts'
import { isLoopback } from '../service/redirect-url.ts'
import { isSupported, supportedDatabases } from '../store/open.ts'
import { parseKeys } from './keys.ts'

/** A format and its reader. The reader's error completes a sentence that says what the value must be. */
export type Form<T> = readonly [words: string, read: (given: string) => T]

export function text(): Form<string> {
  return ['text', (given) => given]
}

export function wholeNumber(least: number, most: number): Form<number> {
  return [
    'whole number',
    (given) => {
      if (/^\d{1,10}$/.test(given) && Number(given) >= least && Number(given) <= most) return Number(given)
      throw new Error(`must be a whole number from ${least} to ${most}`)
    },
  ]
}

export function seconds(least: number, most: number): Form<number> {
  return [
    'seconds',
    (given) => {
      if (/^\d{1,5}(\.\d{1,3})?$/.test(given) && Number(given) >= least && Number(given) <= most) return Number(given)
      throw new Error(`must be a number of seconds from ${least} to ${most}`)
    },
  ]
}

export function yesOrNo(): Form<boolean> {
  return [
    'true or false',
    (given) => {
      if (/^(true|1|yes|on)$/i.test(given)) return true
      if (/^(false|0|no|off)$/i.test(given)) return false
      throw new Error('must be true or false')
    },
  ]
}

/** The number of proxies in front of the server; `true` is one. */
export function proxies(): Form<number> {
  return [
    'number, or true for 1',
    (given) => {
      const count = /^true$/i.test(given) ? 1 : /^false$/i.test(given) ? 0 : Number(/^\d{1,2}$/.exec(given)?.[0])
      if (count >= 0) return count
      throw new Error('must be a number of proxies from 0 to 99, or true for one')
    },
  ]
}

export function word<const W extends readonly string[]>(words: W): Form<W[number]> {
  return [
    words.join(', '),
    (given) => {
      const found = words.find((one) => one === given.toLowerCase())
      if (found !== undefined) return found
      throw new Error(`must be one of ${words.join(', ')}`)
    },
  ]
}

export function address(): Form<string> {
  return [
    'http(s) address',
    (given) => {
      const url = URL.parse(given)
      const plain = url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password
      // Check the parsed address, not the text: Conex appends paths to it, and even an empty query would swallow them.
      if (plain && !url.search && !url.hash) return (url.origin + url.pathname).replace(/\/+$/, '')
      throw new Error('must be an http or https address without user, query or fragment')
    },
  ]
}

/** Kept letter for letter, because tokens repeat it so. */
export function issuer(): Form<string> {
  return [
    'https address',
    (given) => {
      const url = URL.parse(given)
      const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
      if (isSafe && !url.username && !url.search && !url.hash) return given
      throw new Error(
        'must be the issuer as its tokens have it: an https address (or http on a loopback host) without query or fragment',
      )
    },
  ]
}

export function origins(): Form<readonly string[]> {
  return [
    'https://<host>, …',
    (given) => {
      const listed = given.split(',').map((one) => one.trim().replace(/\/$/, ''))
      if (listed.every((one) => URL.parse(one)?.origin === one && /^https?:/.test(one))) return listed
      throw new Error('must be origins separated by commas, such as https://app.example, without a path')
    },
  ]
}

export function database(): Form<string> {
  return [
    supportedDatabases.join(' or '),
    (given) => {
      if (isSupported(given)) return given
      throw new Error(`must be ${supportedDatabases.join(' or ')}`)
    },
  ]
}

export function clientSecret(): Form<string> {
  return [
    'text of at least 32 characters',
    (given) => {
      if (given.length >= 32) return given
      throw new Error('must have at least 32 characters; `openssl rand -base64 32` makes one')
    },
  ]
}

export function keys(): Form<ReturnType<typeof parseKeys>> {
  return ['<id>:<base64 of 32 bytes>, …', parseKeys]
}

/** Syncs leave a fifth of each limit to callers. */
export function callLimits(): Form<readonly CallLimit[]> {
  return [
    '<calls>/<seconds>, …, or none',
    (given) => {
      if (given.toLowerCase() === 'none') return []
      return given.split(',').map((one) => {
        const [, calls, seconds] = /^\s*([1-9]\d{0,8})\/([1-9]\d{0,5})\s*$/.exec(one) ?? []
        if (calls !== undefined) return { calls: Number(calls), seconds: Number(seconds), reserve: 0.2 }
        throw new Error('must be none, or limits such as 1500/60 (calls/seconds), separated by commas')
      })
    },
  ]
}

export function orNull<T>([type, read]: Form<T>): Form<T | null> {
  return [type, read]
}
