/** Answers with a file as object stores do: ranges, entity tags, refusals in XML. */
import { part } from './file-bytes.ts'
import { rawHeader } from './send.ts'
import type { Bytes, Reply } from './system.ts'

export interface StoredFile {
  readonly name: string
  readonly contentType: string
  readonly etag: string
  readonly modified: number
  readonly bytes: Bytes
}

const rangeForm = /^bytes=(\d*)-(\d*)$/

/** The first and last requested byte; 'none' to ignore the header, 'outside' if the file has no such range. */
function readRange(header: string | undefined, size: number): { first: number; last: number } | 'none' | 'outside' {
  const match = header === undefined ? null : rangeForm.exec(header.trim())
  if (match === null) return 'none'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'none'
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'outside' : { first: size - count, last: size - 1 }
  }
  if (last !== '' && Number(last) < Number(first)) return 'none'
  if (Number(first) >= size) return 'outside'
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

export function fileAnswer(file: StoredFile, range: string | undefined): Reply {
  const size = file.bytes.length
  const asked = readRange(range, size)
  if (asked === 'outside') {
    const body = { RangeRequested: range ?? '', ActualObjectSize: String(size) }
    const refused = xmlRefusal(416, 'InvalidRange', 'The requested range is not satisfiable', body)
    return { ...refused, headers: { ...refused.headers, 'content-range': `bytes */${size}` } }
  }
  const headers: Record<string, string> = {
    'content-type': file.contentType,
    'content-disposition': disposition(file.name),
    'accept-ranges': 'bytes',
    etag: file.etag,
    'last-modified': new Date(file.modified).toUTCString(),
  }
  if (asked === 'none') return { status: 200, headers, body: file.bytes }
  headers['content-range'] = `bytes ${asked.first}-${asked.last}/${size}`
  return { status: 206, headers, body: part(file.bytes, asked.first, asked.last) }
}

/** The name in ASCII for old readers, and in full for others. */
function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  const full = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return rawHeader(`attachment; filename="${plain}"; filename*=UTF-8''${full}`)
}

/** A refusal in the form of an object store. */
export function xmlRefusal(
  status: number,
  code: string,
  message: string,
  more: Readonly<Record<string, string>> = {},
): Reply {
  const fields = { Code: code, Message: message, ...more, RequestId: 'SIM0000000000001' }
  const inner = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`)
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner.join('')}</Error>`,
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
