/** Judges what a file's host sent, once its first byte is there: whether it can be the file, and what is passed on of its headers. */
import type { DownloadOperation, FileLocation } from '../catalog/operation.ts'
import { ConexError } from '../errors.ts'
import type { Download } from './call.ts'
import { contentDisposition } from './content-disposition.ts'
import type { Conversation } from './conversation.ts'
import type { OpenedAnswer } from './transport.ts'

const passedOn = ['content-type', 'accept-ranges', 'etag', 'last-modified'] as const

/** Types by which a host says that it does not know. */
const unknownTypes = /^(application|binary)\/octet-stream\b|^$/i

/** The download that an answer of the file's host makes; throws where it cannot be the file that was asked for. */
export function judgeFile(
  { connector }: Conversation,
  operation: DownloadOperation,
  located: FileLocation,
  range: string | null,
  answer: OpenedAnswer,
  isPage: boolean,
): Download {
  const { status, headers, body } = answer
  const reject = (why: string): never => {
    body.destroy()
    throw new ConexError(
      'upstream_invalid_response',
      `The file's host gave an answer that cannot be used: ${why}; repeat the download later.`,
    )
  }
  const type = String(headers['content-type'] ?? '')
  const refused = operation.refusedTypes?.find((refused) => type.toLowerCase().startsWith(refused))
  if (refused !== undefined)
    reject(`a page of type ${refused} instead of the file, which ${connector.title} never stores`)
  if (String(headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    reject('it is compressed although that was not asked for')
  const sent: Record<string, string> = {}
  for (const name of passedOn) if (typeof headers[name] === 'string') sent[name] = headerText(headers[name])
  if (located.type !== undefined && unknownTypes.test(type)) sent['content-type'] = located.type
  const length = headers['content-length']
  if (typeof length === 'string' && /^\d+$/.test(length)) sent['content-length'] = length
  if (status === 206) {
    const contentRange = headers['content-range']
    if (range === null) reject('it sent a part although the whole was asked for')
    if (typeof contentRange !== 'string' || !fits(contentRange, range!, sent['content-length']))
      reject('its Content-Range does not fit the range that was asked for')
    sent['content-range'] = contentRange as string
  }
  if (isPage) reject('an HTML page under the type of the file')
  const disposition = contentDisposition(headers['content-disposition'], located.name)
  if (disposition !== null) sent['content-disposition'] = disposition
  return { status: status as 200 | 206, headers: sent, body }
}

/** Whether a Content-Range begins where the range asked, and its length is that of the body. */
function fits(contentRange: string, range: string, length: string | undefined): boolean {
  const parts = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(contentRange)
  if (parts === null) return false
  const [first, last] = [Number(parts[1]), Number(parts[2])]
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? []
  const size = parts[3] === '*' ? Number.POSITIVE_INFINITY : Number(parts[3])
  if (last < first || last >= size || (length !== undefined && Number(length) !== last - first + 1)) return false
  if (from !== '') return first === Number(from) && (to === '' || last <= Number(to))
  return size === Number.POSITIVE_INFINITY || (first === Math.max(0, size - Number(to)) && last === size - 1)
}

const headerText = (value: string): string => value.replaceAll(/[^\x20-\x7e]/g, '')
