/** Makes renewals of one connector's credentials wait for each other, because refresh tokens often work once. */

export class Renewals {
  readonly #running = new Map<string, Promise<unknown>>()

  /** Runs the renewal. If one of this connector is already running, waits for its result instead. */
  run<T>(connectorId: string, renew: () => Promise<T>): Promise<T> {
    const running = this.#running.get(connectorId)
    if (running !== undefined) return running as Promise<T>
    const started = renew().finally(() => this.#running.delete(connectorId))
    this.#running.set(connectorId, started)
    return started
  }

  /** Waits for the running renewals: an interrupted one can lose the only valid refresh token. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values())
  }
}
