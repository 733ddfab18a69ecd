/** Secrets that travel through a browser and work once: the state of a consent, and its secret_id. */
import { createHash, randomBytes } from 'node:crypto'

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The stored form of a secret: the secret finds it, but it does not reveal the secret. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
