/** Makes renewals of one connector's credentials wait for each other: refresh tokens are often good for one use only. */

export class Renewals {
  readonly #running = new Map<string, Promise<unknown>>()

  /** Runs the renewal, or waits for the one of this connector that runs already and gives its result. */
  run<T>(connectorId: string, renew: () => Promise<T>): Promise<T> {
    const running = this.#running.get(connectorId)
    if (running !== undefined) return running as Promise<T>
    const started = renew().finally(() => this.#running.delete(connectorId))
    this.#running.set(connectorId, started)
    return started
  }

  /** Waits for the renewals that run: one that is cut off can lose the only good refresh token. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values())
  }
}
