/**
 * A file in windows of characters, for language models that cannot read a stream. Clients of the reference service ask for
 * one with params beside those of the download.
 */
import Type from 'typebox'
import { checkOf } from '../catalog/check.ts'
import { integer, optional, text } from '../catalog/fields.ts'
import type { Answer, Download } from '../engine/call/call.ts'
import { asSentence, ConexError, type Issue } from '../errors.ts'

const prefix = '_airbyte_'

/** In characters. */
const largestWindow = 20_000

const windowParams = Type.Object(
  {
    _airbyte_response_type: Type.Literal('json'),
    _airbyte_response_format: optional(Type.Enum(['text', 'base64'])),
    _airbyte_max_chars: optional(integer('The most characters in the window.', { minimum: 1, maximum: largestWindow })),
    _airbyte_text_offset: optional(integer('The first character of the window.', { minimum: 0 })),
    _airbyte_download_token: optional(text('The download_token of the window before.')),
  },
  { additionalProperties: false },
)
const faultsOf = checkOf(windowParams, '/params')

/** What is known of a file since the window before; a caller who changes it harms only its own reading. */
interface Place {
  /** The characters and bytes before the next window. */
  readonly offset: number
  readonly byte: number
  readonly etag: string | null
}

export interface FileWindow {
  /** The params for the download that the window is read from. */
  readonly params: unknown
  /** Reads the window, and ends the download. */
  read(download: Download): Promise<Answer>
}

/** The window that the params ask for; null if they ask for the file as it is. Throws `invalid_params`. */
export function fileWindowOf(params: unknown): FileWindow | null {
  if (typeof params !== 'object' || params === null) return null
  const [asked, others]: Record<string, unknown>[] = [{}, {}]
  for (const [name, value] of Object.entries(params)) (name.startsWith(prefix) ? asked : others)![name] = value
  if (Object.keys(asked!).length === 0) return null
  const issues = faultsOf(asked)
  if (issues.length > 0) throw invalid(issues)
  const given = asked as Type.Static<typeof windowParams>
  const { _airbyte_text_offset: offset = 0, _airbyte_max_chars: most = largestWindow } = given
  const before = given._airbyte_download_token === undefined ? null : placeIn(given._airbyte_download_token, offset)
  const read = given._airbyte_response_format === 'base64' ? readBase64 : readText
  const isPart = others!.range_header !== undefined
  // Characters of Base64 tell their bytes; those of a text need a token, or are counted from the beginning.
  const byte = read === readBase64 ? Math.floor(offset / 4) * 3 : (before?.byte ?? 0)
  const isSought = byte > 0 && !isPart
  const seen = read === readText && byte > 0 ? offset : 0
  return {
    params: isSought ? { ...others, range_header: `bytes=${byte}-` } : others,
    async read({ status, headers, body }) {
      const etag = headers.etag ?? null
      if (before !== null && before.etag !== etag) {
        body.destroy()
        throw changed()
      }
      const skipped = isSought && status === 206 ? 0 : byte
      const window = await read(withoutFirst(body, skipped), { offset, seen, most, byte })
      const next = offset + window.characters
      const place: Place = { offset: next, byte: window.byte, etag }
      const result = {
        content: window.content,
        encoding: read === readText ? 'utf-8' : 'base64',
        content_type: headers['content-type'] ?? null,
        has_more: window.hasMore,
        next_offset: window.hasMore ? next : null,
        download_token: window.hasMore ? Buffer.from(JSON.stringify(place)).toString('base64url') : null,
      }
      return { result, connector_metadata: {} }
    },
  }
}

interface Wanted {
  /** The first character of the window, of all in the file. */
  readonly offset: number
  /** The characters before the bytes that are read. */
  readonly seen: number
  readonly most: number
  /** The place in the file where the bytes that are read begin. */
  readonly byte: number
}

interface Window {
  readonly content: string
  readonly characters: number
  /** The place in the file behind the window. */
  readonly byte: number
  readonly hasMore: boolean
}

type Bytes = AsyncIterable<Buffer>

/** Leaving the loop over the bytes ends the download. */
async function readText(bytes: Bytes, { offset, seen, most, byte }: Wanted): Promise<Window> {
  // A mark of byte order at the beginning is a character like any, so that every byte is counted.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let [before, place, found] = [offset - seen, byte, '']
  const take = (piece: string): void => {
    const { end, characters } = endOf(piece, before)
    before -= characters
    place += Buffer.byteLength(piece.slice(0, end))
    found += piece.slice(end)
  }
  try {
    for await (const piece of bytes) {
      take(decoder.decode(piece, { stream: true }))
      if (endOf(found, most).end < found.length) break
    }
    if (endOf(found, most).end === found.length) take(decoder.decode())
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw noText()
    throw error
  }
  const { end, characters } = endOf(found, most)
  const content = found.slice(0, end)
  return { content, characters, byte: place + Buffer.byteLength(content), hasMore: end < found.length }
}

async function readBase64(bytes: Bytes, { offset, most, byte }: Wanted): Promise<Window> {
  const before = offset % 4
  const wanted = Math.ceil((before + most) / 4) * 3
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of bytes) {
    pieces.push(piece)
    size += piece.length
    if (size > wanted) break
  }
  const whole = Buffer.concat(pieces).subarray(0, wanted).toString('base64')
  const content = whole.slice(before, before + most)
  const hasMore = size > wanted || before + most < whole.length
  return { content, characters: content.length, byte: byte + wanted, hasMore }
}

/** The bytes behind so many first ones. */
async function* withoutFirst(body: Bytes, count: number): Bytes {
  let left = count
  for await (const piece of body) {
    if (piece.length > left) yield left === 0 ? piece : piece.subarray(left)
    left = Math.max(0, left - piece.length)
  }
}

/** The end of so many first characters, each of one or two units, or of all that are there. */
function endOf(piece: string, most: number): { readonly end: number; readonly characters: number } {
  let [end, characters] = [0, 0]
  for (; characters < most && end < piece.length; characters++) end += piece.codePointAt(end)! > 0xffff ? 2 : 1
  return { end, characters }
}

const placeSchema = Type.Object({
  offset: Type.Integer({ minimum: 0 }),
  byte: Type.Integer({ minimum: 0 }),
  etag: Type.Union([Type.String(), Type.Null()]),
})
const placeFaults = checkOf(placeSchema, '')

function placeIn(token: string, offset: number): Place {
  let place: unknown
  try {
    place = JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {}
  if (placeFaults(place).length > 0) throw wrongToken('is no token that a window had; begin again without it')
  const known = place as Place
  if (known.offset !== offset) throw wrongToken(`belongs to _airbyte_text_offset ${known.offset}`)
  return known
}

function invalid(issues: readonly Issue[]): ConexError {
  const [{ path, message } = { path: '/params', message: 'do not fit' }] = issues
  const name = path.slice(path.lastIndexOf('/') + 1)
  return new ConexError('invalid_params', asSentence(`"${name}" ${message}`), { issues })
}

const wrongToken = (message: string): ConexError => invalid([{ path: '/params/_airbyte_download_token', message }])

const changed = (): ConexError =>
  wrongToken('belongs to the file as it was; it has changed, so begin again at offset 0')

const noText = (): ConexError =>
  invalid([
    { path: '/params/_airbyte_response_format', message: 'must be "base64", because the file is not text in UTF-8' },
  ])
