/** Call limits like those of hosted systems: per minute and concurrent, counted per token. */
import type { Clock } from './clock.ts'

export interface CallLimiter {
  /** Counts a call. Null allows it; a number refuses it and says after how many seconds to come back. */
  take(token: string, limit: number): number | null
}

/** A sliding minute. Refused calls count too, so a caller that keeps calling stays locked out. */
export function perMinute(clock: Clock): CallLimiter {
  const windows = new Map<string, { counts: Uint32Array; second: number; sum: number }>()
  return {
    take(token, limit) {
      const second = Math.floor(clock.now() / 1000)
      let window = windows.get(token)
      if (window === undefined) {
        window = { counts: new Uint32Array(60), second, sum: 0 }
        windows.set(token, window)
      }
      const passed = Math.min(60, Math.max(0, second - window.second))
      for (let i = 1; i <= passed; i++) {
        const slot = (window.second + i) % 60
        window.sum -= window.counts[slot] as number
        window.counts[slot] = 0
      }
      window.second = Math.max(window.second, second)
      window.counts[window.second % 60]! += 1
      window.sum += 1
      if (window.sum <= limit) return null
      let left = window.sum
      for (let wait = 1; wait < 60; wait++) {
        left -= window.counts[(window.second + wait) % 60] as number
        if (left < limit) return wait
      }
      return 60
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
