/** How many calls the simulated HubSpot takes: of an application, of searches of all applications, and of a day. */
import { type Call, type Clock, type Reply, slidingWindow } from '../../../kit/simulator.ts'
import { refused } from './replies.ts'
import type { Settings } from './world.ts'

const burst = { calls: 110, seconds: 10 }
const searches = { calls: 5, seconds: 1 }
const day = 86_400_000

/** The headers that tell of the limits, or a refusal. */
export type CountCall = (call: Call, application: string) => Reply | Readonly<Record<string, string>>

/** With `callsPerMinute`, that number replaces the limits; null lifts them. */
export function createCallLimits(
  clock: Clock,
  settings: Settings,
  callsPerMinute: number | null | undefined,
): CountCall {
  const most = callsPerMinute === undefined ? burst : { calls: callsPerMinute ?? Number.POSITIVE_INFINITY, seconds: 60 }
  const bursts = slidingWindow(clock, most.seconds)
  const searched = slidingWindow(clock, searches.seconds)
  let today = -1
  let count = 0

  function refuse(policyName: string, seconds: number): Reply {
    const message = `You have reached your ${policyName.toLowerCase()} limit.`
    const reply = refused(429, 'RATE_LIMITS', message, { errorType: 'RATE_LIMIT', policyName })
    if (!settings.saysRetryAfter) return reply
    return { ...reply, headers: { ...reply.headers, 'retry-after': String(seconds) } }
  }

  return ({ path }, application) => {
    const now = clock.now()
    if (Math.floor(now / day) !== today) {
      today = Math.floor(now / day)
      count = 0
    }
    count += 1
    if (settings.callsPerDay !== null && count > settings.callsPerDay)
      return refuse('DAILY', Math.ceil(((today + 1) * day - now) / 1000))
    if (/^\/crm\/v3\/objects\/[^/]+\/search$/.test(path)) {
      const wait = callsPerMinute === null ? null : searched.take('account', searches.calls)
      // Searches do not tell of any limit.
      return wait === null ? {} : refuse('SECONDLY', wait)
    }
    const wait = bursts.take(application, most.calls)
    if (wait !== null) return refuse('TEN_SECONDLY_ROLLING', wait)
    if (callsPerMinute === null) return {}
    return {
      'x-hubspot-ratelimit-max': String(most.calls),
      'x-hubspot-ratelimit-remaining': String(most.calls - bursts.count(application)),
      'x-hubspot-ratelimit-interval-milliseconds': String(most.seconds * 1000),
    }
  }
}
