/** Presents an answer to a model: the records that fit, and a sentence with the exact call that goes on. */
import { type Bounds, mostCharacters, usualCharacters } from './bounds.ts'
import { type Fitted, fit } from './fit.ts'
import { plain } from './plain.ts'
import type { Answer } from './source.ts'
import type { Call, Content, ToolResult } from './tool.ts'

const usualText = 2000

interface Question {
  readonly call: Call
  readonly bounds: Bounds
  /** The hits in the result of a search. */
  readonly hits?: readonly unknown[]
  /** The arguments for the page after this answer; null after the last page. */
  readonly nextPage: Readonly<Record<string, unknown>> | null
  /** What to say after the last page, if records are missing behind it. */
  readonly end?: string
  /** The argument that chooses fields. */
  readonly chooser: string
  /** Sentences about the whole answer. */
  readonly about: readonly string[]
}

/** Presents a page of records, or a single record. */
export function present(answer: Answer, question: Question): ToolResult {
  const { result } = answer
  const { hits } = question
  if (hits === undefined && !Array.isArray(result)) return presentOne(answer, question)
  const records = hits ?? (result as readonly unknown[])
  const { skip = 0 } = question.bounds
  const left = records.slice(skip)
  const fitted = fit(left, roomFor(question), shorteningOf(question.bounds, usualText))
  const count = fitted.written.length
  const { next, sentences } = continuation(fitted, left.length - count, skip + count, records.length, question)
  const shown = hits === undefined ? fitted.values : { ...(result as object), hits: fitted.values }
  return resultOf(count === 0 ? '[]' : `[${fitted.written.join(',\n')}]`, { ...answer, result: shown }, next, [
    ...sentences,
    ...cutTexts(fitted, question),
    ...question.about,
  ])
}

function presentOne(answer: Answer, question: Question): ToolResult {
  const room = roomFor(question)
  const fitted = fit([answer.result], room, shorteningOf(question.bounds, Number.POSITIVE_INFINITY))
  const { next, sentences } = fitted.tooLong === null ? { next: null, sentences: [] } : larger(fitted.tooLong, question)
  return resultOf(fitted.written[0] ?? 'null', { ...answer, result: fitted.values[0] ?? null }, next, [
    ...sentences,
    ...cutTexts(fitted, question),
    ...question.about,
  ])
}

/** The call that goes on after the records that are shown. */
function continuation(fitted: Fitted, left: number, position: number, all: number, question: Question) {
  const { call, nextPage, end = 'No more records follow.' } = question
  if (fitted.tooLong !== null) return larger(fitted.tooLong, question)
  if (left > 0) {
    const next = { tool: call.tool, arguments: { ...call.arguments, skip: position } }
    const shown = `${fitted.written.length} of ${all} records of this page are shown, ${left} are left.`
    return { next, sentences: [`${shown} Go on with ${written(next, { skip: position })}.`] }
  }
  if (nextPage === null) return { next: null, sentences: [all === 0 ? 'There are no records.' : end] }
  const { skip: _, ...given } = call.arguments
  const next = { tool: call.tool, arguments: { ...given, ...nextPage } }
  return { next, sentences: [`There are more pages. Go on with ${written(next, nextPage)}.`] }
}

/** The same call with a budget for a record that is too long. */
function larger({ length, fields }: NonNullable<Fitted['tooLong']>, { call, bounds, chooser }: Question) {
  const given = bounds.max_characters ?? usualCharacters
  const sentence = `The next record has ${length} characters, too many for a budget of ${given}, which also holds what is said about it. Name the fields you need in ${chooser}; its largest are ${fields}.`
  // The next call is longer by this argument.
  const max_characters = length + roomForSentences(call) + 100
  if (max_characters > mostCharacters) return { next: null, sentences: [sentence] }
  const next = { tool: call.tool, arguments: { ...call.arguments, max_characters } }
  return { next, sentences: [sentence, `For the whole record, call ${written(next, { max_characters })}.`] }
}

function cutTexts({ cut }: Fitted, { chooser }: Question): string[] {
  if (cut === null) return []
  const path = cut.path.replace(/^data\./, '')
  return [
    `Long texts are cut; the longest, ${path || 'a text'}, has ${cut.length} characters. To read it, repeat the call with "max_text": ${cut.length} and ${chooser} ["${path}"].`,
  ]
}

function resultOf(json: string, answer: Answer, next: Call | null, sentences: readonly string[]): ToolResult {
  const note = sentences.join(' ')
  const content: Content[] = [{ type: 'text', text: json }]
  if (note !== '') content.push({ type: 'text', text: note })
  const { result, connector_metadata } = plain(answer) as Answer
  return {
    content,
    structuredContent: { result, connector_metadata, ...(next && { next }), ...(note !== '' && { note }) },
  }
}

/** Longer arguments are not repeated in full. */
const longestCall = 1000

/** A call as text; of long arguments only what changes. */
function written(call: Call, changes: object): string {
  const whole = JSON.stringify(plain(call.arguments))
  return whole.length <= longestCall
    ? `${call.tool} ${whole}`
    : `the same call, changed by ${JSON.stringify(plain(changes))}`
}

/** The room for records: the budget without the sentences. */
const roomFor = ({ call, bounds }: Question): number =>
  (bounds.max_characters ?? usualCharacters) - roomForSentences(call)

const roomForSentences = (call: Call): number =>
  500 + Math.min(JSON.stringify(plain(call.arguments)).length, longestCall)

const shorteningOf = ({ max_text, omit_empty }: Bounds, usual: number) => ({
  maxText: max_text ?? usual,
  omitEmpty: omit_empty ?? false,
})
