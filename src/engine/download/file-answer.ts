/** Checks an answer of a file's host against the facts from host and record; refuses contradictions. */
import type { DownloadOperation, FileLocation } from '../../catalog/operation.ts'
import { ConexError } from '../../errors.ts'
import type { Download } from '../call/call.ts'
import { type OpenedAnswer, onlyValue } from '../http/messages.ts'
import { TransportFault } from '../http/transport-fault.ts'
import { contentDisposition } from './content-disposition.ts'
import { encodings, type Framing } from './file-bytes.ts'

const unusable = (why: string): TransportFault => new TransportFault('unusable', false, why)

/** How the bytes come, and how many. */
export function framingOf({ status, headers }: OpenedAnswer, range: string | null, { size }: FileLocation): Framing {
  const sent = numberIn(headers['content-length'])
  // An empty body is an empty file, whatever it is packed in.
  const packed = sent === 0 ? [] : encodingsIn(headers['content-encoding'])
  const contentRange = headers['content-range'] === undefined ? null : (onlyValue(headers['content-range']) ?? '')
  const part = contentRange === null ? null : partIn(contentRange, packed.length > 0 ? undefined : size)
  if (status === 206) {
    if (packed.length > 0)
      throw new ConexError(
        'range_not_satisfiable',
        'The host of this file stores it compressed, so Conex cannot return a part of it; download the whole file.',
      )
    if (range === null) throw unusable('it sent a part although the whole was asked for')
    if (/^\s*multipart\//i.test(String(headers['content-type'])))
      throw unusable('it sent several parts although one was asked for')
    if (part === null || !fits(part, range))
      throw unusable('its Content-Range does not fit the range that was asked for')
  } else if (contentRange !== null && (part === null || part.first !== 0 || part.last !== part.total - 1)) {
    throw unusable('it sent a part of the file as the whole')
  }
  const length = part === null ? sent : part.last - part.first + 1
  if (length !== sent && sent !== null) throw unusable('its Content-Range and its Content-Length contradict each other')
  const whole = part === null ? sent : part.total
  if (size !== undefined && whole !== null && whole !== size && packed.length === 0)
    throw unusable('the file is not as large as its record says')
  // The HTTP client counts what the host itself has told.
  const counted = sent !== null || packed.length > 0 ? undefined : (length ?? size)
  return { counted, size, packed }
}

/** The types of pages that stand for no file; the file's own type is none of them. */
export const refusedTypesOf = ({ refusedTypes = [] }: DownloadOperation, { type }: FileLocation): readonly string[] =>
  type === undefined ? refusedTypes : refusedTypes.filter((refused) => !type.toLowerCase().startsWith(refused))

/** Types by which a host says that it does not know. */
const unknownTypes = /^(application|binary)\/octet-stream\b|^$/i

/** The headers that are passed on of an answer; throws where its type says that it is not the file. */
export function fileHeaders(
  { status, headers }: OpenedAnswer,
  { packed }: Framing,
  located: FileLocation,
  operation: DownloadOperation,
  title: string,
): Download['headers'] {
  const types = [headers['content-type'] ?? []].flat().map((given) => given.toLowerCase())
  const { name, type } = located
  const refused = refusedTypesOf(operation, located).find((one) => types.some((given) => given.startsWith(one)))
  if (refused !== undefined)
    throw unusable(`a page of type ${refused} instead of the file, which ${title} never stores`)
  const isPacked = packed.length > 0
  const [givenType, etag] = [onlyValue(headers['content-type']), onlyValue(headers.etag)]
  const told = {
    'content-type': type !== undefined && unknownTypes.test(givenType ?? '') ? type : givenType,
    'last-modified': onlyValue(headers['last-modified']),
    // A file that is unpacked on the way has no ranges, and its tag names one of several forms of the same bytes.
    'accept-ranges': isPacked ? undefined : onlyValue(headers['accept-ranges']),
    etag: isPacked ? etag?.replace(/^"/, 'W/"') : etag,
    'content-range': status === 206 ? onlyValue(headers['content-range']) : undefined,
    'content-length': isPacked ? undefined : onlyValue(headers['content-length']),
    'content-disposition': contentDisposition(headers['content-disposition'], name),
  }
  return Object.fromEntries(
    Object.entries(told)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([header, value]) => [header, String(value).replaceAll(/[^\x20-\x7e]/g, '')]),
  )
}

interface Part {
  readonly first: number
  readonly last: number
  /** Infinite where neither the host nor the record knows. */
  readonly total: number
}

function partIn(contentRange: string, size = Number.POSITIVE_INFINITY): Part | null {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(contentRange.trim()) ?? []
  if (first === undefined) return null
  const part = { first: Number(first), last: Number(last), total: total === '*' ? size : Number(total) }
  return part.first <= part.last && part.last < part.total ? part : null
}

/** Whether a part begins where the range asked, and holds nothing beyond it. */
function fits({ first, last, total }: Part, range: string): boolean {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? []
  if (from !== '') return first === Number(from) && (to === '' || last <= Number(to))
  return total === Number.POSITIVE_INFINITY || (first === Math.max(0, total - Number(to)) && last === total - 1)
}

function numberIn(header: string | string[] | undefined): number | null {
  if (header === undefined) return null
  const value = onlyValue(header)
  if (value === undefined || !/^\d+$/.test(value)) throw unusable('its Content-Length is none')
  return Number(value)
}

/** Packed more often than that, a file is not meant to be unpacked. */
const mostEncodings = 3

function encodingsIn(header: string | string[] | undefined): Framing['packed'] {
  const named = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  const isEncoding = (name: string): name is keyof typeof encodings => Object.hasOwn(encodings, name)
  if (named.length > mostEncodings || !named.every(isEncoding))
    throw unusable('it is compressed in a way that was not requested')
  return named
}
