/** By what the checkpoint of a part is found: a part may be as long as it likes, an entry of an index not. */
import { createHash } from 'node:crypto'

export const partHash = (part: string): string => createHash('sha256').update(part).digest('base64url')
