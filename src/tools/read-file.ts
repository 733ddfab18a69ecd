/** Reads the text of a file for a model, as far as it fits. */
import type { Download } from '../client/mode.ts'

interface FileText {
  readonly text: string
  /** How to get the rest; null if this is all. */
  readonly rest: string | null
}

/** Stops reading at the limit and cancels the rest. */
export async function readFile({ headers, body }: Download, maxCharacters: number): Promise<FileText> {
  const { text, bytes, whole } = await beginningOf(body, charsetOf(headers.get('content-type')), maxCharacters)
  if (whole) return { text, rest: null }
  const start = Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? 0)
  const rest = `The file continues; repeat the call with range_header "bytes=${start + bytes}-" to get the rest.`
  return { text, rest }
}

/** The name, type and size of a file, as far as they are known. */
export const fileOf = (headers: Headers) => ({
  name: nameOf(headers),
  type: headers.get('content-type'),
  size: numberIn(headers.get('content-length')),
})

/** The longest part of a text that fits the limit as JSON, and its size in bytes. */
async function beginningOf(body: ReadableStream<Uint8Array>, charset: string, maxCharacters: number) {
  const most = Math.max(maxCharacters, longestLetter)
  const decoder = new TextDecoder(charset)
  const reader = body.getReader()
  const pieces: Uint8Array[] = []
  let length = 0
  while (length <= most) {
    const { done, value } = await reader.read()
    length += lengthAsJson(done ? decoder.decode() : decoder.decode(value, { stream: true }))
    if (done) {
      if (length > most) break
      const bytes = joined(pieces)
      return { text: new TextDecoder(charset).decode(bytes), bytes: bytes.length, whole: true }
    }
    pieces.push(value)
  }
  await reader.cancel()
  const bytes = joined(pieces)
  let fitting = 0
  for (let above = bytes.length; above - fitting > 1; ) {
    const middle = (fitting + above) >> 1
    if (lengthAsJson(new TextDecoder(charset).decode(bytes.subarray(0, middle))) <= most) fitting = middle
    else above = middle
  }
  while (fitting > 0 && endsInside(bytes.subarray(0, fitting), charset)) fitting--
  return { text: new TextDecoder(charset).decode(bytes.subarray(0, fitting)), bytes: fitting, whole: false }
}

/** The maximum for one character: an escaped control character. */
const longestLetter = 6

const lengthAsJson = (text: string): number => JSON.stringify(text).length - 2

/** The pieces as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Whether the last character is incomplete. */
function endsInside(bytes: Uint8Array, charset: string): boolean {
  const decoder = new TextDecoder(charset)
  decoder.decode(bytes, { stream: true })
  return decoder.decode() !== ''
}

/** The charset in a media type, if there is a known one. */
function charsetOf(type: string | null): string {
  const named = /charset\s*=\s*"?([^";\s]+)/i.exec(type ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(named).encoding
  } catch {
    return 'utf-8'
  }
}

export const isText = (type: string | null): boolean =>
  type !== null && /^(text\/|application\/([\w.+-]*\+)?(json|xml|yaml|csv|javascript)\b)/i.test(type)

const nameOf = (headers: Headers): string | null =>
  /filename="((?:[^"\\]|\\.)*)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? null

const numberIn = (text: string | null): number | null => (text === null ? null : Number(text))
