/** Credentials in memory: what local mode gives the engine. Calls that wait for the same renewal share one. */
import type { Credentials } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import type { CredentialSource, Engine } from '../engine/call.ts'

export class LocalCredentials implements CredentialSource {
  readonly #engine: Engine
  readonly #connector: Connector
  readonly #baseUrl: string | undefined
  readonly #onRenewed: ((credentials: Credentials) => void | Promise<void>) | undefined
  #credentials: Credentials
  #renewal: Promise<Credentials | null> | null = null

  constructor(
    engine: Engine,
    connector: Connector,
    baseUrl: string | undefined,
    credentials: Credentials,
    onRenewed?: (credentials: Credentials) => void | Promise<void>,
  ) {
    this.#engine = engine
    this.#connector = connector
    this.#baseUrl = baseUrl
    this.#credentials = credentials
    this.#onRenewed = onRenewed
  }

  async current(): Promise<Credentials> {
    return this.#credentials
  }

  renew(refused: Credentials): Promise<Credentials | null> {
    // Another call may have renewed them since the refused ones were sent.
    if (refused !== this.#credentials) return Promise.resolve(this.#credentials)
    this.#renewal ??= this.#fetch().finally(() => {
      this.#renewal = null
    })
    return this.#renewal
  }

  async #fetch(): Promise<Credentials | null> {
    const renewed = await this.#engine.renewCredentials(this.#connector, this.#baseUrl, this.#credentials)
    if (renewed === null) return null
    // A single-use refresh token has to be kept before it is used.
    await this.#onRenewed?.(renewed)
    this.#credentials = renewed
    return renewed
  }
}
