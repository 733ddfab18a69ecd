/** What metrics and the log tell of syncs and of what is kept, on a whole server; and that one node counts for all. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { silentLog } from '../src/log.ts'
import { shareOverview } from '../src/service/shared-overview.ts'
import { openStore } from '../src/store/open.ts'
import { startPostgres } from '../src/store/postgres/server.suite.ts'
import { hour, pass, start } from './syncing.ts'

describe('metrics of a server', () => {
  const valuesOf = (text: string): ReadonlyMap<string, number> =>
    new Map(
      text
        .split('\n')
        .filter((line) => line.startsWith('conex_'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    )

  it('tell of syncs, copies and connectors, and name no tenant', async (t) => {
    const hosted = await start(t)
    await pass(hosted, hour)
    const { text } = await hosted.call('GET', '/metrics')
    const values = valuesOf(text)
    assert.ok(values.get('conex_sync_duration_seconds_count{kind="asana",outcome="finished"}')! >= 1)
    assert.equal(values.get('conex_connectors{kind="asana",status="active"}'), 1)
    assert.equal(values.get('conex_copies{kind="asana",entity="tasks",state="finished"}'), 1)
    assert.ok(values.get('conex_copy_records{kind="asana",entity="tasks"}')! > 0)
    assert.ok(values.get('conex_copy_oldest_timestamp_seconds{kind="asana",entity="tasks"}')! > 0)
    assert.equal(values.get('conex_syncs_running'), 0)
    assert.ok(values.has('conex_limit_remaining_calls{kind="asana"}'))
    const { connector, server, credentials, log } = hosted
    for (const name of [connector, server.organizationId, '"ann"']) assert.ok(!text.includes(name), name)

    const lines = log()
      .split('\n')
      .filter((line) => line.endsWith('"msg":"a sync ended"}'))
      .map((line) => JSON.parse(line))
    const [line] = lines
    const { connector_id, kind, external_user_id, outcome } = line
    assert.deepEqual(
      { connector_id, kind, external_user_id, outcome },
      { connector_id: connector, kind: 'asana', external_user_id: 'ann', outcome: 'finished' },
    )
    assert.ok(line.records > 0 && line.duration_ms >= 0)
    for (const secret of Object.values(credentials('one'))) assert.ok(!log().includes(secret))
  })

  it('still come when the database cannot be counted', async (t) => {
    const hosted = await start(t)
    Object.assign(hosted.server.service.store.overview, {
      read: () => Promise.reject(new Error('the database is away')),
    })
    const { status, text } = await hosted.call('GET', '/metrics')
    assert.equal(status, 200)
    assert.equal(valuesOf(text).get('conex_overview_timestamp_seconds'), 0)
    assert.match(hosted.log(), /the overview for metrics could not be read/)
  })
})

for (const database of ['SQLite', 'PostgreSQL'])
  it(`one node counts for all, at most once a minute, in ${database}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'conex-metrics-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const server = database === 'PostgreSQL' ? await startPostgres() : null
    if (server !== null) t.after(() => server.stop())
    const store = await openStore((await server?.freshDatabase()) ?? `sqlite:${join(folder, 'conex.db')}`)
    t.after(() => store.close())
    let [reads, now] = [0, Date.UTC(2026, 0, 1)]
    const overview = {
      read: () => {
        reads++
        return store.overview.read()
      },
    }
    const node = () => shareOverview({ store: { ...store, overview }, now: () => now, log: silentLog })
    const [one, other] = [node(), node()]
    const first = await one()
    assert.equal(first?.readAt, now)
    now += 50_000
    assert.deepEqual(await Promise.all([one(), one(), other()]), [first, first, first])
    assert.equal(reads, 1)
    now += 20_000
    await Promise.all([one(), other(), node()(), node()()])
    assert.equal(reads, 2)
    // A clock that went back does not keep an overview alive.
    now -= 600_000
    assert.equal((await other())?.readAt, now)
    assert.equal(reads, 3)
  })
