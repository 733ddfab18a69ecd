/** Credentials in memory, for the engine in local mode. Concurrent calls share one renewal. */
import type { Credentials } from '../catalog/authorization.ts'
import type { Connector } from '../catalog/connector.ts'
import type { CredentialSource } from '../engine/call/call.ts'
import type { Engine } from '../engine/engine.ts'
import { expiryField } from '../engine/oauth/authorize.ts'
import { renewAhead } from '../engine/oauth/renew.ts'
import { ConexError } from '../errors.ts'

export class LocalCredentials implements CredentialSource {
  readonly #engine: Engine
  readonly #connector: Connector
  readonly #baseUrl: string | undefined
  readonly #onRenewed: ((credentials: Credentials) => void | Promise<void>) | undefined
  #credentials: Credentials
  readonly #now: () => number
  #renewal: Promise<Credentials | null> | null = null
  /** Renewed credentials that the callback has not saved yet. */
  #unkept: Credentials | null = null
  #keeping: Promise<void> | null = null

  constructor(
    engine: Engine,
    connector: Connector,
    baseUrl: string | undefined,
    credentials: Credentials,
    onRenewed?: (credentials: Credentials) => void | Promise<void>,
    now: () => number = Date.now,
  ) {
    this.#engine = engine
    this.#connector = connector
    this.#baseUrl = baseUrl
    this.#credentials = credentials
    this.#onRenewed = onRenewed
    this.#now = now
  }

  async current(): Promise<Credentials> {
    await this.#keep()
    const credentials = this.#credentials
    const expiry = Number(credentials[expiryField] ?? Number.POSITIVE_INFINITY)
    if (expiry - this.#now() > renewAhead) return credentials
    try {
      return (await this.renew(credentials)) ?? credentials
    } catch (error) {
      // A token that is still valid for a moment is better than a transient failure to renew it.
      const definite = error instanceof ConexError && error.code === 'reauthorization_required'
      if (definite || expiry <= this.#now()) throw error
      return credentials
    }
  }

  renew(refused: Credentials): Promise<Credentials | null> {
    // Another call may have renewed them since the refused request was sent.
    if (refused !== this.#credentials) return Promise.resolve(this.#credentials)
    this.#renewal ??= this.#fetch().finally(() => {
      this.#renewal = null
    })
    return this.#renewal
  }

  async #fetch(): Promise<Credentials | null> {
    const renewed = await this.#engine.renewCredentials(this.#connector, this.#baseUrl, this.#credentials)
    if (renewed === null) return null
    const { [expiryField]: _, ...whole } = renewed
    // The old token may no longer work, so keep the new one even if the callback fails.
    this.#credentials = renewed
    this.#unkept = whole
    await this.#keep()
    return renewed
  }

  /** A single-use refresh token must be saved before it is used: if the callback failed, the next call tries again. */
  #keep(): Promise<void> | undefined {
    const unkept = this.#unkept
    if (unkept === null) return undefined
    const keep = async (): Promise<void> => {
      await this.#onRenewed?.(unkept)
      this.#unkept = null
    }
    this.#keeping ??= keep().finally(() => {
      this.#keeping = null
    })
    return this.#keeping
  }
}
