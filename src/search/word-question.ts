/** The words that a record must have to meet a condition: a question that may find too much, but never too little. */
import { beginningOf } from './beginnings.ts'
import { comparisonOf } from './comparison.ts'
import { textsIn } from './evaluate.ts'
import { wordRun, words } from './fold.ts'
import { type Pattern, parsePattern } from './pattern.ts'
import type { Columns, Condition, Json } from './query.ts'
import { partsOf } from './word-index.ts'

/**
 * A required part of a field: a whole word, the beginning of one, three consecutive characters, or no parts in the
 * index at all.
 */
export interface WordWanted {
  readonly op: 'word' | 'beginning' | 'part' | 'unparted'
  readonly field: string
  readonly text: string
  /** Every record with it meets the condition, if the index distinguishes all words of all records. */
  readonly exact: boolean
}

export interface WordsWanted {
  readonly op: 'and' | 'or'
  readonly of: readonly WordQuestion[]
  readonly exact: boolean
}

export type WordQuestion = WordWanted | WordsWanted

export interface Asking {
  /** Shorter beginnings are left out: thousands of words may have them, and the index would read them all. */
  readonly shortestBeginning: number
  /** The known share of the records that have it; 0 if it is rare. */
  readonly shareOf?: (wanted: WordWanted) => number
}

type Like = Extract<Condition, { readonly op: 'like' }>

/** More than this would cost more than they save. */
const mostWanted = 64
/**
 * The number of words of a value, or parts of a pattern, to ask for: each is read to its end, and the rarest of a few
 * is rare enough.
 */
const mostWords = 2
const mostParts = 3

/** The question; null if the words say nothing about the condition. */
export function wordQuestion(
  columns: Columns,
  condition: Condition,
  asking: Asking = { shortestBeginning: 1 },
): WordQuestion | null {
  const question = new Asker(columns, asking).ask(condition, null)
  return question === null || countWanted(question) > mostWanted ? null : question
}

class Asker {
  readonly #columns: Columns
  readonly #asking: Asking

  constructor(columns: Columns, asking: Asking) {
    this.#columns = columns
    this.#asking = asking
  }

  /** Inside `any`, the field is the array's, not the element's. */
  ask(condition: Condition, array: string | null): WordQuestion | null {
    switch (condition.op) {
      case 'and':
        return every(condition.of.map((part) => this.ask(part, array)))
      case 'or':
        return some(condition.of.map((part) => this.ask(part, array)))
      case 'not':
        return null
      default:
        break
    }
    const field = array ?? condition.path[0]
    const type = this.#columns.searchable[field]!
    if (type !== 'string' && type !== 'object' && type !== 'array') return null
    // The words of a field are known, but not their place in it.
    const whole = array === null && condition.path.length === 1
    const hasIndex = array === null && comparisonOf(this.#columns, condition) !== null
    switch (condition.op) {
      case 'any':
        return this.ask(condition.of, field)
      case 'keyword':
        return some(condition.words.map((text) => ({ op: 'word', field, text, exact: whole })))
      case 'fuzzy': {
        const exact = whole && condition.words.length === 1
        return every(condition.words.map((word) => this.#beginning(field, word, exact)))
      }
      case 'like':
        return this.#like(field, condition, array === null && type === 'string')
      // The index of a column contains whole texts.
      case 'eq':
        return hasIndex ? null : wordsOf(field, condition.value)
      case 'in':
        return hasIndex ? null : some(condition.values.map((value) => wordsOf(field, value)))
      case 'contains':
        return wordsOf(field, condition.value)
      default:
        return null
    }
  }

  #beginning(field: string, text: string, exact = false): WordWanted | null {
    return text.length < this.#asking.shortestBeginning ? null : { op: 'beginning', field, text, exact }
  }

  #like(field: string, { pattern, begins }: Like, mayHaveParts: boolean): WordQuestion | null {
    const all = literalRuns(parsePattern(pattern))
    // What the index of the column says of all of a beginning, words and parts say only worse.
    const isBegun = begins !== undefined && beginningOf(pattern)!.length === [...all[0]!.text].length
    const runs = isBegun ? all.slice(1) : all
    const parts = mayHaveParts ? runs.flatMap(({ text }) => partsOf(text)) : []
    const words = runs.flatMap((run) => this.#wordsOfRun(field, run))
    // If nothing is known, words are rarer than parts and faster to read: 2 ms instead of 60.
    if (parts.length === 0 || (this.#asking.shareOf === undefined && words.length > 0)) return every(words)
    const asked = this.#telling(
      words,
      parts.map((text) => ({ op: 'part', field, text, exact: false })),
    )
    const known = every(asked.filter(({ op }) => op === 'part'))
    const parted = known === null ? null : some([known, { op: 'unparted', field, text: '', exact: false }])
    return every([...asked.filter(({ op }) => op !== 'part'), parted])
  }

  /** The words and parts of a pattern to ask for: the rarest, if that is known. */
  #telling(words: readonly WordWanted[], parts: readonly WordWanted[]): readonly WordWanted[] {
    // Parts that do not overlap distinguish most.
    const step = Math.max(1, Math.floor(parts.length / mostParts))
    const apart = parts.filter((_, index) => index % step === 0).slice(0, mostParts)
    const { shareOf } = this.#asking
    if (shareOf === undefined) return apart
    const weighed = new Map([...words, ...apart, ...parts.slice(0, mostWanted)].map((one) => [one, shareOf(one)]))
    return [...weighed.keys()].sort((one, other) => weighed.get(one)! - weighed.get(other)!).slice(0, mostParts)
  }

  /** The whole words in a run of a pattern, and the beginnings of others. */
  #wordsOfRun(field: string, { text, starts, ends }: Run): WordWanted[] {
    const found: WordWanted[] = []
    for (const match of text.matchAll(wordRun)) {
      if (match.index === 0 && !starts) continue
      const open = match.index + match[0].length === text.length && !ends
      if (!open) found.push({ op: 'word', field, text: match[0], exact: false })
      else {
        const beginning = this.#beginning(field, match[0])
        if (beginning !== null) found.push(beginning)
      }
    }
    return found.slice(0, mostWords)
  }
}

/** The rarest words of a value. A date-time may be written in other words, so it says nothing. */
function wordsOf(field: string, value: Json): WordQuestion | null {
  const identifying = new Set(identifiersIn(value).flatMap(words))
  const found = new Set<string>()
  for (const text of textsIn(value)) if (!mayBeInstant(text)) for (const word of words(text)) found.add(word)
  const rarity = (word: string) => (identifying.has(word) ? 200 : 0) + (/\d\d\d/.test(word) ? 100 : 0) + word.length
  const rarest = [...found].sort((one, other) => rarity(other) - rarity(one)).slice(0, mostWords)
  return every(rarest.map((text) => ({ op: 'word', field, text, exact: false })))
}

/** The texts of a value's identifiers: they are rarer than other words, which are rarer the longer they are. */
function identifiersIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, part]) =>
    /^(g|u)?id$/i.test(key) && typeof part === 'string' ? [part] : [],
  )
}

const mayBeInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT/i.test(text)

/** All of them must match, so those that say nothing can be left out. */
function every(questions: readonly (WordQuestion | null)[]): WordQuestion | null {
  const known = questions.filter((question) => question !== null)
  return known.length === 0 ? null : combined('and', known, known.length === questions.length)
}

/** One of them is enough, so a single one that says nothing makes the question useless. */
function some(questions: readonly (WordQuestion | null)[]): WordQuestion | null {
  return questions.length === 0 || questions.includes(null) ? null : combined('or', questions as WordQuestion[], true)
}

function combined(op: 'and' | 'or', of: readonly WordQuestion[], all: boolean): WordQuestion {
  const exact = all && of.every((question) => question.exact)
  return of.length === 1 ? { ...of[0]!, exact } : { op, of, exact }
}

const countWanted = (question: WordQuestion): number =>
  'of' in question ? question.of.reduce((sum, part) => sum + countWanted(part), 0) : 1

interface Run {
  readonly text: string
  /** The run is at the beginning of the text. */
  readonly starts: boolean
  readonly ends: boolean
}

/** The literal characters of a pattern, in runs without a wildcard. */
function literalRuns({ pieces }: Pattern): Run[] {
  const runs: Run[] = []
  for (const [number, piece] of pieces.entries()) {
    let text = ''
    let starts = number === 0
    for (const [index, character] of [...piece, null].entries()) {
      if (character !== null) {
        text += character
        continue
      }
      const ends = index === piece.length && number === pieces.length - 1
      if (text !== '') runs.push({ text, starts, ends })
      text = ''
      starts = false
    }
  }
  return runs
}
