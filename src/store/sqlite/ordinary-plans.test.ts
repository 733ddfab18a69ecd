/** Ordinary tables grow for years, and the thread that answers requests reads them itself: whatever a caller filters by has an index. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import { applyMissing } from '../sql/migrations.ts'
import { ordinaryStores } from '../store.ts'
import type { HeldWebhook } from '../webhooks.ts'
import { migrations } from './migrations.ts'
import { SqliteQueries } from './queries.ts'

/** The steps in which SQLite does what the work asks. */
async function stepsOf(work: (stores: ReturnType<typeof ordinaryStores>) => Promise<unknown>): Promise<string> {
  const database = new Database(':memory:')
  await new SqliteQueries(database).transaction(() => applyMissing(migrations))
  const asked: string[] = []
  const prepare = database.prepare.bind(database)
  database.prepare = ((sql: string) => {
    asked.push(sql)
    return prepare(sql)
  }) as typeof database.prepare
  await work(ordinaryStores(new SqliteQueries(database)))
  const steps = asked
    .filter((sql) => /^\s*(select|update|delete)/.test(sql))
    .flatMap((sql) => {
      const values = Array.from({ length: sql.split('?').length - 1 }, () => '')
      return (prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]).map(({ detail }) => detail)
    })
  database.close()
  return steps.join('; ')
}

const tenant = { organizationId: 'o', externalUserId: null }

it('lists the audit log by whom and what it tells of', async () => {
  const by = (filter: object, of = tenant as { organizationId: string; externalUserId: string | null }) =>
    stepsOf(({ audit }) => audit.list(of, filter, 100, null))
  const found = (field: string) =>
    new RegExp(`^SEARCH audit_log USING INDEX \\w+ \\(organization_id=\\? AND ${field}=\\?\\)$`)
  assert.match(await by({ connectorId: 'c' }), found('connector_id'))
  assert.match(await by({ externalUserId: 'u' }), found('external_user_id'))
  assert.match(await by({}, { ...tenant, externalUserId: 'u' }), found('external_user_id'))
  assert.match(await by({ event: 'connector.deleted' }), found('event'))
  assert.match(await by({ clientId: 'c' }), found('client_id'))
  assert.match(await by({}), /^SEARCH audit_log USING INDEX \w+ \(organization_id=\?\)$/)
})

it('lists connectors by kind and end user, and the clients of an organization', async () => {
  const by = (filter: object) => stepsOf(({ connectors }) => connectors.list(tenant, filter, 100, null))
  assert.match(
    await by({ connectorType: 'gong' }),
    /USING INDEX \w+ \(organization_id=\? AND connector_type=\? AND id>\?\)$/,
  )
  assert.match(
    await by({ externalUserId: 'u' }),
    /USING INDEX \w+ \(organization_id=\? AND external_user_id=\? AND id>\?\)$/,
  )
  assert.match(
    await stepsOf(({ organizations }) => organizations.clients('o')),
    /USING INDEX \w+ \(organization_id=\?\)/,
  )
  assert.match(
    await stepsOf(({ organizations }) => organizations.list()),
    /clients USING INDEX \w+ \(organization_id=\?\)/,
  )
})

it('reads events by whom and what they tell of', async () => {
  const by = (filter: object) => stepsOf(({ events }) => events.after(tenant, filter, 100, 5))
  const found = (field: string) =>
    new RegExp(`SEARCH events USING INDEX \\w+ \\(organization_id=\\? AND ${field}=\\? AND position>\\?\\)`)
  assert.match(await by({ connectorId: 'c' }), found('connector_id'))
  assert.match(await by({ externalUserId: 'u' }), found('external_user_id'))
  assert.match(await by({ types: ['sync.failed'] }), found('type'))
  assert.match(await by({}), /SEARCH events USING INDEX \w+ \(organization_id=\? AND position>\?\)/)
})

it('finds what waits for a webhook, and what became of an event', async () => {
  const webhook = { organizationId: 'o', id: 'w' } as HeldWebhook
  const byStatus = /SEARCH deliveries USING INDEX \w+ \(organization_id=\? AND webhook_id=\? AND status=\?/
  assert.match(await stepsOf(({ webhooks }) => webhooks.waiting(webhook, 100, 'now')), byStatus)
  assert.match(await stepsOf(({ webhooks }) => webhooks.deliveries(tenant, 'w', 'parked', 100, 5)), byStatus)
  assert.match(
    await stepsOf(({ webhooks }) => webhooks.deliveries(tenant, 'w', undefined, 100, 5)),
    /SEARCH deliveries USING INDEX \w+ \(organization_id=\? AND webhook_id=\? AND position<\?\)/,
  )
})
