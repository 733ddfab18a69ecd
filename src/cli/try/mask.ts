/** Masks secrets in requests and answers that are shown to a person. */
import { withoutCredentials, writtenForms } from '../../engine/http/redact.ts'
import { parseJson, printJson } from '../../json.ts'

export interface Mask {
  /** Masks these from now on, wherever they appear. */
  add(secrets: readonly string[]): void
  text(text: string): string
  header(name: string, value: string): string
  /** A body as text, or as readable JSON if it is JSON. */
  body(text: string): string
}

const hidden = '•••'

/** Params and fields with the place of a page, which people must see. */
const ofPages = /^(next|prev|previous|page|start|offset|sync|continuation|cursor)[a-z_.-]*token/i

const secretName =
  /(token|secret|passwo?r?d|passphrase|signature|proof|(api|access|private)[_-]?key|credentials?|assertion|cookie|jwt|session)s?$/i
const secretHeader = /^(proxy-)?authorization$|(^|-)(key|sid)$|api-?key/i
/** Of these headers, the first word says how the rest authorizes. */
const schemed = /^(bearer|basic|digest|token)\s+/i

const isSecret = (name: string): boolean => secretName.test(name) && !ofPages.test(name)

export function createMask(): Mask {
  let forms: string[] = []
  const known = new Set<string>()
  const mask: Mask = {
    add(secrets) {
      for (const secret of secrets) {
        known.add(secret)
        // As a string of JSON writes it.
        known.add(JSON.stringify(secret).slice(1, -1))
      }
      forms = writtenForms([...known])
    },
    text(text) {
      let safe = text
      for (const form of forms) safe = safe.replaceAll(form, hidden)
      return withoutCredentials(safe, ofPages)
    },
    header(name, value) {
      if (isSecret(name) || secretHeader.test(name)) return `${schemed.exec(value)?.[0] ?? ''}${hidden}`
      return mask.text(value)
    },
    body(text) {
      let json: unknown
      try {
        json = parseJson(text)
      } catch {
        return mask.text(text)
      }
      return typeof json === 'object' ? printJson(masked(json, mask)) : mask.text(text)
    },
  }
  return mask
}

function masked(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask.text(value)
  if (Array.isArray(value)) return value.map((one) => masked(one, mask))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      mask.text(name),
      isSecret(name) && ['string', 'number', 'bigint'].includes(typeof part) ? hidden : masked(part, mask),
    ]),
  )
}
