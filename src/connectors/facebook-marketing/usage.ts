/** Meta's own count of calls, from the usage headers of its answers ("Rate limits"). */
import { plainNumber, type UpstreamAnswer, type Usage } from '../../kit/connector.ts'

/** Calls per hour, by the access of the application. */
export const fullAccess = 100_000
const limitedAccess = 300

/** The highest of all counts; null until Meta reports one, which it does after some calls. */
export function readUsage(headers: UpstreamAnswer['headers']): Usage | null {
  const told = headersOfUsage.flatMap((name) => usesIn(parsed(headers[name])))
  const percents = told.flatMap((use) => percentages.map((name) => plainNumber(use[name])))
  const used = Math.max(...percents.filter((percent) => percent >= 0))
  if (!Number.isFinite(used)) return null
  const limited = told.some(({ ads_api_access_tier: tier }) => tier === 'development_access')
  const calls = limited ? limitedAccess : fullAccess
  return {
    calls,
    remaining: Math.max(0, Math.floor((calls * (100 - used)) / 100)),
    // The count goes down by itself; close to its end, it is valid for longer.
    seconds: Math.max(used >= 95 ? 600 : 120, secondsToWait(headers) ?? 0),
  }
}

const headersOfUsage = [
  'x-app-usage',
  'x-business-use-case-usage',
  'x-ad-account-usage',
  'x-fb-ads-insights-throttle',
] as const
const percentages = ['call_count', 'total_time', 'total_cputime', 'acc_id_util_pct', 'app_id_util_pct'] as const

/** The header itself, or all entries of its lists by business or account. */
const usesIn = (header: Record<string, unknown>): Record<string, unknown>[] => [header, ...listed(header)]

const listed = (header: Record<string, unknown>): Record<string, unknown>[] =>
  Object.values(header)
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .filter((use): use is Record<string, unknown> => typeof use === 'object' && use !== null)

/** Seconds until the caller may ask again; undefined if no header says so. There is no Retry-After. */
export function secondsToWait(headers: UpstreamAnswer['headers']): number | undefined {
  const seconds = Math.max(
    regainSeconds(headers['x-business-use-case-usage']),
    resetSeconds(headers['x-ad-account-usage']),
  )
  return seconds > 0 ? Math.ceil(seconds) : undefined
}

/** Lists by business or account, with the time to regain access in minutes. */
function regainSeconds(header: string | string[] | undefined): number {
  const minutes = listed(parsed(header)).map((use) => plainNumber(use.estimated_time_to_regain_access))
  return Math.max(0, ...minutes.filter(Number.isFinite)) * 60
}

/** This header counts in seconds. */
function resetSeconds(header: string | string[] | undefined): number {
  const seconds = plainNumber(parsed(header).reset_time_duration)
  return Number.isFinite(seconds) ? seconds : 0
}

function parsed(header: string | string[] | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(header))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
