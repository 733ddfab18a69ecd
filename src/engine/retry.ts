/** When and how long to wait before asking a third-party system again. */

/** The shortest pause before a repeat, in milliseconds, so that chance never makes it none at all. */
const shortestPause = 50

/** Milliseconds to wait before the given repeat (1-based): full jitter, never less than the system asked for. */
export function retryDelay(repeat: number, asked: number, random: () => number): number {
  const jitter = random() * Math.min(30_000, 500 * 2 ** repeat)
  return Math.max(asked, shortestPause, Math.round(jitter))
}

/** The milliseconds that a Retry-After header asks for: seconds or an HTTP date; 0 when it asks for nothing. */
export function retryAfter(header: string | string[] | undefined, now: number): number {
  const value = (Array.isArray(header) ? header[0] : header)?.trim()
  if (value === undefined || value === '') return 0
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
