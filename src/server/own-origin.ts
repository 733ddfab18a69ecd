/**
 * Refuses requests that a browser sends for a page of another site. A page can point a name of its own at a local
 * address, so a server that listens on one also checks the name by which it was called (DNS rebinding).
 */
import { ConexError } from '../errors.ts'

export interface OwnOrigins {
  /** The address that browsers know. */
  readonly publicUrl: string
  /** The origins of other pages that the operator allows. */
  readonly allowed: readonly string[]
  /** Where the server listens. */
  readonly host: string
}

export function checkOrigin(
  { origin, host = '' }: { readonly origin?: string | undefined; readonly host?: string | undefined },
  { publicUrl, allowed, host: listensOn }: OwnOrigins,
): void {
  const own = new URL(publicUrl)
  const isLocal = isLoopback(listensOn)
  const named = hostnameOf(`http://${host}`)
  if (isLocal && !isLoopback(named) && named !== own.hostname)
    throw new ConexError(
      'forbidden',
      'This server only answers to its own name; call it by the address that its operator gave you.',
    )
  if (origin === undefined || origin === own.origin || allowed.includes(origin)) return
  if (isLocal && isLoopback(hostnameOf(origin))) return
  throw new ConexError(
    'forbidden',
    'Pages of this origin may not call the server; ask its operator to allow it (CONEX_ALLOWED_ORIGINS).',
  )
}

function hostnameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : ''
}

/** Whether a host is this machine; an IPv6 address may stand without its brackets. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
