/** The contents of simulated files: any length, always the same for a file, and produced while they are read. */
import type { Bytes } from './system.ts'

/** A prime, so that a reader that confuses two offsets gets different bytes. */
const period = 1_048_573

let block: Buffer | undefined

function noise(): Buffer {
  if (block !== undefined) return block
  block = Buffer.allocUnsafe(period)
  let state = 0x2545f491
  for (let i = 0; i < period; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    block[i] = state >>> 24
  }
  return block
}

/** A file of `length` bytes that begins with `lead` (a format's first bytes, or a whole text) and goes on as noise. */
export function fileBytes(key: number, length: number, lead: Buffer = Buffer.alloc(0)): Bytes {
  const shift = key % period
  return {
    length,
    read(at, max) {
      const end = Math.min(length, at + max)
      if (at < lead.length) return lead.subarray(at, Math.min(end, lead.length))
      const from = (at + shift) % period
      return noise().subarray(from, Math.min(period, from + end - at))
    },
  }
}

/** The part of a file from `first` to `last`, both included. */
export function part(bytes: Bytes, first: number, last: number): Bytes {
  const length = last - first + 1
  return { length, read: (at, max) => bytes.read(first + at, Math.min(max, length - at)) }
}
