/** Counts calls per account and hour, reports the used share of the quota, and refuses more. */
import { type Clock, SimulatedRefusal, slidingWindow } from '../../../kit/simulator.ts'
import type { Account } from './accounts.ts'
import { errorReply, tooManyCalls } from './replies.ts'

export type Bucket = 'ads_management' | 'ads_insights'

const hour = 3_600
const tier = { ads_api_access_tier: 'standard_access' }

/** Counts a call and returns the headers that report it. `callsPerMinute` replaces the quotas; null lifts them. */
export function createUsage(clock: Clock, callsPerMinute: number | null | undefined) {
  const window = slidingWindow(clock, hour)

  function quotaOf(account: Account | null, bucket: Bucket): number {
    if (callsPerMinute === null) return Number.POSITIVE_INFINITY
    if (callsPerMinute !== undefined) return callsPerMinute * 60
    const ads = account?.counts.ad ?? 0
    // "Rate limits": full access, per hour.
    return bucket === 'ads_insights' ? 190_000 + 400 * ads : 100_000 + 40 * ads
  }

  return (account: Account | null, bucket: Bucket): Readonly<Record<string, string>> => {
    const key = `${account?.id ?? 'app'}/${bucket}`
    const quota = quotaOf(account, bucket)
    const wait = window.take(key, quota)
    const percent = Math.min(100, Math.floor((window.count(key) * 100) / quota))
    const minutes = percent < 100 ? 0 : Math.ceil((wait ?? hour) / 60)
    const headers = headersOf(account, bucket, percent, minutes)
    if (wait === null) return headers
    const limit = { code: 4, message: '(#4) Application request limit reached' }
    const error = account === null ? limit : tooManyCalls(bucket === 'ads_insights' ? 80000 : 80004)
    throw new SimulatedRefusal(errorReply(error, headers), 'limit')
  }
}

function headersOf(account: Account | null, bucket: Bucket, percent: number, minutes: number): Record<string, string> {
  const share = { call_count: percent, total_cputime: Math.floor(percent / 3), total_time: Math.floor(percent / 4) }
  if (account === null) return { 'x-app-usage': JSON.stringify(share) }
  const use = { type: bucket, ...share, estimated_time_to_regain_access: minutes, ...tier }
  const own = { acc_id_util_pct: percent, reset_time_duration: minutes * 60, ...tier }
  const throttle = { app_id_util_pct: 0, acc_id_util_pct: percent, ...tier }
  return {
    'x-app-usage': JSON.stringify({ call_count: 0, total_time: 0, total_cputime: 0 }),
    'x-business-use-case-usage': JSON.stringify({ [account.id]: [use] }),
    'x-ad-account-usage': JSON.stringify(own),
    ...(bucket === 'ads_insights' && { 'x-fb-ads-insights-throttle': JSON.stringify(throttle) }),
  }
}
