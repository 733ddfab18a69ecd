/** What a command has printed so far, on either stream. */

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
  /** All that was printed, in its order. */
  readonly text: string
  /** What was printed, one JSON document a line. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
  records(): any[]
}

export class Printed {
  readonly #stdout: Buffer[] = []
  readonly #stderr: Buffer[] = []
  readonly #all: Buffer[] = []
  #isOver = false
  #wake = Promise.withResolvers<void>()

  add(stream: 'stdout' | 'stderr', chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk)
    if (stream === 'stdout') this.#stdout.push(bytes)
    else this.#stderr.push(bytes)
    this.#all.push(bytes)
    this.#changed()
  }

  /** Resolves with the first match in all that was printed. */
  async first(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const text = Buffer.concat(this.#all).toString()
      const found = pattern.exec(text)
      if (found !== null) return found
      if (this.#isOver) throw new Error(`It ended without printing ${pattern}:\n${text}`)
      await this.#wake.promise
    }
  }

  end(code: number | null): Ended {
    this.#isOver = true
    this.#changed()
    const stdout = Buffer.concat(this.#stdout)
    const lines = () => stdout.toString().split('\n').filter(Boolean)
    return {
      code,
      stdout,
      stderr: Buffer.concat(this.#stderr).toString(),
      text: Buffer.concat(this.#all).toString(),
      records: () => lines().map((line) => JSON.parse(line)),
    }
  }

  #changed(): void {
    this.#wake.resolve()
    this.#wake = Promise.withResolvers()
  }
}
