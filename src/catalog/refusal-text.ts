/** Finds the message in a refusal, in any form that a system or a gateway uses. */
import type { UpstreamAnswer } from './refusal.ts'

/** The message of an answer; empty if there is none. */
export function refusalText({ body, text = '' }: Pick<UpstreamAnswer, 'body' | 'text'>): string {
  if (body !== undefined) return textIn(body)
  if (!/^\s*</.test(text)) return text.trim()
  // Only the text above the body of an HTML page is useful.
  return /<(?:title|message)[^<>]*>([^<]{1,300})/i.exec(text)?.[1]?.trim() ?? ''
}

/** The message in a part of a body: a text, a list, or an object with one of the usual names. */
export const textIn = (part: unknown): string => within(part, 4, false)

const ownNames = [
  'message',
  'error_description',
  'error_message',
  'errormessage',
  'detail',
  'details',
  'description',
  'msg',
  'reason',
  'title',
  'faultstring',
]
const outerNames = ['errors', 'error', 'fault']

/** Longer messages are of no use. */
const mostParts = 20
const longestPart = 16 * 1024

/** `isComplaint`: everything at this place belongs to the message, under any name. */
function within(part: unknown, depth: number, isComplaint: boolean): string {
  if (typeof part === 'string') return part.slice(0, longestPart).trim()
  if (typeof part !== 'object' || part === null || depth === 0) return ''
  if (Array.isArray(part)) return joined(part.slice(0, mostParts).map((one) => within(one, depth - 1, isComplaint)))
  const fields = new Map(Object.entries(part).map(([name, value]) => [name.toLowerCase(), value as unknown]))
  const wordsAt = (name: string): string => within(fields.get(name), depth - 1, true)
  const own = firstOf(ownNames.map(wordsAt))
  // Beside a message, `error` is only a code.
  const outer = own === '' ? outerNames : outerNames.filter((name) => typeof fields.get(name) !== 'string')
  const inner = firstOf(outer.map(wordsAt))
  if (own !== '' || inner !== '') return own.includes(inner) ? own : joined([own, inner])
  if (!isComplaint) return ''
  return joined(
    [...fields.keys()].slice(0, mostParts).map((name) => {
      const words = wordsAt(name)
      return words === '' ? '' : `${name}: ${words}`
    }),
  )
}

const firstOf = (words: readonly string[]): string => words.find((one) => one !== '') ?? ''

const joined = (words: readonly string[]): string => words.filter((one) => one !== '').join(' ')
