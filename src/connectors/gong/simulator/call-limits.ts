/** Three calls a second and 10,000 a day for the whole company. Refused calls do not count. */
import type { Clock } from '../../../kit/simulator.ts'
import { day, second } from './calendar.ts'
import type { Settings } from './state.ts'

/** Null allows a call; a number refuses it and says after how many seconds to come back. */
export function createLimits(clock: Clock, settings: Settings): () => number | null {
  let tokens: number | undefined
  let filled = clock.now()
  let today = -1
  let count = 0

  return () => {
    const now = clock.now()
    if (Math.floor(now / day) !== today) {
      today = Math.floor(now / day)
      count = 0
    }
    if (settings.callsPerDay !== null && count >= settings.callsPerDay)
      return Math.ceil(((today + 1) * day - now) / second)
    if (settings.callsPerSecond !== null) {
      const most = settings.callsPerSecond
      tokens = Math.min(most, (tokens ?? most) + (Math.max(0, now - filled) / second) * most)
      filled = now
      if (tokens < 1) return 1
      tokens -= 1
    }
    count += 1
    return null
  }
}
