/** Writes questions to an index of words in the database's own syntax. */
import type { WordQuestion, WordWanted } from '../../search/word-question.ts'

export interface TokenLanguage {
  readonly and: string
  readonly or: string
  token(wanted: WordWanted): string
}

export function tokenQuestion(question: WordQuestion, language: TokenLanguage): string {
  if (!('of' in question)) return language.token(question)
  return `(${question.of.map((one) => tokenQuestion(one, language)).join(language[question.op])})`
}

/** Whether everything passes. */
export const everyWanted = (question: WordQuestion, passes: (wanted: WordWanted) => boolean): boolean =>
  'of' in question ? question.of.every((one) => everyWanted(one, passes)) : passes(question)
