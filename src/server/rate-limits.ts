/** How many requests a minute one client, one end user and one address may make. Each node counts for itself. */
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ConexError } from '../errors.ts'
import type { Route } from './route.ts'

/** Requests a minute; 0 means no limit. */
export interface RateLimitSettings {
  /** Of one client, with all its tokens, or of one address without a token. */
  readonly rateLimitPerMinute: number
  /** Of one end user of an organization, with all scoped tokens. */
  readonly endUserRateLimitPerMinute: number
  /** Of one address to routes that can be used to guess secrets. */
  readonly tokenRateLimitPerMinute: number
}

const minute = 60_000

const tooMany = (seconds: number): ConexError =>
  new ConexError('rate_limited', 'Too many requests; wait for the seconds in retry_after.', { retryAfter: seconds })

/** Puts the limits on all routes added afterwards. Every answer tells the limit that is nearest to being reached. */
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

/** So many are counted at once; more push out the one that began longest ago. */
const mostCounted = 50_000

/** Counts by a clock that nobody sets, so that no window lasts longer than it should. */
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

/** What stands for an address: of IPv6 the network of 64 bits, which is the least that one subscriber gets. */
const networkOf = (ip: string): string => normalizeIP(ip, 64)

interface Counted {
  readonly max: number
  readonly remaining: number
  readonly ttlInSeconds: number
}

/** In the headers of the IETF draft, unless those of another limit leave less. */
function tell(reply: FastifyReply, { max, remaining, ttlInSeconds }: Counted): void {
  const told = reply.getHeader('ratelimit-remaining')
  if (told !== undefined && Number(told) <= remaining) return
  reply.headers({ 'ratelimit-limit': max, 'ratelimit-remaining': remaining, 'ratelimit-reset': ttlInSeconds })
}

/** Whether a route has a limit. Probes and documents are asked for often and from one address. */
export const isLimited = ({ token, path }: Route): boolean => token !== 'none' || /^\/(?:api|v1)\//.test(path)

/** What the limits are for one route. */
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
