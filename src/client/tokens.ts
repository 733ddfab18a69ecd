/** The tokens of a hosted client: minted from its id and secret, or given. Calls that wait for the same renewal share one. */

/** The id and secret of a client of the service; they open all of its organization. */
export interface ClientAccess {
  readonly clientId: string
  readonly clientSecret: string
  readonly token?: undefined
}

/** A ready token, as a browser has it. */
export interface TokenAccess {
  /** A bearer or scoped token, or what gives one: asked again when the service no longer takes the last one. */
  readonly token: string | (() => string | Promise<string>)
  readonly clientId?: undefined
  readonly clientSecret?: undefined
}

/** A token, and the time (milliseconds since 1970) from which a new one is due. */
export interface Minted {
  readonly token: string
  readonly dueAt: number
}

export interface Tokens {
  /** The token to send. */
  current(): Promise<string>
  /** Another token in place of the refused one; null when there is none to be had. */
  renew(refused: string): Promise<string | null>
}

/** So long before its end a token is replaced, in milliseconds. */
export const replacedBefore = 30_000

/** Keeps the newest token of those that `mint` gives. */
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
    // Another call may have renewed it since the refused one was sent.
    renew: async (refused) => (newest !== null && newest.token !== refused ? newest.token : fresh()),
  }
}

/** The one token that the program has. */
export const fixedToken = (token: string): Tokens => ({ current: async () => token, renew: async () => null })
