/** What went wrong on the way to a third-party system and back. */
import { ConexError } from '../../errors.ts'
import { ForbiddenAddress, ProxyFault } from './egress.ts'

/** A request that got no answer, or no whole one; `transient` when a new connection may do better. */
export class TransportFault extends Error {
  override readonly name = 'TransportFault'
  readonly transient: boolean
  readonly reason: 'unreachable' | 'broken' | 'unusable' | 'silent'
  /** How the body begins, where it is not JSON. */
  readonly beginning: string
  constructor(reason: TransportFault['reason'], transient: boolean, message: string, beginning = '') {
    super(message)
    this.beginning = beginning
    this.reason = reason
    this.transient = transient
  }
}

/** What a failed connection means, told without anything that the HTTP client attached to its error. */
export function faultOf(error: unknown): Error {
  const { name, cause } = error as Error
  if (error instanceof ForbiddenAddress || cause instanceof ForbiddenAddress)
    return new ConexError(
      'upstream_error',
      'The address of the third-party system is not public, and the operator does not allow private ones; nothing was sent.',
    )
  const code = codeOf(error)
  const why = code || 'no reason given'
  const isReset = resets.has(code)
  if (error instanceof ProxyFault)
    return new TransportFault('unreachable', isReset, `the proxy did not lead to it (${why})`)
  if (isReset) return new TransportFault('broken', true, 'the connection was closed')
  // Before the headers are there, that is what two lengths in them come to.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return new TransportFault('unusable', false, 'its headers contradict each other')
  if (code.startsWith('HPE_') || name === 'HTTPParserError')
    return new TransportFault('unusable', false, 'it does not speak HTTP')
  return new TransportFault('unreachable', passing.has(code), `it could not be reached (${why})`)
}

const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED', 'UND_ERR_REQ_RETRY'])
const passing = new Set(['EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

const codeOf = (error: unknown): string => {
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  const inner = errors?.[0] ?? cause
  return typeof inner === 'object' && inner !== null ? codeOf(inner) : ''
}
