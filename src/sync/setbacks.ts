/** Decides the cost of a failure: one list, the rest of its parent, or the pass. */
import { UnsoundList } from '../engine/paging/progress.ts'
import { ConexError, type ErrorCode } from '../errors.ts'

/** Failures that can affect one list and not another. Asking for less does not help against a refusal of access. */
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

/** This many failed windows in a row cost the rest of their parent. A week that fails on each of its days has fewer. */
const mostInRow = 16
/** This many parents in a row without a single page mean that the system is in trouble, not the parents. */
const mostParentsInRow = 5
/** A run looks into this many failures; the next run continues behind them. */
const mostFailures = 30
/** Conex waits for this many failures; after that, the engine's retries must be enough. */
const mostPatience = 3

/** Read the list in halves first, skip it, or skip the rest of its parent too. */
export type Verdict = 'split' | 'skip' | 'abandon'

export class Setbacks {
  readonly #answers: () => Promise<boolean>
  readonly #continued: boolean
  #inRow = 0
  #parentsInRow = 0
  #failures = 0
  #final: unknown = null

  /** `answers` asks whether the system answers at all; `continued` says that an earlier run began the pass. */
  constructor(answers: () => Promise<boolean>, continued: boolean) {
    this.#answers = answers
    this.#continued = continued
  }

  /** Whether the next failure is worth a long wait. */
  get patient(): boolean {
    return this.#inRow === 0 && this.#failures < mostPatience
  }

  pageCame(): void {
    this.#inRow = this.#parentsInRow = 0
  }

  /** The cost of a failed window, whole list, or list below a record. Throws the error if it ends the pass. */
  async judge(error: unknown, about: 'window' | 'list' | 'below'): Promise<Verdict> {
    if (!(error instanceof ConexError) || error === this.#final) throw error
    const sort = aboutOneList.get(error.code)
    const unsound = error instanceof UnsoundList
    // An answer from elsewhere, such as a sign-in page, ends the first run; the run that continues the pass skips it.
    const isForNextRun = error.code === 'upstream_invalid_response' && !unsound && !this.#continued
    if (sort === undefined || isForNextRun) throw error
    let verdict: Verdict = 'skip'
    if (sort !== 'access' && !unsound) {
      this.#inRow++
      if (sort === 'failure' && about !== 'below') this.#failures++
      if (about === 'window') verdict = this.#inRow < mostInRow ? 'split' : 'abandon'
    }
    if (sort !== 'failure') return verdict
    if (about !== 'window' || verdict === 'abandon') this.#parentsInRow++
    const isDown = !unsound && this.#inRow === 1 && !(await this.#answers())
    if (isDown || this.#failures > mostFailures || this.#parentsInRow >= mostParentsInRow) {
      this.#final = error
      throw error
    }
    return verdict
  }
}
