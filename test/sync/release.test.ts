/** A release that changes the fields of an entity: its copy is filled anew, and what callers find meanwhile. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Catalog } from '../../src/catalog/catalog.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { isFine } from '../hosted.ts'
import { startSynced } from './synced.ts'

/** The catalog of the version before: projects had no color, and their notes were something else. */
function before(catalog: Catalog): Catalog {
  const { asana } = catalog
  const { color: _, ...fields } = asana!.entities.projects!.searchable!
  const projects = { ...asana!.entities.projects!, searchable: { ...fields, notes: 'object' as const } }
  return { ...catalog, asana: { ...asana!, entities: { ...asana!.entities, projects } } }
}

describe('a release that changes the fields of an entity', () => {
  it('leaves callers the copy that was there until the new one is whole, and says so', async (t) => {
    let store: Store
    let release = async (): Promise<void> => {}
    const on = await startSynced('asana', {
      simulators: { scale: 10 },
      serve: {
        async openStore(url, catalog) {
          const old = await openStore(url, before(catalog!))
          store = old
          release = async () => {
            store = await openStore(url, catalog)
            await old.close()
          }
          return new Proxy({} as Store, { get: (_, port: keyof Store) => store[port] })
        },
      },
    })
    t.after(() => on.close())
    const projects = async () => isFine(await on.search('projects', { query: {} }))
    await on.sync()
    const filled = await on.state('projects')
    const { result } = await projects()
    assert.ok(result.hits.length > 0)

    await release()
    const found = await projects()
    assert.deepEqual(
      found.result.hits.map(({ id }: { id: string }) => id),
      result.hits.map(({ id }: { id: string }) => id),
    )
    assert.equal(found.result.hits[0].data.color, null)
    assert.deepEqual([found.connector_metadata.complete, found.connector_metadata.synced_at], [true, filled.synced_at])
    const { status, complete, records, synced_at, next_due_at } = await on.state('projects')
    assert.deepEqual([status, complete, records, synced_at], ['waiting', true, filled.records, filled.synced_at])
    assert.ok(Date.parse(next_due_at) <= on.hosted.clock.now())
    assert.equal((await on.state('users')).status, 'finished')

    on.hosted.fault({ type: 'status', status: 500 }, { path: '/projects', times: 'always' })
    const failed = (await on.sync()).entities.find(({ entity }: { entity: string }) => entity === 'projects')
    assert.deepEqual([failed.status, failed.complete, failed.last_error.code], ['failed', true, 'upstream_error'])
    assert.equal((await projects()).result.hits.length, result.hits.length)

    on.hosted.calm()
    await on.sync()
    assert.equal((await on.state('projects')).status, 'finished')
    await on.isTrueOf(['projects', 'tasks'])
  })
})
