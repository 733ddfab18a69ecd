/** Secrets that travel through a browser and work once: the state of a consent, and the secret_id that it ends with. */
import { createHash, randomBytes } from 'node:crypto'

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** What is kept of a secret: it can be looked up by whoever brings the secret, and by nobody who reads the database. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
