/** Which tokens a record must have to meet a condition: a question that may find too much, never too little. */
import { textsIn } from '../../search/evaluate.ts'
import { words } from '../../search/fold.ts'
import { type Pattern, parsePattern } from '../../search/pattern.ts'
import type { Condition, Json, Searchable } from '../../search/query.ts'
import {
  fieldToken,
  longestToken,
  overflowToken,
  partTokens,
  quotedToken,
  wholeToken,
  wordBeginning,
  wordToken,
} from './copy-words.ts'

/** A question in the database's language for such. */
export interface Question {
  readonly text: string
  /** What it finds meets the condition, except for records that have too many words to be asked. */
  readonly exact: boolean
}

/** More tokens than this make the question dearer than what it saves. */
const mostTokens = 64
/** Words and parts to ask for of one text; the rarest of a few is rare enough. */
const mostParts = 8

/** Asks about the records of one copy. */
export class Asker {
  readonly #searchable: Searchable
  readonly #places: readonly string[]
  readonly #copy: number

  constructor(searchable: Searchable, copy: number) {
    this.#searchable = searchable
    this.#places = Object.keys(searchable)
    this.#copy = copy
  }

  /** The question, or null when the words say nothing about the condition. */
  ask(condition: Condition): Question | null {
    const asked = this.#ask(condition, null)
    return asked === null || asked.text.length > mostTokens * longestToken ? null : asked
  }

  /** The same, also finding records with too many words to be asked. */
  orOverflowed(text: string): string {
    return `(${text}) | ${quotedToken(overflowToken(this.#copy))}`
  }

  /** Inside `any` the field is that of the array, whatever the element's own field is called. */
  #ask(condition: Condition, array: string | null): Question | null {
    switch (condition.op) {
      case 'and':
        return every(condition.of.map((part) => this.#ask(part, array)))
      case 'or':
        return some(condition.of.map((part) => this.#ask(part, array)))
      case 'not':
        return null
      default:
        break
    }
    const name = array ?? condition.path[0]
    const field = fieldToken(this.#copy, this.#places.indexOf(name))
    // The words of a field are known, but not in which part of it they are.
    const whole = array === null && condition.path.length === 1
    switch (condition.op) {
      case 'any':
        return this.#ask(condition.of, name)
      case 'keyword':
        return some(condition.words.map((word) => exactly(wordToken(field, word), whole)))
      case 'fuzzy': {
        const exact = whole && condition.words.length === 1 && condition.words[0]!.length <= longestToken
        return every(condition.words.map((word) => beginning(wordBeginning(field, word), exact)))
      }
      case 'like':
        return like(field, condition.pattern, array === null && this.#searchable[name] === 'string')
      case 'eq':
      case 'contains':
        return valued(field, condition.value)
      case 'in':
        return some(condition.values.map((value) => valued(field, value)))
      default:
        return null
    }
  }
}

/** A date-time may be written in other words, so that it says nothing. */
function valued(field: string, value: Json): Question | null {
  const found = new Set<string>()
  for (const text of textsIn(value)) if (!mayBeInstant(text)) for (const word of words(text)) found.add(word)
  return every([...found].slice(0, mostParts).map((word) => exactly(wordToken(field, word))))
}

function like(field: string, pattern: string, hasParts: boolean): Question | null {
  const runs = literalRuns(parsePattern(pattern))
  const whole = every(runs.flatMap((run) => wordsIn(field, run)))
  const parts = hasParts ? runs.flatMap(({ text }) => partTokens(field, text)) : []
  if (parts.length === 0) return whole
  const step = Math.max(1, Math.floor(parts.length / mostParts))
  const asked = parts.filter((_, index) => index % step === 0).slice(0, mostParts)
  return every([whole, some([every(asked.map((part) => exactly(part))), exactly(wholeToken(field))])])
}

/** Words that stand whole in a run of a pattern, and one that begins at the text's beginning. */
function wordsIn(field: string, { text, starts, ends }: Run): (Question | null)[] {
  const found: (Question | null)[] = []
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (match.index === 0 && !starts) continue
    const open = match.index + match[0].length === text.length && !ends
    if (!open) found.push(exactly(wordToken(field, match[0])))
    else if (match[0].length <= longestToken) found.push(beginning(wordBeginning(field, match[0])))
  }
  return found.slice(0, mostParts)
}

const mayBeInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT/i.test(text)

const exactly = (token: string, exact = false): Question => ({ text: quotedToken(token), exact })
const beginning = (token: string, exact = false): Question => ({ text: `${quotedToken(token)}:*`, exact })

/** All of them have to be met, so that those that say nothing may be left out. */
function every(questions: readonly (Question | null)[]): Question | null {
  const known = questions.filter((question) => question !== null)
  return known.length === 0 ? null : combined('&', known, known.length === questions.length)
}

/** One of them is enough, so that one that says nothing spoils it. */
function some(questions: readonly (Question | null)[]): Question | null {
  return questions.length === 0 || questions.includes(null) ? null : combined('|', questions as Question[], true)
}

function combined(operator: '&' | '|', questions: readonly Question[], all: boolean): Question {
  return {
    text: questions.length === 1 ? questions[0]!.text : `(${questions.map(({ text }) => text).join(` ${operator} `)})`,
    exact: all && questions.every(({ exact }) => exact),
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
