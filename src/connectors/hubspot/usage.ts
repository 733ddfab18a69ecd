/** HubSpot's own count of calls, as its answers tell it ("Usage guidelines"). Those of searches tell nothing. */
import type { ReadUsage } from '../../kit/connector.ts'

export const usage: ReadUsage = (headers) => {
  const [calls, remaining, milliseconds] = ['max', 'remaining', 'interval-milliseconds'].map((name) => {
    const told = headers[`x-hubspot-ratelimit-${name}`]
    return typeof told === 'string' && /^\d{1,9}$/.test(told) ? Number(told) : Number.NaN
  }) as [number, number, number]
  if (!(calls > 0 && remaining >= 0 && milliseconds > 0)) return null
  return { calls, remaining: Math.min(calls, remaining), seconds: milliseconds / 1000 }
}
