/** Which tokens a record must have to meet a condition: a question to the index of words that may find too much, never too little. */
import { textsIn } from '../../search/evaluate.ts'
import { words } from '../../search/fold.ts'
import { type Pattern, parsePattern } from '../../search/pattern.ts'
import type { Condition, Json } from '../../search/query.ts'
import type { CopyTable } from './copy-table.ts'
import { partTokens, type WordedField, wholeToken, wordToken } from './copy-words.ts'

/** More tokens than this make the question dearer than what it saves. */
const mostTokens = 32
/** Words of a value, and parts of a pattern, to ask for: each is read to its end, and the rarest of a few is rare enough. */
const mostWords = 2
const mostParts = 3
/** Beginnings shorter than this may be those of thousands of words, all of which are read before the first record is known. */
const shortestQuickBeginning = 3

/** The question in the language of FTS5, or null when the words say nothing about the condition, or nothing quickly. */
export function wordsQuestion(table: CopyTable, copy: number, condition: Condition, quick: boolean): string | null {
  const question = new Asker(table, copy, quick).ask(condition, null)
  return question === null || question.tokens > mostTokens ? null : question.text
}

interface Question {
  readonly text: string
  readonly tokens: number
}

class Asker {
  readonly #table: CopyTable
  readonly #copy: number

  readonly #quick: boolean

  constructor(table: CopyTable, copy: number, quick: boolean) {
    this.#table = table
    this.#copy = copy
    this.#quick = quick
  }

  /** Inside `any` the field is that of the array, whatever the element's own field is called. */
  ask(condition: Condition, field: string | null): Question | null {
    switch (condition.op) {
      case 'and':
        return every(condition.of.map((part) => this.ask(part, field)))
      case 'or':
        return some(condition.of.map((part) => this.ask(part, field)))
      case 'not':
        return null
      default:
        break
    }
    const name = field ?? condition.path[0]
    const at = this.#field(name)
    if (at === null) return null
    switch (condition.op) {
      case 'any':
        return this.ask(condition.of, name)
      case 'keyword':
        return some(condition.words.map((word) => exactly(wordToken(at, word))))
      case 'fuzzy':
        return every(condition.words.map((word) => this.#beginning(at, word)))
      case 'like':
        return this.#like(at, condition.pattern, field === null && this.#table.searchable[name] === 'string')
      case 'eq':
      case 'contains':
        return this.#value(at, condition.value)
      case 'in':
        return some(condition.values.map((value) => this.#value(at, value)))
      default:
        return null
    }
  }

  #field(name: string): WordedField | null {
    const place = this.#table.worded.indexOf(name)
    return place < 0 ? null : { copy: this.#copy, place }
  }

  #beginning(at: WordedField, word: string): Question | null {
    return this.#quick && word.length < shortestQuickBeginning ? null : beginning(wordToken(at, word))
  }

  /** A date-time may be written in other words, so that it says nothing. */
  #value(at: WordedField, value: Json): Question | null {
    const found = new Set<string>()
    for (const text of textsIn(value)) if (!mayBeInstant(text)) for (const word of words(text)) found.add(word)
    const rarest = [...found].sort((one, other) => rarity(other) - rarity(one))
    return every(rarest.slice(0, mostWords).map((word) => exactly(wordToken(at, word))))
  }

  #like(at: WordedField, pattern: string, hasParts: boolean): Question | null {
    const runs = literalRuns(parsePattern(pattern))
    const parts = hasParts ? runs.flatMap(({ text }) => partTokens(at, text)) : []
    const whole = every(runs.flatMap((run) => this.#wordsOf(at, run, parts.length === 0)))
    if (parts.length === 0) return whole
    // Parts that do not overlap tell most apart.
    const step = Math.max(1, Math.floor(parts.length / mostParts))
    const asked = parts.filter((_, index) => index % step === 0).slice(0, mostParts)
    return every([whole, some([every(asked.map(exactly)), exactly(wholeToken(at))])])
  }

  /** Words that stand whole in a run of a pattern, and where they are asked for those that begin the text. */
  #wordsOf(at: WordedField, { text, starts, ends }: Run, beginnings: boolean): (Question | null)[] {
    const found: (Question | null)[] = []
    for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (match.index === 0 && !starts) continue
      const open = match.index + match[0].length === text.length && !ends
      if (!open) found.push(exactly(wordToken(at, match[0])))
      else if (beginnings) found.push(this.#beginning(at, match[0]))
    }
    return found.slice(0, mostWords)
  }
}

/** Identifiers are rarer than words, and long words than short ones. */
const rarity = (word: string): number => word.length + (/\d\d\d/.test(word) ? 100 : 0)

const mayBeInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT/i.test(text)

const exactly = (token: string): Question => ({ text: `"${token}"`, tokens: 1 })
const beginning = (token: string): Question => ({ text: `"${token}" *`, tokens: 1 })

/** All of them have to be met, so that those that say nothing may be left out. */
function every(questions: readonly (Question | null)[]): Question | null {
  const known = questions.filter((question) => question !== null)
  return known.length === 0 ? null : combined('AND', known)
}

/** One of them is enough, so that one that says nothing spoils it. */
function some(questions: readonly (Question | null)[]): Question | null {
  return questions.length === 0 || questions.includes(null) ? null : combined('OR', questions as Question[])
}

function combined(operator: 'AND' | 'OR', questions: readonly Question[]): Question {
  if (questions.length === 1) return questions[0]!
  return {
    text: `(${questions.map(({ text }) => text).join(` ${operator} `)})`,
    tokens: questions.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

interface Run {
  readonly text: string
  /** The run stands at the beginning of the text. */
  readonly starts: boolean
  readonly ends: boolean
}

/** The characters of a pattern that stand as they are, in runs without a wildcard. */
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
