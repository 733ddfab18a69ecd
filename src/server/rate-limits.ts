/** How many requests per minute one client, one end user and one address may make. Each node counts alone. */
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ConexError } from '../errors.ts'
import type { Route } from './route.ts'

/** Requests per minute; 0 means no limit. */
export interface RateLimitSettings {
  /** For a client with all its tokens, or for an address without a token. */
  readonly rateLimitPerMinute: number
  /** For an end user of an organization, with all scoped tokens. */
  readonly endUserRateLimitPerMinute: number
  /** For an address, on routes that can be used to guess secrets. */
  readonly tokenRateLimitPerMinute: number
}

const minute = 60_000

const tooMany = (seconds: number): ConexError =>
  new ConexError('rate_limited', 'Too many requests; wait for the seconds in retry_after.', { retryAfter: seconds })

/**
 * Adds the limits to all routes that are registered later. Answers report the limit that is closest to being reached.
 */
export async function addRateLimits(app: FastifyInstance, settings: RateLimitSettings): Promise<void> {
  const { rateLimitPerMinute, endUserRateLimitPerMinute, tokenRateLimitPerMinute } = settings
  if (Math.max(rateLimitPerMinute, endUserRateLimitPerMinute, tokenRateLimitPerMinute) === 0) return
  await app.register(rateLimit, {
    global: rateLimitPerMinute > 0,
    max: rateLimitPerMinute,
    timeWindow: minute,
    store: Windows,
    enableDraftSpec: true,
    keyGenerator: ({ caller, ip }) => (caller === null ? `address ${networkOf(ip)}` : `client ${caller.clientId}`),
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl / 1000),
  })
  if (endUserRateLimitPerMinute === 0) return
  const ofEndUser = app.createRateLimit({
    max: endUserRateLimitPerMinute,
    timeWindow: minute,
    keyGenerator: ({ caller }) => `end user ${JSON.stringify([caller?.organizationId, caller?.externalUserId])}`,
  })
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.caller === null || request.caller.externalUserId === null) done()
    else
      ofEndUser(request).then((counted) => {
        if (counted.isAllowed) return done()
        tell(reply, counted)
        done(counted.isExceeded ? tooMany(counted.ttl / 1000) : null)
      }, done)
  })
}

/** The number of windows; a new one replaces the oldest. */
const mostCounted = 50_000

/** Counts with a monotonic clock, so that setting the system clock cannot extend a window. */
class Windows {
  readonly #windows = new Map<string, { current: number; readonly begun: number }>()

  incr(
    key: string,
    done: (error: Error | null, counted?: { current: number; ttl: number }) => void,
    span: number,
  ): void {
    const now = performance.now()
    let window = this.#windows.get(key)
    if (window === undefined || window.begun + span <= now) {
      window = { current: 0, begun: now }
      this.#windows.delete(key)
      if (this.#windows.size >= mostCounted) this.#windows.delete(this.#windows.keys().next().value!)
      this.#windows.set(key, window)
    }
    window.current++
    done(null, { current: window.current, ttl: window.begun + span - now })
  }

  child(): Windows {
    return new Windows()
  }
}

/** The key for an address: for IPv6 its /64 network, the smallest that a subscriber gets. */
const networkOf = (ip: string): string => normalizeIP(ip, 64)

interface Counted {
  readonly max: number
  readonly remaining: number
  readonly ttlInSeconds: number
}

/** Writes the headers of the IETF draft, unless another limit leaves fewer requests. */
function tell(reply: FastifyReply, { max, remaining, ttlInSeconds }: Counted): void {
  const told = reply.getHeader('ratelimit-remaining')
  if (told !== undefined && Number(told) <= remaining) return
  reply.headers({ 'ratelimit-limit': max, 'ratelimit-remaining': remaining, 'ratelimit-reset': ttlInSeconds })
}

/** Whether a route is limited. Probes and documents are not: they are requested often, and from one address. */
export const isLimited = ({ token, path, guarded }: Route): boolean =>
  token !== 'none' || guarded === true || /^\/(?:api|v1)\//.test(path)

/** The limits of one route. */
export function limitOf(route: Route, { tokenRateLimitPerMinute }: RateLimitSettings) {
  if (route.guarded && tokenRateLimitPerMinute > 0)
    return {
      rateLimit: {
        max: tokenRateLimitPerMinute,
        timeWindow: minute,
        keyGenerator: ({ ip }: FastifyRequest) => `guarded ${networkOf(ip)}`,
      },
    }
  return isLimited(route) ? {} : { rateLimit: false as const }
}
