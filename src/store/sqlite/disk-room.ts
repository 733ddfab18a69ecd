/** Whether a SQLite file can grow, by the results of recent writes and by its file system. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isFull, toldFull } from '../storage-full.ts'

/** How long a write that found no room counts, in milliseconds: other writes may find a gap in the file meanwhile. */
const rememberedMs = 60_000

/** With less space than this, in bytes, the next checkpoint may not fit. */
const least = 1024 * 1024

export class DiskRoom {
  readonly #file: string
  #metAt = Number.NEGATIVE_INFINITY

  constructor(file: string) {
    this.#file = file
  }

  /** Notes the error of a write, and returns the error to throw instead. */
  told(error: unknown): unknown {
    const told = toldFull(error)
    if (isFull(told)) this.#metAt = performance.now()
    return told
  }

  async isFull(): Promise<boolean> {
    if (performance.now() - this.#metAt < rememberedMs) return true
    const { bavail, bsize } = await statfs(dirname(this.#file))
    return bavail * bsize < least
  }
}
