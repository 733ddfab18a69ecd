/** Content-Disposition that every client can read (RFC 6266): a plain ASCII name, and the real one beside it. */
import { onlyValue } from '../http/messages.ts'

/** The header for a download: the host's own name for the file, else the record's; null when neither has one. */
export function contentDisposition(
  given: string | string[] | undefined,
  recordName: string | undefined,
): string | null {
  const header = onlyValue(given)
  const name = (header === undefined ? null : nameIn(header)) ?? recordName ?? null
  if (name === null) return null
  const whole = cleanName(name)
  if (whole === '') return null
  const plain = whole.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const quoted = `attachment; filename="${plain}"`
  return plain === whole ? quoted : `${quoted}; filename*=UTF-8''${extended(whole)}`
}

/** No control characters, no folders, not endless: of a name that is, only the beginning is looked at. */
const cleanName = (name: string): string =>
  [
    ...name
      .slice(0, 2000)
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
      .replaceAll(/[/\\]/g, '_')
      .trim(),
  ]
    .slice(0, 200)
    .join('')

function nameIn(header: string): string | null {
  const star = /filename\*\s*=\s*utf-8'[^';]*'([^;]*)/i.exec(header)
  if (star) {
    try {
      return decodeURIComponent(star[1]!.trim())
    } catch {
      // A name that is not what it says to be; the plain one may do.
    }
  }
  const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)
  if (quoted) return asUtf8(quoted[1]!.replaceAll(/\\(.)/g, '$1'))
  const bare = /filename\s*=\s*([^;\s]+)/i.exec(header)
  return bare ? asUtf8(bare[1]!) : null
}

/** Header bytes arrive as Latin-1; hosts that send raw UTF-8 mean UTF-8. */
function asUtf8(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\x00-\xff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}

const extended = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
