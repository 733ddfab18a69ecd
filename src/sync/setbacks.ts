/** What becomes of a pass when one of its lists fails: whether that costs the list alone, all of its parent, or the pass. */
import { UnsoundList } from '../engine/paging/progress.ts'
import { ConexError, type ErrorCode } from '../errors.ts'

/** What one list may meet and others not. A refusal of access is the same for any part of the list. */
const aboutOneList: ReadonlyMap<ErrorCode, 'access' | 'refusal' | 'failure'> = new Map([
  ['upstream_forbidden', 'access'],
  ['upstream_plan_required', 'access'],
  ['record_not_found', 'access'],
  ['upstream_refused', 'refusal'],
  ['invalid_cursor', 'failure'],
  ['upstream_error', 'failure'],
  ['upstream_invalid_response', 'failure'],
  ['upstream_timeout', 'failure'],
])

/** So many lists in a row cost the rest of their parent; a week that fails on each of its days is fewer. */
const mostInRow = 16
/** So many parents in a row, of which nothing could be read, are the system's trouble and not theirs. */
const mostParentsInRow = 5
/** The same of what hangs below records. */
const mostBelowInRow = 3
/** So many lists that fail are looked into by one run; the next one goes on behind them. */
const mostFailures = 30
/** So many are asked for again in good time; after that the engine's own repeats have to do. */
const mostPatience = 3

export type Verdict = 'skip' | 'split' | 'parent'

export interface Setbacks {
  /** Whether a failure now is worth a long wait. */
  readonly patient: boolean
  /** A page came. */
  came(): void
  /** Throws what ends the pass. */
  list(error: unknown): Promise<Verdict>
  /** The same of a list below a record. */
  below(error: unknown): void
  parentLost(error: ConexError): void
}

/** `answers` asks whether the system answers at all. */
export function createSetbacks(answers: () => Promise<boolean>): Setbacks {
  let inRow = 0
  let belowInRow = 0
  let parentsInRow = 0
  let failures = 0
  let final: ConexError | null = null

  /** What sort of trouble it is; throws what is not about one list. */
  function sortOf(error: unknown): 'access' | 'refusal' | 'failure' {
    const sort = error instanceof ConexError && error !== final ? aboutOneList.get(error.code) : undefined
    if (sort === undefined) throw error
    return sort
  }

  function end(error: ConexError): never {
    final = error
    throw error
  }

  return {
    get patient() {
      return inRow === 0 && failures < mostPatience
    },
    came() {
      inRow = belowInRow = parentsInRow = 0
    },
    async list(error) {
      const sort = sortOf(error)
      if (sort === 'access' || error instanceof UnsoundList) return 'skip'
      inRow++
      if (sort === 'failure') {
        failures++
        if (failures > mostFailures || (inRow === 1 && !(await answers()))) end(error as ConexError)
      }
      return inRow < mostInRow ? 'split' : 'parent'
    },
    below(error) {
      if (sortOf(error) === 'failure' && ++belowInRow === mostBelowInRow) end(error as ConexError)
    },
    parentLost(error) {
      if (aboutOneList.get(error.code) === 'failure' && ++parentsInRow === mostParentsInRow) end(error)
    },
  }
}
