/** Secrets that travel through a browser and work once: the state of a consent, and the secret_id that it ends with. */
import { createHash, randomBytes } from 'node:crypto'

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The form in which a secret is kept: it can be looked up with the secret, which cannot be read back from the database. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
