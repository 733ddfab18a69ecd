/** The third-party system as a sync reads it: a request that failed for a passing reason is repeated in good time. */
import type { GetOperation, ListOperation } from '../catalog/operation.ts'
import type { Params } from '../catalog/rules.ts'
import type { Stream, StreamedRecord } from '../catalog/stream.ts'
import type { StreamCall, StreamPage } from '../engine/call/call.ts'
import type { Engine } from '../engine/engine.ts'
import type { PageSize } from '../engine/paging/page-size.ts'
import type { Clock } from '../engine/settings.ts'
import { ConexError, errorKinds } from '../errors.ts'

export interface StreamReader {
  /** One page; `patient` says that a failure is worth a long wait. */
  page(list: ListOperation, params: Params, size: PageSize | undefined, patient: boolean): Promise<StreamPage>
  /** Whether the system answers at all, by the kind's own check. */
  answers(): Promise<boolean>
  record(get: GetOperation, params: Params): Promise<StreamedRecord>
  /** Whether the system says that it has no record of this id. */
  isGone(confirm: NonNullable<Stream['confirm']>, id: string): Promise<boolean>
}

/** Beyond the engine's own repeats, which end with the deadline of one call. */
const mostRepeats = 3
/** A longer wait is left to the next sync. */
const longestWait = 300_000
const usualWait = 5_000

export function createStreamReader(
  engine: Pick<Engine, 'streamPage' | 'streamRecord' | 'check'>,
  call: Omit<StreamCall, 'params'>,
  { clock, stop }: { readonly clock: Clock; readonly stop: AbortSignal },
): StreamReader {
  async function patiently<T>(ask: () => Promise<T>, patient = true): Promise<T> {
    for (let repeat = 1; ; repeat++) {
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof ConexError) || !errorKinds[error.code].retry || repeat > mostRepeats) throw error
        if (!patient && error.code !== 'upstream_rate_limited') throw error
        const wait = Math.max((error.retryAfter ?? 0) * 1000, usualWait * repeat)
        if (wait > longestWait) throw error
        await clock.sleep(wait, stop)
      }
    }
  }

  /** Null without an error of the system. */
  async function errorOf(asked: Promise<unknown>): Promise<ConexError | null> {
    try {
      await asked
      return null
    } catch (error) {
      if (error instanceof ConexError) return error
      throw error
    }
  }

  const record: StreamReader['record'] = (get, params) => patiently(() => engine.streamRecord({ ...call, params }, get))
  return {
    page: (list, params, size, patient) => patiently(() => engine.streamPage({ ...call, params, size }, list), patient),
    answers: async () => (await errorOf(engine.check(call))) === null,
    record,
    isGone: async ({ get, param }, id) => (await errorOf(record(get, { [param]: id })))?.code === 'record_not_found',
  }
}
