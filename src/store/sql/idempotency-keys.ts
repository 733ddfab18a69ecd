/** The keys that creations of connectors were sent with. */
import type { Creation, IdempotencyKey, StoredConnector } from '../connectors.ts'
import type { Tenant } from '../tenant.ts'
import { change, first, type Steps } from './steps.ts'
import { db } from './tables.ts'

// An external user id is never empty, so that this caller can't be mistaken for an end user.
const organizationWide = ''

const callerOf = ({ externalUserId }: Tenant): string => externalUserId ?? organizationWide

/** What became of the creation that this key was used for, or null when the key is new. */
export function* createdBefore(tenant: Tenant, { key, requestHash }: IdempotencyKey): Steps<Creation | null> {
  const before = yield* first(
    db
      .selectFrom('idempotency_keys')
      .select(['request_hash', 'result'])
      .where('organization_id', '=', tenant.organizationId)
      .where('caller', '=', callerOf(tenant))
      .where('key', '=', key),
  )
  if (before === undefined) return null
  return before.request_hash === requestHash
    ? { outcome: 'repeated', connector: JSON.parse(before.result) as StoredConnector }
    : { outcome: 'key taken' }
}

/** Keeps what the creation with this key gave. */
export function* keepKey(tenant: Tenant, { key, requestHash }: IdempotencyKey, made: StoredConnector): Steps<void> {
  yield* change(
    db.insertInto('idempotency_keys').values({
      organization_id: tenant.organizationId,
      caller: callerOf(tenant),
      key,
      request_hash: requestHash,
      connector_id: made.id,
      result: JSON.stringify(made),
    }),
  )
}
