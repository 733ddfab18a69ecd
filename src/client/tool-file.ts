/** Gives a file to a language model: its text, as far as it fits, or what kind of file it is. */
import type { Download } from './mode.ts'
import type { ToolOutput } from './tool-output.ts'

/** Reads no more than is given; the rest is not fetched. */
export async function readFile({ headers, body }: Download, maxCharacters: number): Promise<ToolOutput> {
  const type = headers.get('content-type')
  const file = { name: nameOf(headers), type, size: numberIn(headers.get('content-length')) }
  if (!isText(type)) {
    await body.cancel()
    return { file, cut: { shown: 0, left: 1, how: 'The file is not text, so it is not given here.' } }
  }
  const { text, bytes, whole } = await beginningOf(body, maxCharacters)
  if (whole) return { file, text }
  const start = Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? 0)
  const how = `The file goes on; repeat the call with range_header "bytes=${start + bytes}-" for what follows.`
  return { file, text, cut: { shown: 1, left: 1, how } }
}

/** So many characters at most, and how many bytes they are. */
async function beginningOf(body: ReadableStream<Uint8Array>, maxCharacters: number) {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) {
      text += decoder.decode()
      return { text, bytes: new TextEncoder().encode(text).length, whole: true }
    }
    text += decoder.decode(value, { stream: true })
    if (text.length <= maxCharacters) continue
    await reader.cancel()
    const given = text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')
    return { text: given, bytes: new TextEncoder().encode(given).length, whole: false }
  }
}

const isText = (type: string | null): boolean =>
  type !== null && /^(text\/|application\/([\w.+-]*\+)?(json|xml|yaml|csv|javascript)\b)/i.test(type)

const nameOf = (headers: Headers): string | null =>
  /filename="((?:[^"\\]|\\.)*)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? null

const numberIn = (text: string | null): number | null => (text === null ? null : Number(text))
