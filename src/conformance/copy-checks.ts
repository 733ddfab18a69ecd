/** The copies of a kind: read to their end, found by every field, and unharmed by refusals. */
import assert from 'node:assert/strict'
import type { Connector } from '../catalog/connector.ts'
import { stringifyJson } from '../json.ts'
import { streamedEntities } from '../sync/entity-order.ts'
import type { Check } from './check.ts'
import { copyOf } from './copied.ts'
import type { Subject } from './subject.ts'

export function copyChecks(connector: Connector): Check[] {
  const streams = streamedEntities(connector)
  if (streams.length === 0) return []
  type Copies = ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<string, unknown>>>>
  async function copies(subject: Subject): Promise<Copies> {
    const copied = await subject.copied()
    const all = new Map()
    for (const { entity } of streams) all.set(entity, await copyOf((params) => copied.search(entity, params)))
    return all
  }
  return [
    {
      name: 'keeps a copy in which every stream is read to its end',
      mend: 'Compare "sync" of the entity with the lists of the simulated system, and give every entity records there.',
      async run(subject) {
        const { entities } = await (await subject.copied()).state()
        assert.equal(entities.length, streams.length)
        for (const { entity, records, complete, last_error, skipped, warnings } of entities) {
          assert.deepEqual([complete, last_error, skipped, warnings], [true, null, [], []], entity)
          assert.ok(records > 0, `there are no ${entity}`)
        }
      },
    },
    {
      name: 'keeps a copy whose hits have every searchable field, and are found by their values',
      mend: 'Declare each searchable field with the type that its values have.',
      async run(subject) {
        const copied = await subject.copied()
        for (const [entity, hits] of await copies(subject)) {
          const searchable = connector.entities[entity]!.searchable!
          const [first] = hits
          assert.ok(first, `there are no ${entity}`)
          const [id, data] = first
          assert.deepEqual(Object.keys(data).toSorted(), Object.keys(searchable).toSorted(), entity)
          for (const [field, value] of Object.entries(data)) {
            const params = { query: { filter: { eq: { [field]: value } } }, limit: 10_000 }
            const { status, body, text } = await copied.search(entity, params)
            assert.equal(status, 200, `${entity} ${field}: ${text}`)
            assert.ok(
              body.result.hits.some((hit: { id: string }) => hit.id === id),
              `${entity} ${field} does not find ${stringifyJson(value)}`,
            )
          }
        }
      },
    },
    {
      name: 'keeps a copy that stays as it is when everything is read again, and when everything is refused',
      mend: 'The identity of a record must be the same in every pass, and readRefusal must return a code for every refusal.',
      async run(subject) {
        const copied = await subject.copied()
        const first = await copies(subject)
        await copied.sync({ full: true })
        assert.deepEqual(await copies(subject), first, 'read again, it is another copy')
        const refusal = { kind: connector.kind, host: 'api', effect: { type: 'status', status: 403 } } as const
        subject.systems.faults.add({ ...refusal, times: 'always' })
        for (let pass = 0; pass < 2; pass++) await copied.sync({ full: true })
        assert.deepEqual(await copies(subject), first, 'refused, it is another copy')
        const { entities } = await copied.state()
        for (const { entity, complete } of entities)
          assert.equal(complete, false, `${entity} counts as complete although everything was refused`)
      },
    },
  ]
}
