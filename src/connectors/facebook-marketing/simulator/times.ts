/** Times as the simulated system writes them. */
import { param } from '../../../kit/simulator.ts'
import type { Account } from './accounts.ts'

export const day = 86_400_000

/** Everything generated was created before this moment. */
export const anchor = Date.UTC(2026, 5, 1, 7, 0, 0)

/** In the time zone of an account, without a colon in the offset: `2023-03-17T08:04:28-0700`. */
export function accountTime(ms: number, { timezone }: Account): string {
  const local = new Date(ms + timezone.hours * 3_600_000).toISOString().slice(0, 19)
  const sign = timezone.hours < 0 ? '-' : '+'
  return `${local}${sign}${String(Math.abs(timezone.hours)).padStart(2, '0')}00`
}

/** The form of conversions and videos: `…+0000`. */
export const universalTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+0000`

/** Days since 1970 in the time zone of an account. */
export const accountDay = (ms: number, { timezone }: Account): number =>
  Math.floor((ms + timezone.hours * 3_600_000) / day)

export const dateOf = (dayNumber: number): string => new Date(dayNumber * day).toISOString().slice(0, 10)

/** Undefined if there is no such date. */
export const dayOf = (date: string): number | undefined => (param.isDate(date) ? Date.parse(date) / day : undefined)
