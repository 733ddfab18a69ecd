/** Puts questions to the index of words in the database's language for such. */
import type { Condition, Searchable } from '../../search/query.ts'
import { type Asking, type WordQuestion, type WordWanted, wordQuestion } from '../../search/word-question.ts'
import {
  fieldToken,
  longestToken,
  overflowToken,
  partToken,
  quotedToken,
  unpartedToken,
  wordBeginning,
  wordToken,
} from './copy-words.ts'
import { allOf, oneOf, type WordShares } from './search-shares.ts'

/** A question as it is written. */
export interface Question {
  readonly text: string
  /** What it finds meets the condition, except for records that have too many words to be asked. */
  readonly exact: boolean
}

/** Asks about the records of one copy. */
export class Asker {
  readonly #searchable: Searchable
  readonly #places: readonly string[]
  readonly #copy: number
  readonly #shares: WordShares | null
  readonly #asking: Asking

  constructor(searchable: Searchable, copy: number, shares: WordShares | null) {
    this.#searchable = searchable
    this.#places = Object.keys(searchable)
    this.#copy = copy
    this.#shares = shares
    this.#asking = { shortestBeginning: 1, ...(shares && { shareOf: (wanted) => this.#shareOf(wanted, shares) }) }
  }

  /** The question, or null when the words say nothing about the condition. */
  ask(condition: Condition): Question | null {
    const question = this.#question(condition)
    return question === null ? null : { text: this.#written(question), exact: question.exact && isWhole(question) }
  }

  /** What part of the records the question finds, about; null when the words say nothing about the condition, or it is not known. */
  share(condition: Condition): number | null {
    const question = this.#question(condition)
    return question === null || this.#shares === null ? null : this.#shareOf(question, this.#shares)
  }

  #question(condition: Condition): WordQuestion | null {
    return wordQuestion(this.#searchable, condition, this.#asking)
  }

  #shareOf(question: WordQuestion, shares: WordShares): number {
    if ('of' in question) {
      const parts = question.of.map((part) => this.#shareOf(part, shares))
      return question.op === 'and' ? allOf(parts) : oneOf(parts)
    }
    const token = this.#tokenOf(question)
    return question.op === 'beginning' ? shares.ofBeginning(token) : shares.of(token)
  }

  /** The same, also finding records with too many words to be asked. */
  orOverflowed(text: string): string {
    return `(${text}) | ${quotedToken(overflowToken(this.#copy))}`
  }

  #written(question: WordQuestion): string {
    if ('of' in question)
      return `(${question.of.map((part) => this.#written(part)).join(question.op === 'and' ? ' & ' : ' | ')})`
    const token = quotedToken(this.#tokenOf(question))
    return question.op === 'beginning' ? `${token}:*` : token
  }

  #tokenOf(wanted: WordWanted): string {
    return tokenOf(fieldToken(this.#copy, this.#places.indexOf(wanted.field)), wanted)
  }
}

function tokenOf(field: string, { op, text }: WordWanted): string {
  switch (op) {
    case 'word':
      return wordToken(field, text)
    case 'beginning':
      return wordBeginning(field, text)
    case 'part':
      return partToken(field, text)
    case 'unparted':
      return unpartedToken(field)
  }
}

/** Whether no beginning is longer than what a token has of a word. */
const isWhole = (question: WordQuestion): boolean =>
  'of' in question ? question.of.every(isWhole) : question.op !== 'beginning' || question.text.length <= longestToken
