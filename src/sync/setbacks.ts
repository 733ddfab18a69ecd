/** Decides what a failure costs: one list alone, the rest of its parent, or the pass. */
import { UnsoundList } from '../engine/paging/progress.ts'
import { ConexError, type ErrorCode } from '../errors.ts'

/** Failures that one list may meet and another not. Less of a list does not help against a refusal of access. */
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

/** This many failed windows in a row cost the rest of their parent. A week that fails on each of its days is fewer. */
const mostInRow = 16
/** This many parents in a row without a single page are the trouble of the system, not theirs. */
const mostParentsInRow = 5
/** A run looks into this many failures; the next run goes on behind them. */
const mostFailures = 30
/** This many failures are waited for; after that the repeats of the engine have to do. */
const mostPatience = 3

export type Verdict = 'skip' | 'split' | 'abandon'

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

  /**
   * What a failed `window`, whole `list`, or list `below` a record costs: itself, to be tried in halves first, or the rest of its
   * parent. Throws the error where it ends the pass.
   */
  async judge(error: unknown, about: 'window' | 'list' | 'below'): Promise<Verdict> {
    const sort = error instanceof ConexError && error !== this.#final ? aboutOneList.get(error.code) : undefined
    if (sort === undefined) throw error
    const { code } = error as ConexError
    const unsound = error instanceof UnsoundList
    // What is no answer of the system at all, such as a sign-in page, is skipped by a run that continues the pass.
    if (code === 'upstream_invalid_response' && !unsound && !this.#continued) throw error
    const alone = sort === 'access' || unsound
    if (!alone) this.#inRow++
    if (!alone && sort === 'failure') {
      if (about !== 'below') this.#failures++
      if (this.#failures > mostFailures || (this.#inRow === 1 && !(await this.#answers()))) this.#end(error)
    }
    const abandoned = !alone && about === 'window' && this.#inRow >= mostInRow
    const parentLost = about !== 'window' || abandoned
    if (parentLost && sort === 'failure' && ++this.#parentsInRow === mostParentsInRow) this.#end(error)
    return abandoned ? 'abandon' : about === 'window' && !alone ? 'split' : 'skip'
  }

  #end(error: unknown): never {
    this.#final = error
    throw error
  }
}
