/** Report runs: insights that are computed in the background. A run advances each time its state is requested. */
import { idOf, readId } from './ids.ts'
import type { InsightsQuery } from './insights.ts'

/** How runs end: successfully, or in one of the ways seen in the real system. */
export const runManners = [
  'complete',
  'unseen',
  'failed',
  'too_large',
  'skipped',
  'stuck',
  'running_at_100',
  'completed_below_100',
] as const
export type RunManner = (typeof runManners)[number]

interface Run {
  readonly id: string
  readonly query: InsightsQuery
  readonly manner: RunManner
  readonly made: number
  asked: number
}

export interface ReportRuns {
  /** How the next runs will end. */
  manner: RunManner
  start(query: InsightsQuery, now: number): string
  find(id: string): Run | undefined
  /** Graph's description of a run; undefined while Graph does not know it. */
  ask(run: Run): Record<string, unknown> | undefined
}

export function createReportRuns(): ReportRuns {
  const runs: Run[] = []
  const self: ReportRuns = {
    manner: 'complete',
    start(query, now) {
      const id = idOf('run', query.account.index, runs.length)
      runs.push({ id, query, manner: self.manner, made: now, asked: 0 })
      return id
    },
    find(id) {
      const read = readId(id)
      const run = read?.kind === 'run' ? runs[read.index] : undefined
      return run?.id === id ? run : undefined
    },
    ask(run) {
      run.asked += 1
      if (run.manner === 'unseen' && run.asked === 1) return undefined
      const [status, percent] = stateOf(run)
      return {
        id: run.id,
        account_id: run.query.account.id,
        time_ref: Math.floor(run.made / 1000),
        async_status: status,
        async_percent_completion: percent,
        ...errorOf(run, status),
      }
    },
  }
  return self
}

export const isReadable = (run: Run): boolean => stateOf(run)[0] === 'Job Completed'

function stateOf({ manner, asked }: Run): [status: string, percent: number] {
  const step = manner === 'unseen' ? asked - 1 : asked
  switch (manner) {
    case 'stuck':
      return ['Job Running', 0]
    case 'failed':
    case 'too_large':
      return step < 2 ? ['Job Running', 12] : ['Job Failed', 12]
    case 'skipped':
      return ['Job Skipped', 0]
    case 'running_at_100':
      return step < 3 ? ['Job Running', 100] : ['Job Completed', 100]
    case 'completed_below_100':
      return step < 3 ? ['Job Completed', 96] : ['Job Completed', 100]
    default:
      if (step < 2) return ['Job Not Started', 0]
      return step < 3 ? ['Job Running', 46] : ['Job Completed', 100]
  }
}

function errorOf({ manner }: Run, status: string): Record<string, unknown> {
  if (status !== 'Job Failed') return {}
  return manner === 'too_large'
    ? { error_code: -3, error_subcode: 1504045, error_message: 'The report is too large.' }
    : { error_code: -2, error_subcode: 2490547, error_message: 'The report could not be generated.' }
}
