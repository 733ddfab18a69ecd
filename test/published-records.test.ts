/** What is published of records is true: whoever judges answers by it refuses no good one, also where fields are left out. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Connector } from '../src/catalog/connector.ts'
import type { GetOperation, ListOperation } from '../src/catalog/operation.ts'
import { isFine } from '../src/conformance/answers.ts'
import { type Named, operationsOf } from '../src/conformance/operations.ts'
import { type Subject, startSubject } from '../src/conformance/subject.ts'
import { catalog } from '../src/connectors/index.ts'
import { simulators } from '../src/connectors/simulators.ts'
import { withItems } from '../src/server/openapi-schemas.ts'
import { document, fits, newValidator } from './documented.ts'
import { drawn } from './drawn.ts'

type Reading = Named & { readonly operation: ListOperation | GetOperation }
const reads = (named: Named): named is Reading => named.operation.action !== 'download'

/** Fields by which Conex itself finds what the example asks for. */
const readByFilters: Readonly<Record<string, readonly string[]>> = { 'stats_activity_scorecards list': ['reviewTime'] }

const ajv = newValidator()

for (const connector of Object.values(catalog) as readonly Connector[]) {
  const operations = operationsOf(connector).filter(reads)
  if (operations.length === 0) continue

  describe(`what is published of records of ${connector.kind}`, () => {
    let subject: Subject
    before(async () => {
      subject = await startSubject(connector, simulators[connector.kind as keyof typeof simulators])
    })
    beforeEach(() => subject.calm())
    after(() => subject.close())

    /** As `connector-types` answers it. */
    const published = ({ entity, action }: Named) => {
      const { actions } = subject.type.entities.find(({ name }) => name === entity)!
      return actions.find(({ name }) => name === action)!.record as unknown as {
        readonly required?: readonly string[]
        readonly $defs?: Readonly<Record<string, object>>
      }
    }

    /** The records of an answer, which fits both documents. */
    function judged(named: Reading, answer: { readonly result: unknown }): Record<string, unknown>[] {
      const records = [answer.result].flat() as Record<string, unknown>[]
      const fitsType = ajv.compile(published(named))
      for (const record of records)
        assert.ok(fitsType(record), `${JSON.stringify(fitsType.errors)} in ${JSON.stringify(record)}`)
      fits(`/components/schemas/${connector.kind}.${named.entity}.${named.action}.answer`, answer)
      return records
    }

    for (const named of drawn(10, operations)) {
      const name = `${named.entity} ${named.action}`
      const { record, select } = named.operation
      const fields = Object.keys(record.properties)
      const identities = fields.filter((field) => 'x-identifier' in record.properties[field]!)

      it(`${name} fits, whole`, async () => {
        const records = judged(named, isFine(await subject.execute(named, subject.example(named))))
        assert.ok(records.length > 0)
      })

      it(`${name} fits, with only what the system can be sure to give`, async () => {
        const params = subject.example(named)
        const kept = [
          ...[...identities, ...Object.keys(params), ...(readByFilters[name] ?? [])],
          // A field inside of a record can have the name of what is around all records.
          ...named.operation.recordsAt,
        ]
        const all = namesIn(record).filter((field) => !kept.includes(field))
        // Those inside of others stand alone the second time, since the others are still there.
        for (const leave_out of [all, all.filter((field) => !fields.includes(field))]) {
          subject.calm()
          const effect = { type: 'lacking', leave_out } as const
          subject.systems.faults.add({ kind: connector.kind, host: 'api', effect, times: null })
          assert.ok(judged(named, isFine(await subject.execute(named, params))).length > 0)
        }
      })

      if (select?.param !== undefined)
        it(`${name} fits, with the fields that a caller chose`, async () => {
          const others = fields.filter((field) => !identities.includes(field))
          for (const chosen of [others, others.slice(0, 1), others.slice(-1)]) {
            const params = { ...subject.example(named), [select.param!]: chosen.join() }
            judged(named, isFine(await subject.execute(named, params)))
          }
        })
    }

    it('requires what tells records apart, and of the rest what is null where the system has none', () => {
      for (const named of operations) {
        const { record, select } = named.operation
        const sure = (record.required ?? []).filter((field) => {
          const shape = record.properties[field]!
          return 'x-identifier' in shape || 'anyOf' in shape
        })
        assert.deepEqual(published(named).required ?? [], select?.param === undefined ? sure : [])
      }
    })

    /**
     * There, every array has items. Objects with a title are beside the records of all kinds, so the first description
     * of one, which the others need not repeat, can be another's.
     */
    const asInDocument = (schema: object): unknown =>
      compared(
        JSON.parse(JSON.stringify(withItems(schema)).replaceAll('#/$defs/', `#/components/schemas/${connector.kind}.`)),
      )
    const compared = (schema: unknown): unknown =>
      JSON.parse(
        JSON.stringify(schema, (_, part: Readonly<Record<string, unknown>> | null) =>
          typeof part === 'object' && part !== null && (typeof part.$ref === 'string' || typeof part.title === 'string')
            ? { ...part, description: undefined }
            : part,
        ),
      )

    it('is the same in both documents, as each writes it', () => {
      for (const named of operations) {
        const schemas = document.components.schemas as Readonly<
          Record<string, { readonly properties: { result: object } }>
        >
        const { result } = schemas[`${connector.kind}.${named.entity}.${named.action}.answer`]!.properties
        const { $defs = {}, ...record } = published(named)
        assert.deepEqual(
          compared(named.action === 'list' ? (result as { items: object }).items : result),
          asInDocument(record),
        )
        for (const [title, object] of Object.entries($defs))
          assert.deepEqual(compared(schemas[`${connector.kind}.${title}`]), asInDocument(object))
      }
    })
  })
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** The names of all declared fields, however deep. */
function namesIn({ properties = {}, items, anyOf = [] }: Shape): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [name, ...namesIn(field)]),
    ...(items === undefined ? [] : namesIn(items)),
    ...anyOf.flatMap(namesIn),
  ]
}
