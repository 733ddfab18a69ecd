/** A mode that the first call loads. */
import type { Mode } from './mode.ts'

export function lazyMode(name: Mode['mode'], load: () => Promise<Mode>): Mode {
  let loading: Promise<Mode> | null = null
  const mode = (): Promise<Mode> => {
    loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
  return {
    mode: name,
    execute: async (...call) => (await mode()).execute(...call),
    async *pages(...call) {
      yield* (await mode()).pages(...call)
    },
    download: async (...call) => (await mode()).download(...call),
    request: async (...call) => (await mode()).request(...call),
    check: async (...call) => (await mode()).check(...call),
    describe: async (...call) => (await mode()).describe(...call),
    // If loading failed, there is nothing to close.
    close: async () =>
      loading?.then(
        (open) => open.close(),
        () => {},
      ),
  }
}
