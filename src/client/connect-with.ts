/** `connect`: a typed door to one third-party system, through a Conex service or in this process. */
import { ConexError } from '../errors.ts'
import { checkedAddress } from './check-access.ts'
import { connectorClient } from './connector-client.ts'
import { type ConnectorChoice, hostedMode } from './hosted.ts'
import type { ConnectorKind, Kinds } from './kinds.ts'
import { lazyMode } from './lazy-mode.ts'
import type { LocalOptions } from './local-options.ts'
import type { Mode } from './mode.ts'
import { type ServiceAddress, serviceCalls } from './service-calls.ts'
import type { ClientAccess, TokenAccess } from './tokens.ts'

/** What hosted mode is given. A scoped token knows its end user, so with a token neither id has to be named. */
export type HostedOptions = ServiceAddress & { readonly credentials?: undefined } & (
    | (ClientAccess & ConnectorChoice)
    | (TokenAccess & Partial<ConnectorChoice>)
  )

/**
 * Connects to a third-party system: with `credentials` from this process, with `baseUrl` through a Conex service.
 * Nothing is loaded or sent before the first call, which also tells what is wrong with the credentials.
 */
export type Connect = <K extends ConnectorKind>(kind: K, options: LocalOptions<K> | HostedOptions) => Kinds[K]

/** Makes `connect` of a way to open local mode. */
export function connectWith(openLocal: (kind: string, options: LocalOptions) => Promise<Mode>): Connect {
  return (<K extends ConnectorKind>(kind: K, options: LocalOptions<K> | HostedOptions) => {
    if ('credentials' in options) {
      if (options.baseUrl !== undefined) checkedAddress('baseUrl', options.baseUrl)
      return connectorClient(lazyMode('local', () => openLocal(kind, options as unknown as LocalOptions)))
    }
    if (typeof options.baseUrl !== 'string')
      throw new ConexError(
        'invalid_request',
        'Give credentials to connect from here, or baseUrl with clientId and clientSecret or a token to connect through a Conex service.',
      )
    return connectorClient(hostedMode(kind, options, serviceCalls(options)))
  }) as Connect
}
