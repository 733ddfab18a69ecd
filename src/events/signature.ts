/** Secrets of webhooks, and the signatures made with them, as Standard Webhooks describes (standardwebhooks.com). */
import { createHmac, randomBytes } from 'node:crypto'

/** The secrets that sign at present. */
export interface WebhookSecrets {
  readonly secret: string
  /** The one before the last rotation, which signs too until its end (milliseconds since 1970). */
  readonly before?: { readonly secret: string; readonly until: number }
}

const prefix = 'whsec_'

export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64')

/** The headers of one attempt. Both secrets sign while a rotation is under way. */
export function signedHeaders(id: string, body: string, secrets: WebhookSecrets, now: number): Record<string, string> {
  const { secret, before } = secrets
  const signing = before !== undefined && now < before.until ? [secret, before.secret] : [secret]
  const timestamp = Math.floor(now / 1000)
  const signatures = signing.map((one) => {
    const key = Buffer.from(one.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
