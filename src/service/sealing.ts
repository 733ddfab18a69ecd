/** Seals credentials with AES-256-GCM, so that the database alone reveals nothing. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** A secret key of 256 bits, with the name by which sealed texts and tokens refer to it. */
export interface Key {
  readonly id: string
  readonly secret: Uint8Array
}

/** The row of a sealed text. Moved to another row, the text does not open. */
export interface Binding {
  readonly organizationId: string
  readonly connectorId: string
}

export interface Sealer {
  /** The id of the key that seals new texts. */
  readonly keyId: string
  seal(text: string, binding: Binding): string
  /** Throws SealBroken if the key is missing or the text was changed or moved. */
  open(sealed: string, binding: Binding): string
  /** Drops the opened text of a row from memory. */
  forget(binding: Binding): void
}

/** A sealed text that does not open. Its message is for the operator, and concerns only this row. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

const form = 'v1'
const ivBytes = 12
const tagBytes = 16

/** The first key seals and all keys open, so that keys can rotate without a pause. */
export function createSealer(keys: readonly Key[]): Sealer {
  const [first] = keys
  if (first === undefined) throw new Error('At least one encryption key is needed.')
  const byId = new Map(keys.map((key) => [key.id, key]))
  // Opening takes a tenth of an execute's time, and the same few credentials are opened again and again.
  const opened = new Map<string, { readonly sealed: string; readonly text: string }>()
  let forgetting: NodeJS.Timeout | undefined

  function remember(row: string, sealed: string, text: string): void {
    if (opened.size >= mostRemembered) opened.delete(opened.keys().next().value!)
    opened.set(row, { sealed, text })
    // Credentials that another node deleted must not stay in memory here.
    if (forgetting === undefined)
      forgetting = setTimeout(() => {
        opened.clear()
        forgetting = undefined
      }, rememberedMs).unref()
  }

  return {
    keyId: first.id,

    seal(text, binding) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', first.secret, iv)
      cipher.setAAD(boundTo(first.id, binding))
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${form}.${first.id}.${sealed.toString('base64url')}`
    },

    open(sealed, binding) {
      const row = rowOf(binding)
      const known = opened.get(row)
      if (known?.sealed === sealed) return known.text
      const text = decipher(sealed, binding)
      remember(row, sealed, text)
      return text
    },

    forget(binding) {
      opened.delete(rowOf(binding))
    },
  }

  function decipher(sealed: string, binding: Binding): string {
    const [version, id = '', body = ''] = sealed.split('.')
    const key = byId.get(id)
    if (version !== form)
      throw new SealBroken(`Credentials of connector ${binding.connectorId} are sealed in an unknown form.`)
    if (key === undefined)
      throw new SealBroken(
        `Credentials of connector ${binding.connectorId} are sealed with the key "${id}", which is not among the encryption keys. List that key again, after the new one.`,
      )
    const bytes = Buffer.from(body, 'base64url')
    try {
      const opening = createDecipheriv('aes-256-gcm', key.secret, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
      opening.setAAD(boundTo(id, binding))
      opening.setAuthTag(bytes.subarray(-tagBytes))
      return Buffer.concat([opening.update(bytes.subarray(ivBytes, -tagBytes)), opening.final()]).toString('utf8')
    } catch {
      throw new SealBroken(
        `Credentials of connector ${binding.connectorId} do not open with the key "${id}": the key has another value than before, or the row was changed.`,
      )
    }
  }
}

const mostRemembered = 1_000
const rememberedMs = 60_000

const rowOf = ({ organizationId, connectorId }: Binding): string => `${organizationId} ${connectorId}`

// Ids contain no NUL, so two bindings never give the same bytes.
const boundTo = (keyId: string, { organizationId, connectorId }: Binding): Buffer =>
  Buffer.from([form, keyId, organizationId, connectorId].join('\0'))
