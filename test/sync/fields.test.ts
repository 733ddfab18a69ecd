/** What the hits of a copy tell: every searchable field, in its type, with a value somewhere, and what the system says. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Connector } from '../../src/catalog/connector.ts'
import { catalog } from '../../src/connectors/index.ts'
import { streamedEntities } from '../../src/sync/entity-order.ts'
import { startHosted } from '../hosted.ts'
import { type Kind, syncedOn } from './synced.ts'

/** How many entities of a kind the specification lets be searched. */
const specified = { asana: 8, 'facebook-marketing': 10, gong: 5 } as const

/** Fields that no system fills, with the reason. */
const neverFilled: Readonly<Record<string, string>> = {
  'asana projects is_template': 'Asana took the field out of its interface.',
  'gong calls_extensive media': 'Addresses of recordings are secrets; a copy does not keep them.',
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  number: (value) => typeof value === 'number' || typeof value === 'bigint',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
}

for (const [kind, count] of Object.entries(specified) as [Kind, number][])
  describe(`the copy of ${kind}`, () => {
    it('fills every searchable field of every entity, with values of its type, the same as the system tells', async (t) => {
      const hosted = await startHosted({ simulators: { scale: kind === 'asana' ? 60 : 10 } })
      t.after(() => hosted.close())
      // What applications keep in Asana is shown to them alone.
      const credentials =
        kind === 'asana' ? hosted.credentials('oauth') : hosted.systems.describe()[kind]!.credentials[0]!
      const copied = syncedOn(hosted, kind, await hosted.connect(credentials, hosted.ann, kind), credentials)
      // A month of figures of ads has every field.
      const isOfAds = kind === 'facebook-marketing'
      if (isOfAds) await copied.startDaysAgo(30)
      await copied.sync()

      const entities: Connector['entities'] = catalog[kind].entities
      const searched = Object.keys(entities).filter((name) => entities[name]!.searchable !== undefined)
      assert.equal(searched.length, count)
      assert.deepEqual(
        streamedEntities(catalog[kind])
          .map(({ entity }) => entity)
          .toSorted(),
        searched.toSorted(),
      )
      for (const entity of searched) {
        const hits = [...(await copied.copy(entity)).values()]
        const searchable = entities[entity]!.searchable!
        for (const hit of hits) assert.deepEqual(Object.keys(hit).toSorted(), Object.keys(searchable).toSorted())
        for (const [field, type] of Object.entries(searchable)) {
          const where = `${kind} ${entity} ${field}`
          const values = hits.map((hit) => hit[field]).filter((value) => value !== null)
          for (const value of values) assert.ok(types[type]!(value), `${where} is no ${type}: ${String(value)}`)
          const filled = values.filter((value) => typeof value !== 'object' || Object.keys(value).length > 0)
          assert.equal(filled.length === 0, Object.hasOwn(neverFilled, where), `${where}: ${filled.length} values`)
        }
        assert.deepEqual((await copied.state(entity)).warnings, [])
      }
      await copied.isTrue(isOfAds ? 28 : undefined)
    })
  })
