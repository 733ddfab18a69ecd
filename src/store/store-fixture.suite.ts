/** What the suites of the ordinary tables make connectors of. */
import type { StoredConnector } from './connectors.ts'

export const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()

let made = 0

/** Ids grow, as those of connectors do. */
export const nextId = (): string => `01900000-0000-7000-8000-${String(++made).padStart(12, '0')}`

/** A new connector of this organization, of the end user ann unless said otherwise. */
export function newConnector(organizationId: string, changes: Partial<StoredConnector> = {}): StoredConnector {
  const id = nextId()
  return {
    id,
    organizationId,
    externalUserId: 'ann',
    connectorType: 'asana',
    name: `connector ${id}`,
    authMethod: 'token',
    status: 'active',
    replicationConfig: null,
    sync: { enabled: true, intervalSeconds: 3600 },
    createdAt: at(1),
    updatedAt: at(1),
    ...changes,
  }
}
