import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Listing, Parent } from '../catalog/stream.ts'
import { type Copy, CopyFixture } from '../store/copy-fixture.suite.ts'
import { openStore } from '../store/open.ts'
import { sampleCatalog } from '../store/samples.suite.ts'
import { partitionsOf } from './partitions.ts'
import type { Skipped } from './skipped.ts'
import type { PassContext } from './sync-context.ts'

const folder = mkdtempSync(join(tmpdir(), 'conex-partitions-'))
const ids = Array.from({ length: 1500 }, (_, index) => String(1_200_000 + index * 7))
let fixture: CopyFixture
let copy: Copy

before(async () => {
  fixture = await CopyFixture.open(() => openStore(`sqlite:${join(folder, 'conex.db')}`, sampleCatalog()))
  copy = await fixture.copy()
  await copy.begin()
  await copy.commit(ids.map((id) => ({ id, data: { name: `name ${id}` } })))
  await copy.finish()
})
after(async () => {
  await fixture.close()
  rmSync(folder, { recursive: true })
})

/** The parents of the partitions from one on, and how many were read to find them. */
async function parentsFrom(parent: string) {
  let read = 0
  const { copies } = fixture.store
  const context: Partial<PassContext> = {
    reach: { startedAt: 0, since: null, far: false, startDate: null },
    tenant: copy.tenant,
    connectorId: copy.key.connectorId,
    kind: sampleCatalog()['sample-kind']!,
    copies: {
      ...copies,
      async search(...asked) {
        const found = await copies.search(...asked)
        read += found.count
        return found
      },
    },
  }
  const over = { entity: 'things', params: ({ id }: Parent) => [{ thing: id }] }
  const listing = { over } as unknown as Listing
  const parents: unknown[] = []
  for await (const { slices, paramsOf } of partitionsOf(context as PassContext, listing, parent, []))
    parents.push(...slices.map((slice) => paramsOf(slice).thing))
  return { parents, read }
}

it('goes through all parents from the beginning', async () => {
  assert.deepEqual((await parentsFrom('')).parents, ids)
})

it('goes on at a parent without reading those before it', async () => {
  for (const at of [0, 1, 700, 1499]) {
    const { parents, read } = await parentsFrom(ids[at]!)
    assert.deepEqual(parents, ids.slice(at))
    assert.ok(read <= parents.length + 10, `${read} read`)
  }
})

it('goes on at the next one where the parent is gone by now', async () => {
  assert.deepEqual((await parentsFrom(`${ids[700]}1`)).parents, ids.slice(701))
  assert.deepEqual((await parentsFrom('9')).parents, [])
})

it('reads no list of a parent that is closed, or that belongs to a closed one', async () => {
  const openOf = async (entity: string, field: string, closed: string) => {
    const context = {
      reach: { startedAt: 0, since: null, far: false, startDate: null },
      tenant: copy.tenant,
      connectorId: copy.key.connectorId,
      kind: sampleCatalog()['sample-kind']!,
      copies: fixture.store.copies,
      stream: { closed: { entity, field, fields: [], is: () => true } },
      closed: new Set([closed]),
    } as unknown as PassContext
    const listing = { over: { entity: 'things', fields: ['name'], params: () => [{}] } } as unknown as Listing
    const partitions = await Array.fromAsync(partitionsOf(context, listing, '', []))
    return partitions.filter(({ slices }) => slices.length > 0).map(({ parent }) => parent!.id)
  }
  assert.deepEqual(await openOf('things', 'none', ids[1]!), [ids[0], ...ids.slice(2)])
  assert.deepEqual(await openOf('others', 'name', `name ${ids[2]}`), [...ids.slice(0, 2), ...ids.slice(3)])
})

it('reads changes by a list of their own, and what an earlier pass skipped as a whole', async () => {
  const all = { path: '/all' }
  const changes = { path: '/changes' }
  const since = { list: changes, lookBack: 60, params: (moment: number) => ({ since: moment }) }
  const listing = { list: all, params: { limit: 5 }, since } as unknown as Listing
  const read = async (startOfChanges: number | null, owed: readonly Skipped[] = []) => {
    const reach = { startedAt: 900_000, since: startOfChanges, far: false, startDate: null }
    const [partition] = await Array.fromAsync(partitionsOf({ reach } as PassContext, listing, '', owed))
    return [partition!.list, partition!.paramsOf(partition!.slices[0]!)]
  }
  assert.deepEqual(await read(null), [all, { limit: 5 }])
  assert.deepEqual(await read(600_000), [changes, { limit: 5, since: 540_000 }])
  const skipped = { parent: null, listing: 0, window: null } as Skipped
  assert.deepEqual(await read(600_000, [skipped]), [all, { limit: 5 }])
})
