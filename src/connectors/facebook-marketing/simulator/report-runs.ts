/** Report runs: insights that are computed in the background. A run advances each time its state is requested. */
import { idOf, readId } from './ids.ts'
import type { InsightsQuery } from './insights.ts'

/** The states through which a run goes: the status after `Job`, and the percent that are done. The last one stays. */
type State = readonly [status: string, percent: number]

const ready: State = ['Completed', 100]
const failing: readonly State[] = [
  ['Running', 12],
  ['Failed', 12],
]
const usual: readonly State[] = [['Not Started', 0], ['Running', 46], ready]

/** How runs end: successfully, or in one of the ways seen in the real system. */
const manners = {
  complete: usual,
  /** Graph does not know it yet when it is first asked for. */
  unseen: usual,
  failed: failing,
  too_large: failing,
  skipped: [['Skipped', 0]],
  stuck: [['Running', 0]],
  running_at_100: [['Running', 100], ['Running', 100], ready],
  completed_below_100: [['Completed', 96], ['Completed', 96], ready],
} satisfies Readonly<Record<string, readonly State[]>>

export type RunManner = keyof typeof manners
export const runManners = Object.keys(manners) as readonly RunManner[]

const failures: Readonly<Record<string, object>> = {
  too_large: { error_code: -3, error_subcode: 1504045, error_message: 'The report is too large.' },
  failed: { error_code: -2, error_subcode: 2490547, error_message: 'The report could not be generated.' },
}

export interface Run {
  readonly kind: 'run'
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
}

export function createReportRuns(): ReportRuns {
  const runs: Run[] = []
  const self: ReportRuns = {
    manner: 'complete',
    start(query, now) {
      const id = idOf('run', query.account.index, runs.length)
      runs.push({ kind: 'run', id, query, manner: self.manner, made: now, asked: 0 })
      return id
    },
    find(id) {
      const read = readId(id)
      const run = read?.kind === 'run' ? runs[read.index] : undefined
      return run?.id === id ? run : undefined
    },
  }
  return self
}

/** Graph's description of a run, which advances; undefined while Graph does not know it. */
export function advance(run: Run): Readonly<Record<string, unknown>> | undefined {
  run.asked += 1
  if (run.manner === 'unseen' && run.asked === 1) return undefined
  const [status, percent] = stateOf(run)
  return {
    id: run.id,
    account_id: run.query.account.id,
    time_ref: Math.floor(run.made / 1000),
    async_status: `Job ${status}`,
    async_percent_completion: percent,
    ...(status === 'Failed' && failures[run.manner]),
  }
}

export const isReadable = (run: Run): boolean => stateOf(run)[0] === 'Completed'

function stateOf({ manner, asked }: Run): State {
  const states: readonly State[] = manners[manner]
  const step = (manner === 'unseen' ? asked - 1 : asked) - 1
  return states[Math.min(Math.max(step, 0), states.length - 1)]!
}
