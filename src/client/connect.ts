/** `connect`: a typed door to one third-party system, in this process, with credentials given directly. */

import type { Credentials } from '../catalog/authorization.ts'
import { actionsOf, findConnector } from '../catalog/catalog.ts'
import { checkCredentials } from '../catalog/check-credentials.ts'
import type { Connector } from '../catalog/connector.ts'
import { type ConnectorKind, catalog } from '../connectors/index.ts'
import { withoutCustomerAddress } from '../engine/authorize.ts'
import type { Answer, Call, Engine } from '../engine/call.ts'
import { createEngine } from '../engine/engine.ts'
import type { EngineSettings } from '../engine/settings.ts'
import { ConexError } from '../errors.ts'
import type { CallOptions, Connected, CredentialsFor } from './connected.ts'
import { LocalCredentials } from './local-credentials.ts'

export interface LocalOptions<K extends ConnectorKind> {
  /** The fields of one of the kind's auth methods. */
  readonly credentials: CredentialsFor<(typeof catalog)[K]>
  /** Another address for the system, for example a simulator's. */
  readonly baseUrl?: string
  /** Lets calls reach private addresses and plain http; needed for a simulator. */
  readonly allowPrivateNetwork?: boolean
  /** Milliseconds for a whole call, all tries included; 60,000 when left out. */
  readonly timeout?: number
  /** Called with the whole new set whenever credentials were renewed, before they are used; keep it. */
  readonly onCredentialsRenewed?: (credentials: CredentialsFor<(typeof catalog)[K]>) => void | Promise<void>
  /** Finer settings of the engine. */
  readonly engine?: Partial<EngineSettings>
}

/**
 * Connects to a third-party system. Nothing is sent before the first call.
 * Throws ConexError `invalid_credentials` when the fields fit none of the kind's auth methods.
 */
export function connect<K extends ConnectorKind>(kind: K, options: LocalOptions<K>): Connected<(typeof catalog)[K]> {
  const connector = findConnector(catalog, kind)
  if (connector === null)
    throw new ConexError(
      'invalid_request',
      `There is no connector "${kind}"; use one of ${Object.keys(catalog).join(', ')}.`,
    )
  checkCredentials(connector, withoutCustomerAddress(connector, options.credentials))
  const engine = createEngine({
    ...options.engine,
    ...(options.timeout === undefined ? {} : { deadline: options.timeout }),
    ...(options.allowPrivateNetwork === undefined ? {} : { allowPrivateNetwork: options.allowPrivateNetwork }),
  })
  const credentials = new LocalCredentials(
    engine,
    connector,
    options.baseUrl,
    options.credentials as Credentials,
    options.onCredentialsRenewed as ((renewed: Credentials) => void) | undefined,
    options.engine?.clock?.now,
  )
  const start = (entity: string, action: string, params: object = {}, { signal }: CallOptions = {}): Call => ({
    connector,
    baseUrl: options.baseUrl,
    credentials,
    entity,
    action,
    params,
    signal,
  })
  return connected(connector, engine, start) as Connected<(typeof catalog)[K]>
}

type Start = (entity: string, action: string, params?: object, options?: CallOptions) => Call

/** Builds the object that callers hold: one property per entity, made from the catalog. */
function connected(connector: Connector, engine: Engine, start: Start): object {
  const entities = Object.entries(connector.entities).map(([name, entity]) => {
    const actions = actionsOf(entity).map((action) => [action, actionOf(engine, start, name, action)] as const)
    return [name, Object.fromEntries(actions)] as const
  })
  return {
    ...Object.fromEntries(entities),
    execute: (entity: string, action: string, params?: object, options?: CallOptions) =>
      engine.execute(start(entity, action, params, options)),
    pages: (entity: string, params?: object, options?: CallOptions) =>
      engine.pages(start(entity, 'list', params, options)),
    download: (entity: string, params: object, options?: CallOptions) =>
      engine.download(start(entity, 'download', params, options)),
    close: () => engine.close(),
  }
}

function actionOf(engine: Engine, start: Start, entity: string, action: string): unknown {
  if (action === 'download')
    return (params?: object, options?: CallOptions) => engine.download(start(entity, action, params, options))
  const call = (params?: object, options?: CallOptions) => engine.execute(start(entity, action, params, options))
  if (action !== 'list') return call
  const pages = (params?: object, options?: CallOptions) => engine.pages(start(entity, action, params, options))
  return Object.assign(call, {
    pages,
    all: (params?: object, options?: CallOptions) => records(pages(params, options)),
  })
}

async function* records(pages: AsyncGenerator<Answer>): AsyncGenerator<unknown, void, undefined> {
  for await (const { result } of pages) yield* result as unknown[]
}
