/** The proxies through which third-party systems are reached, where a network has no other way out. */
import { ConexError } from '../../errors.ts'

/** Addresses of proxies, by the scheme of the requested address; empty where there is none. */
export interface Proxies {
  readonly https: string
  readonly http: string
  /** Hosts that are reached directly, as NO_PROXY lists them. */
  readonly except: string
}

/** Conex's own variable, which comes before those that all programs know; `none` passes over these. */
const own = 'CONEX_UPSTREAM_PROXY'

/** The proxies that an environment names; null for none. Throws `invalid_request` for a name that is none. */
export function proxiesOf(env: Readonly<Record<string, string | undefined>>): Proxies | null {
  const chosen = env[own]?.trim() ?? ''
  if (chosen.toLowerCase() === 'none') return null
  const [https, http] = chosen === '' ? [usual(env, 'HTTPS_PROXY'), usual(env, 'HTTP_PROXY')] : [own, own]
  const [forHttps, forHttp] = [addressIn(env, https ?? http), addressIn(env, http)]
  if (forHttps === '' && forHttp === '') return null
  return { https: forHttps, http: forHttp, except: env[usual(env, 'NO_PROXY') ?? ''] ?? '' }
}

/** The spelling in which a usual variable is set; the lower case comes first, as with other programs. */
const usual = (env: Readonly<Record<string, string | undefined>>, name: string): string | undefined =>
  [name.toLowerCase(), name].find((spelling) => (env[spelling]?.trim() ?? '') !== '')

/** Never with the value in an error: it may hold a password. */
function addressIn(env: Readonly<Record<string, string | undefined>>, name: string | undefined): string {
  if (name === undefined) return ''
  const given = env[name]!.trim()
  const url = URL.parse(given.includes('://') ? given : `http://${given}`)
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href
  throw new ConexError('invalid_request', `${name} must be the http or https address of a proxy.`)
}
