/** Checks a connector with the cheapest live call of its kind. */
import { ConexError, type ErrorCode, errorKinds, type UpstreamComplaint } from '../errors.ts'
import type { Tenant } from '../store/store.ts'
import { callConnector } from './call-connector.ts'
import { connectorToCall } from './get-connector.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import type { Service } from './service.ts'

export interface Health {
  readonly status: 'healthy' | 'unhealthy'
  readonly checked: { readonly entity: string; readonly action: string }
  readonly error?: {
    readonly code: ErrorCode
    readonly title: string
    readonly detail: string
    readonly upstream?: UpstreamComplaint
  }
}

export async function checkConnector(
  service: Service,
  tenant: Tenant,
  id: string,
  signal: AbortSignal,
): Promise<Health> {
  const found = await connectorToCall(service, tenant, id)
  const { entity, action, params } = kindOfConnector(service, found.connector).check
  const checked = { entity, action }
  try {
    await callConnector(service, tenant, found, { entity, action, params, signal }, service.engine.check)
    return { status: 'healthy', checked }
  } catch (error) {
    if (!(error instanceof ConexError) || error.code === 'internal' || error.code === 'not_found') throw error
    const { code, message: detail, upstream } = error
    return {
      status: 'unhealthy',
      checked,
      error: { code, title: errorKinds[code].title, detail, ...(upstream && { upstream }) },
    }
  }
}
