/** The tokens of a hosted client: requested with its id and secret, or given. Concurrent calls share one renewal. */

/** The id and secret of a client of the service, which give access to its whole organization. */
export interface ClientAccess {
  readonly clientId: string
  readonly clientSecret: string
  /** What its tokens allow beside operations, if the service does. */
  readonly scope?: 'raw_requests'
  readonly token?: undefined
}

/** A token that the program already has, for example in a browser. */
export interface TokenAccess {
  /**
   * A bearer or scoped token, or a function that returns one: called again when the service no longer accepts the last
   * token.
   */
  readonly token: string | (() => string | Promise<string>)
  readonly clientId?: undefined
  readonly clientSecret?: undefined
}

/** A token, and the time (milliseconds since 1970) at which to replace it. */
export interface Minted {
  readonly token: string
  readonly dueAt: number
}

export interface Tokens {
  /** The token to send. */
  current(): Promise<string>
  /** A new token after this one was refused; null if there is none. */
  renew(refused: string): Promise<string | null>
}

/** How long before its end a token is replaced, in milliseconds. */
export const replacedBefore = 30_000

/** Keeps the newest token that `mint` returned. */
export function keepToken(mint: () => Promise<Minted>, now: () => number = Date.now): Tokens {
  let newest: Minted | null = null
  let minting: Promise<Minted> | null = null

  const fresh = async (): Promise<string> => {
    minting ??= mint().finally(() => {
      minting = null
    })
    newest = await minting
    return newest.token
  }

  return {
    current: async () => (newest !== null && now() < newest.dueAt ? newest.token : fresh()),
    // Another call may have renewed it since the refused request was sent.
    renew: async (refused) => (newest !== null && newest.token !== refused ? newest.token : fresh()),
  }
}

/** The only token of the program. */
export const fixedToken = (token: string): Tokens => ({ current: async () => token, renew: async () => null })
