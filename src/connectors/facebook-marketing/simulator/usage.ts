/** Counts calls per account and hour, reports the used share of the quota, and refuses more. */
import { type Clock, SimulatedRefusal } from '../../../kit/simulator.ts'
import type { Account } from './accounts.ts'
import { errorReply } from './replies.ts'

export type Bucket = 'ads_management' | 'ads_insights'

export interface Usage {
  /** Counts a call and returns the headers that report it. */
  take(account: Account | null, bucket: Bucket): Readonly<Record<string, string>>
}

const minute = 60_000
const hour = 60

/** `callsPerMinute` replaces the quotas; null lifts them. */
export function createUsage(clock: Clock, callsPerMinute: number | null | undefined): Usage {
  const counted = new Map<string, Map<number, number>>()

  function quotaOf(account: Account | null, bucket: Bucket): number {
    if (callsPerMinute === null) return Number.POSITIVE_INFINITY
    if (callsPerMinute !== undefined) return callsPerMinute * hour
    const ads = account?.counts.ad ?? 0
    // "Rate limits": full access, per hour.
    return bucket === 'ads_insights' ? 190_000 + 400 * ads : 100_000 + 40 * ads
  }

  return {
    take(account, bucket) {
      const key = `${account?.id ?? 'app'}/${bucket}`
      const now = Math.floor(clock.now() / minute)
      const minutes = counted.get(key) ?? new Map<number, number>()
      counted.set(key, minutes)
      minutes.set(now, (minutes.get(now) ?? 0) + 1)
      let sum = 0
      for (const [at, count] of minutes) {
        if (at <= now - hour) minutes.delete(at)
        else sum += count
      }
      const percent = Math.min(100, Math.floor((sum * 100) / quotaOf(account, bucket)))
      const regain = percent < 100 ? 0 : Math.max(1, Math.min(...minutes.keys()) + hour - now)
      const headers = headersOf(account, bucket, percent, regain)
      if (sum > quotaOf(account, bucket)) throw tooMany(account, bucket, headers)
      return headers
    },
  }
}

function headersOf(account: Account | null, bucket: Bucket, percent: number, regain: number): Record<string, string> {
  const share = { call_count: percent, total_cputime: Math.floor(percent / 3), total_time: Math.floor(percent / 4) }
  if (account === null) return { 'x-app-usage': JSON.stringify(share) }
  const use = {
    type: bucket,
    ...share,
    estimated_time_to_regain_access: regain,
    ads_api_access_tier: 'standard_access',
  }
  return {
    'x-app-usage': JSON.stringify({ call_count: 0, total_time: 0, total_cputime: 0 }),
    'x-business-use-case-usage': JSON.stringify({ [account.id]: [use] }),
    'x-ad-account-usage': JSON.stringify({
      acc_id_util_pct: percent,
      reset_time_duration: regain * 60,
      ads_api_access_tier: 'standard_access',
    }),
    ...(bucket === 'ads_insights'
      ? {
          'x-fb-ads-insights-throttle': JSON.stringify({
            app_id_util_pct: 0,
            acc_id_util_pct: percent,
            ads_api_access_tier: 'standard_access',
          }),
        }
      : {}),
  }
}

function tooMany(account: Account | null, bucket: Bucket, headers: Readonly<Record<string, string>>): SimulatedRefusal {
  if (account === null)
    return new SimulatedRefusal(
      errorReply({ code: 4, message: '(#4) Application request limit reached' }, headers),
      'limit',
    )
  const code = bucket === 'ads_insights' ? 80000 : 80004
  const message = `(#${code}) There have been too many calls to this ad-account. Wait a bit and try again. For more info, please refer to https://developers.facebook.com/docs/graph-api/overview/rate-limiting.`
  return new SimulatedRefusal(errorReply({ code, subcode: 2446079, message }, headers), 'limit')
}
