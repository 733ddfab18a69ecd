/** Where an address of a system is, given the operator's base address. */
import type { Connector } from '../../catalog/connector.ts'
import type { SystemAddress } from '../../catalog/system-address.ts'

/** The system's own place, or the same one below the operator's base address. */
export function systemAddress(
  { url, relativeToBase }: SystemAddress,
  connector: Connector,
  baseUrl: string | undefined,
): URL {
  if (baseUrl === undefined || baseUrl === connector.baseUrl) return new URL(url)
  return new URL(relativeToBase, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
}
