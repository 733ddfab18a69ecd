/** Sends a request of the caller's own to the system of a stored connector, where operator and token allow it. */
import { checkRawRequest } from '../catalog/raw-request.ts'
import type { CallTarget } from '../engine/call/call.ts'
import type { RawAnswer } from '../engine/call/raw-request.ts'
import { ConexError } from '../errors.ts'
import type { Tenant } from '../store/tenant.ts'
import { callConnector } from './call-connector.ts'
import { connectorToCall } from './get-connector.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import { type Service, timestamp } from './service.ts'

/** The scope of tokens that may send raw requests. */
export const rawRequestScope = 'raw_requests'

export async function rawRequest(
  service: Service,
  caller: Tenant & { readonly rawRequests: boolean },
  id: string,
  body: unknown,
  signal: AbortSignal,
  onHeld?: CallTarget['onHeld'],
): Promise<RawAnswer> {
  if (!service.settings.rawRequests)
    throw new ConexError(
      'forbidden',
      'Raw requests are off here; the operator allows them with CONEX_RAW_REQUESTS=true, unless CONEX_PRIVATE_RECORDS=false leaves records out.',
    )
  if (!caller.rawRequests)
    throw new ConexError(
      'forbidden',
      `This token does not allow raw requests; get one with the scope ${rawRequestScope}.`,
    )
  const found = await connectorToCall(service, caller, id)
  const { connector } = found
  const request = checkRawRequest(kindOfConnector(service, connector), body)
  await service.store.audit.append(caller, {
    event: 'request.sent',
    at: timestamp(service),
    externalUserId: connector.externalUserId,
    connectorId: connector.id,
    details: { method: request.method ?? 'GET', path: request.path },
  })
  return callConnector(service, caller, found, (target) =>
    service.engine.request({ ...target, signal, onHeld }, request),
  )
}
