/** Content-Disposition that every client can read (RFC 6266): a plain ASCII name, and the real one beside it. */
import { onlyValue } from '../http/messages.ts'

/** The header for a download: the host's own name for the file, else the record's; null when neither has one. */
export function contentDisposition(
  given: string | string[] | undefined,
  recordName: string | undefined,
): string | null {
  const name = cleanName(nameIn(onlyValue(given) ?? '') ?? recordName ?? '')
  if (name === '') return null
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const quoted = `attachment; filename="${plain}"`
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${extended(name)}`
}

/** No control characters, no folders, not endless: of a name that is, only the beginning is looked at. */
function cleanName(name: string): string {
  const start = name.slice(0, 2000).toWellFormed()
  const clean = start.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').replaceAll(/[/\\]/g, '_')
  return [...clean.trim()].slice(0, 200).join('')
}

function nameIn(header: string): string | null {
  const [, star] = /filename\*\s*=\s*utf-8'[^';]*'([^;]*)/i.exec(header) ?? []
  try {
    if (star !== undefined) return decodeURIComponent(star.trim())
  } catch {
    // A name that is not what it says to be; the plain one may do.
  }
  const [, quoted] = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header) ?? []
  if (quoted !== undefined) return asUtf8(quoted.replaceAll(/\\(.)/g, '$1'))
  const [, bare] = /filename\s*=\s*([^;\s]+)/i.exec(header) ?? []
  return bare === undefined ? null : asUtf8(bare)
}

/** Header bytes arrive as Latin-1; hosts that send raw UTF-8 mean UTF-8. */
function asUtf8(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}

const extended = (text: string): string =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
