/** Checks a connector with the cheapest live call of its kind. */
import { healthOf } from '../engine/health.ts'
import type { Tenant } from '../store/tenant.ts'
import type { Health } from '../wire.ts'
import { callConnector } from './call-connector.ts'
import { connectorToCall } from './get-connector.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import type { Service } from './service.ts'

export async function checkConnector(
  service: Service,
  tenant: Tenant,
  id: string,
  signal: AbortSignal,
): Promise<Health> {
  const found = await connectorToCall(service, tenant, id)
  const { check } = kindOfConnector(service, found.connector)
  return healthOf(check, () =>
    callConnector(service, tenant, found, (target) => service.engine.check({ ...target, signal })),
  )
}
