/** Hosted mode: the service keeps the credentials and runs the operations. Needs only `fetch`. */
import type { ConnectorType } from '../catalog/describe.ts'
import { ConexError } from '../errors.ts'
import type { ConnectorList, ConnectorRecord, Health } from '../wire.ts'
import { followPages } from './follow-pages.ts'
import type { Download, Mode, Operation, Signal } from './mode.ts'
import { once } from './once.ts'
import type { Request, ServiceCalls } from './service-calls.ts'
import { unlessAborted } from './with-timeout.ts'

/**
 * Which connector to use: the one with this id, the end user's connector with this name, or the end user's only
 * connector of the kind.
 */
export type ConnectorChoice =
  | { readonly connectorId: string; readonly externalUserId?: undefined; readonly connectorName?: undefined }
  | { readonly externalUserId: string; readonly connectorName?: string; readonly connectorId?: undefined }

export function hostedMode(
  kind: string,
  choice: ConnectorChoice | Partial<ConnectorChoice>,
  calls: ServiceCalls,
): Mode {
  const description = once(() => calls.json<ConnectorType>({ method: 'GET', path: typePath(kind) }))
  const connector = choice.connectorId === undefined ? once(() => lookUp(kind, choice, calls)) : null

  const connectorId = async (signal: Signal): Promise<string> =>
    encodeURIComponent(connector === null ? choice.connectorId! : await unlessAborted(connector(), signal))

  async function execution({ entity, action, params, fields }: Operation, signal: Signal): Promise<Request> {
    const path = `/api/v1/connectors/sources/${await connectorId(signal)}/execute`
    return { method: 'POST', path, body: { entity, action, params, ...fields } }
  }

  const execute: Mode['execute'] = async (operation, signal) =>
    calls.json(await execution(operation, signal), { signal })
  const describe: Mode['describe'] = (signal) => unlessAborted(description(), signal)

  return {
    mode: 'hosted',
    execute,
    pages: (operation, signal) => followPages(operation, signal, execute, describe),
    download: async (operation, signal) =>
      (await calls.answer(await execution(operation, signal), { signal })) as Download,
    request: async (body, signal) =>
      calls.answer(
        { method: 'POST', path: `/v1/integrations/connectors/${await connectorId(signal)}/request`, body },
        { signal },
      ),
    describe,
    check: async (signal) =>
      calls.json<Health>(
        { method: 'POST', path: `/v1/integrations/connectors/${await connectorId(signal)}/check` },
        { signal },
      ),
    close: async () => {},
  }
}

const typePath = (kind: string): string => `/v1/integrations/connector-types/${encodeURIComponent(kind)}`

async function lookUp(
  kind: string,
  { externalUserId, connectorName }: Partial<ConnectorChoice>,
  calls: ServiceCalls,
): Promise<string> {
  const found = await calls.json<ConnectorList | null>({
    method: 'GET',
    path: '/api/v1/connectors/connectors_for_user',
    query: { external_user_id: externalUserId, connector_type: kind },
  })
  const all = found?.connectors
  if (!Array.isArray(all))
    throw new ConexError(
      'internal',
      'The server at baseUrl did not answer with a list of connectors, so it is not Conex; check baseUrl.',
    )
  const connectors = connectorName === undefined ? all : all.filter(({ name }) => name === connectorName)
  const [first, ...others] = connectors
  const user = externalUserId === undefined ? 'The end user' : `The end user "${externalUserId}"`
  if (first === undefined)
    throw new ConexError(
      'not_found',
      connectorName === undefined || all.length === 0
        ? `${user} has no ${kind} connector; create one, or check externalUserId.`
        : `${user} has no ${kind} connector named "${connectorName}"; there ${all.length === 1 ? 'is' : 'are'} ${named(all)}.`,
    )
  if (others.length === 0) return first.id
  throw new ConexError(
    'invalid_request',
    `${user} has ${connectors.length} ${kind} connectors; pass the connectorId or the connectorName of one: ${named(connectors)}.`,
    { issues: [{ path: '/connectorId', message: `is required: one of ${connectors.map(({ id }) => id).join(', ')}` }] },
  )
}

const named = (connectors: readonly ConnectorRecord[]): string =>
  connectors.map(({ id, name }) => `${id} ("${name}")`).join(', ')
