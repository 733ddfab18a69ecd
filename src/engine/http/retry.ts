/** When and how long to wait before asking a third-party system again. */
import type { EngineSettings } from '../settings.ts'
import { onlyValue } from './messages.ts'

/** The shortest pause before a repeat, in milliseconds, so that chance never makes it none at all. */
const shortestPause = 50

/** Milliseconds to wait before the given repeat (1-based): full jitter, never less than the system asked for. */
export function retryDelay(repeat: number, asked: number, random: () => number): number {
  const jitter = random() * Math.min(30_000, 500 * 2 ** repeat)
  return Math.max(asked, shortestPause, Math.round(jitter))
}

/** When a call has to end, and what ends it earlier. */
export interface Deadline {
  readonly settings: EngineSettings
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly endsAt: number
}

/** An attempt that failed in a way that passes, and how many milliseconds the system asked to wait before the next. */
export class Passing {
  readonly error: Error
  readonly asked: number
  constructor(error: Error, asked = 0) {
    this.error = error
    this.asked = asked
  }
}

/** Attempts something as often as the settings allow while its failures pass and there is time; throws the last of them. */
export async function repeated<T>(
  { settings, signal, endsAt }: Deadline,
  attempt: () => Promise<T | Passing>,
): Promise<T> {
  const { retries, retryCeiling, clock, random } = settings
  for (let repeat = 1; ; repeat++) {
    const outcome = await attempt()
    if (!(outcome instanceof Passing)) return outcome
    const { error, asked } = outcome
    const wait = retryDelay(repeat, asked, random)
    if (repeat > retries || asked > retryCeiling || clock.now() + wait >= endsAt) throw error
    await clock.sleep(wait, signal)
  }
}

/** A wait so long that it only means "not now", in milliseconds: a year. More digits than that are noise. */
export const longestWait = 365 * 24 * 3600 * 1000

// Every form of an HTTP date begins with the name of a day (RFC 9110, 5.6.7); Date.parse alone would read dates into "-5".
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/i

/** The milliseconds that a Retry-After header asks for: seconds or an HTTP date; 0 when it asks for nothing, or comes with others. */
export function retryAfter(header: string | string[] | undefined, now: number): number {
  const value = onlyValue(header)?.trim()
  if (value === undefined || value === '') return 0
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Math.ceil(Number(value) * 1000), longestWait)
  const date = httpDate.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.min(Math.max(0, date - now), longestWait)
}
