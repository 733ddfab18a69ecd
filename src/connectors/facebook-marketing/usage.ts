/** How long Meta wants a caller to wait, read from the usage headers that come with its answers ("Rate limits"). */
import type { UpstreamAnswer } from '../../catalog/refusal.ts'

/** Seconds until the caller may ask again; undefined where no header says. There is no Retry-After. */
export function secondsToWait(headers: UpstreamAnswer['headers']): number | undefined {
  const seconds = Math.max(
    regainSeconds(headers['x-business-use-case-usage']),
    resetSeconds(headers['x-ad-account-usage']),
  )
  return seconds > 0 ? Math.ceil(seconds) : undefined
}

/** Lists by business or account; the time to regain access is told in minutes. */
function regainSeconds(header: string | string[] | undefined): number {
  const usage = parsed(header)
  const uses = Object.values(usage).flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  const minutes = uses.map((use) => Number((use as Record<string, unknown> | null)?.estimated_time_to_regain_access))
  return Math.max(0, ...minutes.filter(Number.isFinite)) * 60
}

/** This one counts in seconds. */
function resetSeconds(header: string | string[] | undefined): number {
  const seconds = Number(parsed(header).reset_time_duration)
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
