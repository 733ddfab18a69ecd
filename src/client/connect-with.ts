/** `connect`: typed access to one third-party system, through a Conex service or in this process. */
import { ConexError } from '../errors.ts'
import { checkedAddress } from './check-access.ts'
import { connectorClient } from './connector-client.ts'
import { type ConnectorChoice, hostedMode } from './hosted.ts'
import { type ClientOf, type KindOrConnector, kindName } from './kind-or-connector.ts'
import { lazyMode } from './lazy-mode.ts'
import type { LocalOptions } from './local-options.ts'
import type { Mode } from './mode.ts'
import { type ServiceAddress, serviceCalls } from './service-calls.ts'
import type { ClientAccess, TokenAccess } from './tokens.ts'

/** Options for hosted mode. A scoped token already names its end user, so it needs no id. */
export type HostedOptions = ServiceAddress & { readonly credentials?: undefined } & (
    | (ClientAccess & ConnectorChoice)
    | (TokenAccess & Partial<ConnectorChoice>)
  )

/**
 * Connects to a third-party system, by the name of its kind or with a connector from outside of Conex: with `credentials` from this process, with `baseUrl` through a Conex service. It
 * sends nothing before the first call, which also reports wrong credentials.
 */
export type Connect = <const K extends KindOrConnector>(
  kind: K,
  options: LocalOptions<K> | HostedOptions,
) => ClientOf<K>

/** Creates `connect` from a function that opens local mode. */
export function connectWith(openLocal: (kind: KindOrConnector, options: LocalOptions) => Promise<Mode>): Connect {
  return (<K extends KindOrConnector>(kind: K, options: LocalOptions<K> | HostedOptions) => {
    if ('credentials' in options) {
      if (options.baseUrl !== undefined) checkedAddress('baseUrl', options.baseUrl)
      return connectorClient(lazyMode('local', () => openLocal(kind, options as unknown as LocalOptions)))
    }
    if (typeof options.baseUrl !== 'string')
      throw new ConexError(
        'invalid_request',
        'Pass credentials to connect from this process, or baseUrl with a token or with clientId and clientSecret to connect through a Conex service.',
      )
    return connectorClient(hostedMode(kindName(kind), options, serviceCalls(options)))
  }) as Connect
}
