/** Writes denied accesses into the audit log. */
import type { AuditDetails } from '../store/audit.ts'
import type { Tenant } from '../store/tenant.ts'
import { type Service, timestamp } from './service.ts'

export class DeniedAccesses {
  /** The last time that each denial was written. */
  readonly #written = new Map<string, number>()

  /**
   * Writes the denial, unless the same one was written within the last minute: a denied caller must not be able to
   * fill the database. The log contains every denial.
   */
  async write(service: Service, tenant: Tenant, details: AuditDetails): Promise<void> {
    const key = JSON.stringify([tenant.organizationId, tenant.externalUserId, tenant.clientId, details])
    const now = service.now()
    const last = this.#written.get(key)
    if (last !== undefined && Math.abs(now - last) < quietMs) return
    if (this.#written.size >= mostRemembered) this.#written.clear()
    this.#written.set(key, now)
    await service.store.audit.append(tenant, { event: 'access.denied', at: timestamp(service), details })
  }
}

const quietMs = 60_000
const mostRemembered = 10_000
