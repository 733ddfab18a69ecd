/** The consent page of a simulated system, on which a person allows or denies an application's request. */
import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'
import { createCodes, type GivenCode } from './consent-codes.ts'
import { escapeHtml, page } from './html.ts'
import { readQuery, valuesOf } from './query.ts'
import type { Application, Call, Reply } from './system.ts'

export interface ConsentOptions {
  /** The system, as the page names it. */
  readonly title: string
  /** The name of the person who is signed in, as the page shows it. */
  readonly person: string
  readonly application: Application
  readonly clock: Clock
  /** The separator of scopes. */
  readonly separator: ' ' | ','
  /** Scopes that the application may ask for; any by default. */
  readonly scopes?: readonly string[]
  /** Whether PKCE is checked; systems without it ignore its parameters. */
  readonly pkce: boolean
  /** Parameters that a denial adds to `error=access_denied`. */
  readonly denial?: Readonly<Record<string, string>>
  /** Milliseconds that a code is valid; ten minutes by default. */
  readonly codeLife?: number
  /** How the system shows an error if it must not redirect. */
  readonly refuse?: (message: string) => Reply
}

export interface ConsentPage {
  readonly application: Application
  /** Answers the page (GET) and its buttons (POST). */
  answer(call: Call): Reply
  /** The code, if it is valid. It is used up in any case. */
  redeem(code: string, redirectUri: string, verifier: string | undefined): GivenCode | CodeFault
  /** From now on, browsers are sent only to exactly these addresses. */
  register(redirectUris: readonly string[]): void
}

export type CodeFault = 'unknown code' | 'other redirect_uri' | 'wrong verifier'

export function createConsentPage(options: ConsentOptions): ConsentPage {
  const codes = createCodes(options.clock, options.codeLife ?? 600_000)
  let registered: readonly string[] | null = null
  const refuse =
    options.refuse ??
    ((message: string): Reply => ({ status: 400, headers: { 'content-type': 'text/plain' }, body: `${message}\n` }))

  /** Redirects only after both are known to belong to the application (RFC 6749, 4.1.2.1). */
  function distrusted(params: ReadonlyMap<string, string>): string | null {
    if (params.get('client_id') !== options.application.client_id) return 'The client_id is not known.'
    const uri = params.get('redirect_uri') ?? ''
    const known = registered === null ? isPlain(uri) : registered.includes(uri)
    return known ? null : 'The redirect_uri is not one of the application.'
  }

  function fault(params: ReadonlyMap<string, string>): string | null {
    if (params.get('response_type') !== 'code') return 'unsupported_response_type'
    const asked = scopesOf(params)
    if (options.scopes !== undefined && asked.some((scope) => !options.scopes!.includes(scope))) return 'invalid_scope'
    const method = params.get('code_challenge_method') ?? 'plain'
    if (options.pkce && params.has('code_challenge') && method !== 'S256') return 'invalid_request'
    return null
  }

  const scopesOf = (params: ReadonlyMap<string, string>): string[] =>
    ['scope', 'optional_scope'].flatMap((name) =>
      (params.get(name) ?? '').split(options.separator).filter((scope) => scope !== ''),
    )

  function back(params: ReadonlyMap<string, string>, more: Readonly<Record<string, string>>): Reply {
    const url = new URL(params.get('redirect_uri')!)
    const state = params.get('state')
    for (const [name, value] of Object.entries({ ...more, ...(state !== undefined && { state }) }))
      url.searchParams.set(name, value)
    return { status: 302, headers: { location: url.href }, body: '' }
  }

  return {
    application: options.application,

    answer(call) {
      const params = valuesOf(readQuery(call.method === 'POST' ? call.body : call.query))
      const doubt = distrusted(params)
      if (doubt !== null) return refuse(doubt)
      const error = fault(params)
      if (error !== null) return back(params, { error })
      if (call.method === 'GET')
        return page(200, `${options.title}: allow access?`, question(options, params, scopesOf(params)))
      if (params.get('decision') !== 'allow') return back(params, { error: 'access_denied', ...options.denial })
      const code = randomBytes(24).toString('base64url')
      codes.keep(code, {
        redirectUri: params.get('redirect_uri')!,
        challenge: options.pkce ? params.get('code_challenge') : undefined,
        scopes: scopesOf(params),
      })
      return back(params, { code })
    },

    redeem(code, redirectUri, verifier) {
      const given = codes.take(code)
      if (given === undefined) return 'unknown code'
      if (given.redirectUri !== redirectUri) return 'other redirect_uri'
      return codes.proves(given, verifier) ? given : 'wrong verifier'
    },

    register(redirectUris) {
      registered = redirectUris
    },
  }
}

/** The addresses that a new application may use for tests: https anywhere, http on this machine. */
function isPlain(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.hash !== '' || url.username !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.|\[::1\])/.test(url.hostname))
}

function question(
  { title, person }: ConsentOptions,
  params: ReadonlyMap<string, string>,
  scopes: readonly string[],
): string {
  const hidden = [...params]
    .filter(([name]) => name !== 'decision')
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
  const asked = scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`)
  return `<h1>${escapeHtml(title)} (simulated)</h1>
<p>The application <b>${escapeHtml(params.get('client_id') ?? '')}</b> asks to read on behalf of <b>${escapeHtml(person)}</b>:</p>
<ul>${asked.join('')}</ul>
<form method="post" action="?">
${hidden.join('\n')}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`
}
