/** Judges that what a file's host sent can be the file, once its first byte is there, and gives what is passed on of its headers. */
import type { DownloadOperation, FileLocation } from '../../catalog/operation.ts'
import type { Download } from '../call/call.ts'
import type { CallContext } from '../call/call-context.ts'
import { theOne } from '../http/the-one.ts'
import type { OpenedAnswer } from '../http/transport.ts'
import { contentDisposition } from './content-disposition.ts'
import type { Framing } from './file-bytes.ts'
import { unusableFile } from './file-framing.ts'

/** The answer of a file's host, its body as it is in the file. */
export interface FileAnswer extends OpenedAnswer {
  readonly framing: Framing
}

/** Types by which a host says that it does not know. */
const unknownTypes = /^(application|binary)\/octet-stream\b|^$/i

/** The download that an answer of the file's host makes; throws where it cannot be the file that was asked for. */
export function judgeFile(
  { connector }: CallContext,
  operation: DownloadOperation,
  located: FileLocation,
  { status, headers, body, framing }: FileAnswer,
  isPage: boolean,
): Download {
  const types = [headers['content-type'] ?? []].flat()
  const refused = operation.refusedTypes?.find((refused) =>
    types.some((type) => type.toLowerCase().startsWith(refused)),
  )
  if (refused !== undefined)
    throw unusableFile(`a page of type ${refused} instead of the file, which ${connector.title} never stores`)
  if (isPage) throw unusableFile('an HTML page under the type of the file')
  const isPacked = framing.packed.length > 0
  const told = {
    'content-type': theOne(headers['content-type']),
    'last-modified': theOne(headers['last-modified']),
    // Of what is unpacked on the way there are no parts, and bytes that are the same came in one form of several.
    'accept-ranges': isPacked ? undefined : theOne(headers['accept-ranges']),
    etag: isPacked ? theOne(headers.etag)?.replace(/^"/, 'W/"') : theOne(headers.etag),
    'content-range': framing.contentRange ?? undefined,
    'content-length': isPacked || framing.sent === null ? undefined : String(framing.sent),
    'content-disposition': contentDisposition(headers['content-disposition'], located.name) ?? undefined,
  }
  if (located.type !== undefined && unknownTypes.test(told['content-type'] ?? '')) told['content-type'] = located.type
  const sent: Record<string, string> = {}
  for (const [name, value] of Object.entries(told)) if (value !== undefined) sent[name] = headerText(value)
  return { status: status as 200 | 206, headers: sent, body }
}

const headerText = (value: string): string => value.replaceAll(/[^\x20-\x7e]/g, '')
