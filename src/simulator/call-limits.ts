/** Call limits like those of hosted systems: in a sliding time and concurrent, counted per token. */
import type { Clock } from './clock.ts'

export interface CallLimiter {
  /** Counts a call. Null allows it; a number refuses it and says after how many seconds to come back. */
  take(token: string, limit: number): number | null
  /** The calls in the time that ended with the last one. */
  count(token: string): number
}

/** A sliding minute. */
export const perMinute = (clock: Clock): CallLimiter => slidingWindow(clock, 60)

/** At most this many steps of equal length, at whose ends calls leave the window. */
const mostSlots = 60

/** A sliding time. Refused calls count too, so a caller that keeps calling stays locked out. */
export function slidingWindow(clock: Clock, seconds: number): CallLimiter {
  const windows = new Map<string, { counts: Uint32Array; step: number; sum: number }>()
  const slots = Math.min(mostSlots, seconds)
  const length = seconds / slots
  return {
    count: (token) => windows.get(token)?.sum ?? 0,
    take(token, limit) {
      const step = Math.floor(clock.now() / 1000 / length)
      let window = windows.get(token)
      if (window === undefined) {
        window = { counts: new Uint32Array(slots), step, sum: 0 }
        windows.set(token, window)
      }
      const passed = Math.min(slots, Math.max(0, step - window.step))
      for (let i = 1; i <= passed; i++) {
        const slot = (window.step + i) % slots
        window.sum -= window.counts[slot] as number
        window.counts[slot] = 0
      }
      window.step = Math.max(window.step, step)
      window.counts[window.step % slots]! += 1
      window.sum += 1
      if (window.sum <= limit) return null
      let left = window.sum
      for (let wait = 1; wait < slots; wait++) {
        left -= window.counts[(window.step + wait) % slots] as number
        if (left < limit) return Math.ceil(wait * length)
      }
      return Math.ceil(seconds)
    },
  }
}

export interface FlightCounter {
  /** Takes a place and returns the function that frees it; null if all are taken. */
  enter(token: string, places: number): (() => void) | null
}

export function inFlight(): FlightCounter {
  const flying = new Map<string, number>()
  return {
    enter(token, places) {
      const count = flying.get(token) ?? 0
      if (count >= places) return null
      flying.set(token, count + 1)
      return () => {
        const left = (flying.get(token) ?? 1) - 1
        if (left === 0) flying.delete(token)
        else flying.set(token, left)
      }
    },
  }
}
