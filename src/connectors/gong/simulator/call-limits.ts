/** Three calls a second and 10,000 a day for the whole company. Refused calls do not count. */
import type { Clock } from '../../../kit/simulator.ts'
import { day, second } from './calendar.ts'
import type { Settings } from './settings.ts'

/** Null allows a call; a number refuses it and says after how many seconds to come back. */
export function createLimits(clock: Clock, settings: Settings): () => number | null {
  let tokens = Number.POSITIVE_INFINITY
  let filled = clock.now()
  let today = -1
  let count = 0

  return () => {
    const now = clock.now()
    const date = Math.floor(now / day)
    if (date !== today) count = 0
    today = date
    const { calls_per_day: perDay, calls_per_second: perSecond } = settings
    if (perDay !== null && count >= perDay) return Math.ceil(((today + 1) * day - now) / second)
    if (perSecond !== null) {
      tokens = Math.min(perSecond, tokens + (Math.max(0, now - filled) / second) * perSecond)
      filled = now
      if (tokens < 1) return 1
      tokens -= 1
    }
    count += 1
    return null
  }
}
