/**
 * Calls of the hosted interface: authorized, with timeouts, and with errors as ConexError. Runs wherever `fetch` does.
 */
import { ConexError } from '../errors.ts'
import { parseJson, stringifyJson } from '../json.ts'
import { checkedAddress, checkedSecret } from './check-access.ts'
import { errorOf } from './read-problem.ts'
import {
  type ClientAccess,
  fixedToken,
  keepToken,
  type Minted,
  replacedBefore,
  type TokenAccess,
  type Tokens,
} from './tokens.ts'
import { type CallOptions, unlessAborted, withTimeout } from './with-timeout.ts'

/** The service and how to reach it. */
export interface ServiceAddress {
  /** The address of the service, for example `https://conex.example`. */
  readonly baseUrl: string
  /** Milliseconds for one call; 90,000 by default, so that the service gives up first and can say why. */
  readonly timeout?: number
}

export type ServiceOptions = ServiceAddress & (ClientAccess | TokenAccess)

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Query parameters; undefined ones are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ServiceCalls {
  /** Returns the JSON of the answer. */
  json<T>(request: Request, options?: CallOptions): Promise<T>
  /** Returns the answer itself, with its body still arriving. */
  answer(request: Request, options?: CallOptions): Promise<Response>
}

const usualTimeout = 90_000

export function serviceCalls(options: ServiceOptions): ServiceCalls {
  const baseUrl = checkedAddress('baseUrl', options.baseUrl)
  const within = ({ signal, timeout = options.timeout ?? usualTimeout }: CallOptions): CallOptions => ({
    signal,
    timeout,
  })
  const tokens = tokensOf(options, mint)

  async function mint({ clientId, clientSecret, scope }: ClientAccess): Promise<Minted> {
    const body = { client_id: clientId, client_secret: clientSecret, scope }
    const request: Request = { method: 'POST', path: '/api/v1/account/applications/token', body }
    const read = async (signal?: AbortSignal) => readJson(await accepted(await send(request, null, signal)))
    const { access_token: token, expires_in: seconds } = ((await withTimeout(within({}), read)) ?? {}) as Record<
      string,
      unknown
    >
    if (typeof token !== 'string' || typeof seconds !== 'number')
      throw new ConexError(
        'internal',
        `The server at ${baseUrl} answered without a token, so it is not Conex; check baseUrl.`,
      )
    return { token, dueAt: Date.now() + seconds * 1000 - replacedBefore }
  }

  async function send(request: Request, token: string | null, signal: AbortSignal | undefined): Promise<Response> {
    const { method, path, query = {}, body, headers } = request
    const url = new URL(baseUrl + path)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    let response: Response
    try {
      response = await fetch(url, {
        method,
        // Never send the secret or the token to the target of a redirect. In a browser, such an answer has status 0.
        redirect: 'manual',
        headers: {
          ...headers,
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: stringifyJson(body) }),
        ...(signal && { signal }),
      })
    } catch (error) {
      throw signal?.aborted ? signal.reason : unreachable(baseUrl, error)
    }
    const { status } = response
    if (status !== 0 && (status < 300 || status >= 400)) return response
    await response.body?.cancel()
    throw new ConexError('internal', `The server at ${baseUrl} redirects elsewhere; pass that address as baseUrl.`)
  }

  /** Sends with the current token, and once more with a new one if the service does not accept it. */
  async function authorized(request: Request, signal: AbortSignal | undefined): Promise<Response> {
    const token = await unlessAborted(tokens.current(), signal)
    const response = await send(request, token, signal)
    if (response.status !== 401) return accepted(response)
    const other = await unlessAborted(tokens.renew(token), signal)
    if (other === null) return accepted(response)
    await response.body?.cancel()
    return accepted(await send(request, other, signal))
  }

  return {
    json: <T>(request: Request, call: CallOptions = {}) =>
      withTimeout(within(call), async (signal) => (await readJson(await authorized(request, signal), signal)) as T),
    answer: (request, call = {}) => withTimeout(within(call), (signal) => authorized(request, signal)),
  }
}

function tokensOf(options: ServiceOptions, mint: (access: ClientAccess) => Promise<Minted>): Tokens {
  const { clientId, clientSecret, token } = options
  if (typeof token === 'string') return fixedToken(checkedSecret('token', token))
  if (typeof token === 'function')
    return keepToken(async () => ({ token: checkedSecret('token', await token()), dueAt: Number.POSITIVE_INFINITY }))
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string')
    throw new ConexError('invalid_request', 'Pass clientId and clientSecret, or a token.')
  const access = { ...options, clientId: clientId.trim(), clientSecret: checkedSecret('clientSecret', clientSecret) }
  return keepToken(() => mint(access))
}

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response
  throw await errorOf(response)
}

async function readJson(response: Response, signal?: AbortSignal): Promise<unknown> {
  if (response.status === 204) return undefined
  try {
    return parseJson(await response.text())
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw new ConexError(
      'internal',
      'The answer of the service broke off or is not JSON; check baseUrl and repeat the call.',
      // Parse errors quote the text, which may be a token.
      error instanceof SyntaxError ? {} : { cause: error },
    )
  }
}

function unreachable(baseUrl: string, error: unknown): ConexError {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
  const why = typeof code === 'string' ? ` (${code})` : ''
  return new ConexError(
    'internal',
    `Conex cannot be reached at ${baseUrl}${why}; check baseUrl and that it runs there.`,
    {
      cause: error,
    },
  )
}
