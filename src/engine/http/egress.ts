/** Where the engine may connect to: public addresses over https, decided on the address that is really dialled. */
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'
import { ConexError } from '../../errors.ts'

/** Thrown inside the connect step; the transport turns it into the caller's error. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

/** The proxy did not lead to the system. */
export class ProxyFault extends Error {
  override readonly name = 'ProxyFault'
  constructor(cause: Error) {
    super('The proxy did not lead there.', { cause })
  }
}

const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  // Of IPv6 only 2000::/3 is given out (RFC 4291, 2.4); beside it stand forms that carry a private IPv4 address.
  if (parsed.kind() === 'ipv6' && !parsed.match(globalUnicast)) return false
  return parsed.range() === 'unicast'
}

/** Refuses an address by its text alone: another scheme than https, credentials in it, or a private IP written out. */
export function checkAddress(url: URL, allowPrivateNetwork: boolean): void {
  const refuse = (why: string): never => {
    throw new ConexError(
      'upstream_error',
      `The third-party system pointed to an address that is not allowed (${why}); nothing was fetched from it.`,
    )
  }
  if (url.username !== '' || url.password !== '') refuse('it holds credentials')
  if (allowPrivateNetwork && url.protocol === 'http:') return
  if (url.protocol !== 'https:') refuse('it is not https')
  if (!allowPrivateNetwork && isPrivateLiteral(url.hostname)) refuse('it is not public')
}

/** A host as it is looked up: an IPv6 address without its brackets. */
const bare = (host: string): string => host.replace(/^\[|\]$/g, '')

const isPrivateLiteral = (host: string): boolean => isIP(bare(host)) !== 0 && !isPublicAddress(bare(host))

/**
 * HTTP/1.1, which every system speaks. In HTTP/2 all calls to a system would share a connection and what breaks it, and breaks would
 * come in other forms.
 */
export const spoken = { timeout: 10_000, allowH2: false } as const

/** The connect step of the HTTP client: looks names up itself and dials public addresses only. */
export function guardedConnector(
  build: typeof buildConnector,
  allowPrivateNetwork: boolean,
  resolve: Resolve = lookup,
): buildConnector.connector {
  if (allowPrivateNetwork) return heedingResets(build(spoken))
  const connect = heedingResets(build({ ...spoken, lookup: publicLookup(resolve) } as buildConnector.BuildOptions))
  return (options, callback) => {
    // A literal address is dialled without a lookup, so it is judged here.
    if (isPrivateLiteral(options.hostname)) callback(new ForbiddenAddress(options.hostname), null)
    else connect(options, callback)
  }
}

/**
 * The connect step where a proxy dials. It looks the name up itself, so what is dialled is for the proxy to judge; a name that is
 * known here too has to have public addresses alone.
 */
export function guardedTunnel(
  tunnel: buildConnector.connector,
  allowPrivateNetwork: boolean,
  resolve: Resolve = lookup,
): buildConnector.connector {
  const open: buildConnector.connector = (options, callback) =>
    heedingResets(tunnel)(options, (...[error, socket]) =>
      error === null ? callback(null, socket) : callback(new ProxyFault(error), null),
    )
  if (allowPrivateNetwork) return open
  return (options, callback) =>
    resolve(bare(options.hostname), { all: true }, (error, found) => {
      if (error === null && found.some(({ address }) => !isPublicAddress(address)))
        callback(new ForbiddenAddress(options.hostname), null)
      else open(options, callback)
    })
}

/**
 * Connections whose reset is never the end of an answer. The HTTP client takes it for one where nothing but the end of the
 * connection ends the body, since some systems close in this way; then a file that broke off would look whole. It looks for this
 * one code, so a reset gets the code of another break.
 */
export const heedingResets =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      socket.prependListener('error', (broken: NodeJS.ErrnoException) => {
        if (broken.code === 'ECONNRESET') broken.code = 'ECONNABORTED'
      })
      callback(null, socket)
    })

/** How a name becomes addresses. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A lookup that knows public addresses only. Its answer is dialled as it is, so that no second answer can slip in between. */
const publicLookup =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const allowed = found.filter(({ address }) => isPublicAddress(address))
      const [first] = allowed
      if (first === undefined) return callback(new ForbiddenAddress(hostname), '')
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
