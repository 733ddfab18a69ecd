/** Puts questions to the index of words in the language of FTS5. */
import type { Condition } from '../../search/query.ts'
import { type WordQuestion, type WordWanted, wordQuestion } from '../../search/word-question.ts'
import type { CopyTable } from './copy-table.ts'
import { isWholeToken, partToken, unpartedToken, type WordedField, wordToken } from './copy-words.ts'

export interface WordsMatch {
  readonly match: string
  /** What it finds meets the condition; nothing more has to be asked of it. */
  readonly exact: boolean
}

/** What has to match, or null when the words say nothing about the condition, or nothing quickly. */
export function wordsMatch(table: CopyTable, copy: number, condition: Condition, quick: boolean): WordsMatch | null {
  const question = wordQuestion(table.searchable, condition, { shortestBeginning: quick ? 3 : 1 })
  if (question === null) return null
  const exact = question.exact && wantedIn(question).every(({ text }) => isWholeToken(text))
  return { match: written(table, copy, question), exact }
}

function written(table: CopyTable, copy: number, question: WordQuestion): string {
  if ('of' in question) {
    const parts = question.of.map((part) => written(table, copy, part))
    return `(${parts.join(question.op === 'and' ? ' AND ' : ' OR ')})`
  }
  const token = tokenOf({ copy, place: table.worded.indexOf(question.field) }, question)
  return question.op === 'beginning' ? `"${token}" *` : `"${token}"`
}

function tokenOf(field: WordedField, { op, text }: WordWanted): string {
  if (op === 'part') return partToken(field, text)
  return op === 'unparted' ? unpartedToken(field) : wordToken(field, text)
}

const wantedIn = (question: WordQuestion): readonly WordWanted[] =>
  'of' in question ? question.of.flatMap(wantedIn) : [question]
