/** Ids of connectors, organizations, clients and syncs. */
import { randomBytes } from 'node:crypto'

let lastTime = 0
let counter = 0

/**
 * A UUIDv7 (RFC 9562): ordered by time and, within a millisecond, by a counter, so ids of one process always
 * increase.
 */
export function newId(now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now
    counter = 0
  } else if (++counter > 0xfff) {
    lastTime++
    counter = 0
  }
  const bytes = randomBytes(16)
  bytes.writeUIntBE(lastTime, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Whether a text can be such an id; the store has no others. */
export const isId = (text: string): boolean => ids.test(text)

export const idPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'
const ids = new RegExp(idPattern)
