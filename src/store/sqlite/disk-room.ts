/** Whether a SQLite file can grow: by what writes met of late, and by what its file system says. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isFull, toldFull } from '../storage-full.ts'

/** How long a write that met no room counts, in milliseconds: others may find a gap in the file meanwhile. */
const rememberedMs = 60_000

/** With less than this left, in bytes, the next checkpoint may not fit. */
const least = 1024 * 1024

export class DiskRoom {
  readonly #file: string
  #metAt = Number.NEGATIVE_INFINITY

  constructor(file: string) {
    this.#file = file
  }

  /** Takes note of what a write threw; gives what to throw in its place. */
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
