/** Stands in for a mode that is loaded by the first call. */
import type { Mode } from './mode.ts'
import { once } from './once.ts'

export function modeToCome(name: Mode['mode'], load: () => Promise<Mode>): Mode {
  let asked = false
  const loaded = once(load)
  const mode = (): Promise<Mode> => {
    asked = true
    return loaded()
  }
  return {
    mode: name,
    execute: async (...call) => (await mode()).execute(...call),
    async *pages(...call) {
      yield* (await mode()).pages(...call)
    },
    download: async (...call) => (await mode()).download(...call),
    check: async (...call) => (await mode()).check(...call),
    describe: async (...call) => (await mode()).describe(...call),
    async close() {
      if (asked) await (await mode()).close()
    },
  }
}
