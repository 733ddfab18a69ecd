/** What holds for every kind of connector: a new one joins by its line in the catalog. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import Schema from 'typebox/schema'
import type { Connector } from '../src/catalog/connector.ts'
import { catalog } from '../src/connectors/index.ts'
import { stringifyJson } from '../src/json.ts'
import { streamedEntities } from '../src/sync/entity-order.ts'
import { formOf } from './conformance/form.ts'
import { identityOf, walk } from './conformance/pages.ts'
import { unfit, variants } from './conformance/samples.ts'
import { operationsOf, type Subject, startSubject } from './conformance/subject.ts'
import { upstreamFaults } from './conformance/upstream-faults.ts'
import { conforms } from './conforms.ts'
import { executePath, isFine, isProblem } from './hosted.ts'
import type { Synced } from './sync/synced.ts'

for (const connector of Object.values(catalog) as readonly Connector[])
  describe(`a connector of the kind ${connector.kind}`, () => {
    let subject: Subject
    before(async () => {
      subject = await startSubject(connector)
    })
    beforeEach(() => subject.hosted.calm())
    after(() => subject.close())

    const operations = operationsOf(connector)
    const forms = new Set<string>()
    const nothingSent = (): void => assert.equal(subject.hosted.received().length, 0, 'something was sent')

    it('is described as it is declared', () => {
      const { connector_type, definition_id, entities } = subject.type
      assert.deepEqual([connector_type, definition_id], [connector.kind, connector.definitionId])
      const described = entities.flatMap(({ name, actions }) => actions.map((action) => `${name} ${action.name}`))
      assert.deepEqual(
        described.filter((name) => !name.endsWith(' search')),
        operations.map(({ entity, action }) => `${entity} ${action}`),
      )
      assert.deepEqual(
        described.filter((name) => name.endsWith(' search')),
        entities.filter((one) => Object.keys(one.searchable_fields).length > 0).map(({ name }) => `${name} search`),
      )
    })

    for (const method of connector.authMethods) {
      it(`takes the credentials of ${method.name} as they are described, and no field misspelt`, async () => {
        const credentials = subject.credentials.get(method.name)
        assert.ok(credentials, 'the simulated system gives out no such credentials')
        const described = subject.type.auth_methods.find(({ name }) => name === method.name)!.credentials
        assert.ok(Schema.Check(described as never, credentials))
        assert.equal((await subject.create(credentials)).body.auth_method, method.name)
        for (const [field, value] of Object.entries(credentials)) {
          const others = Object.entries(credentials).filter(([name]) => name !== field)
          const misspelt = { ...Object.fromEntries(others), [`${field}x`]: value }
          assert.ok(!Schema.Check(described as never, misspelt))
          const refused = await subject.create(misspelt)
          isProblem(refused, 'invalid_credentials', `/credentials/${field}x`)
          assert.ok(refused.text.includes(`did you mean \\"${field}\\"?`), refused.text)
          assert.ok(!refused.text.includes(String(value)), 'a credential was repeated')
        }
        nothingSent()
      })

      it(`is healthy with good credentials of ${method.name}, and unhealthy with bad ones`, async () => {
        const credentials = subject.credentials.get(method.name)!
        const good = await subject.check((await subject.create(credentials)).body.id)
        assert.deepEqual(good, { status: 'healthy', checked: checked(connector) })
        assert.ok(subject.hosted.received().length > 0)
        const spoilt = Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, `${value}0`]))
        const { status, error } = await subject.check((await subject.create(spoilt)).body.id)
        assert.deepEqual([status, error?.code], ['unhealthy', 'reauthorization_required'])
      })
    }

    for (const named of operations) {
      const { entity, action, operation } = named
      const name = `${entity} ${action}`
      const refused = async (params: object, path: string, message?: string): Promise<void> => {
        const answer = await subject.execute(named, params)
        isProblem(answer, 'invalid_params', path)
        if (message !== undefined) {
          const told = answer.body.errors.filter((issue: { path: string }) => issue.path === path)
          assert.ok(
            told.some((issue: { message: string }) => issue.message.includes(message)),
            answer.text,
          )
        }
      }

      if (operation.action !== 'download')
        it(`${name} answers as declared, the same hosted and local`, async () => {
          const params = subject.example(named)
          const answer = isFine(await subject.execute(named, params))
          const here = await subject.local.execute(entity, action, params)
          const records: readonly unknown[] = action === 'list' ? answer.result : [answer.result]
          assert.ok(Array.isArray(records) && records.length > 0, 'the example finds nothing')
          for (const record of records) conforms(record, operation.record, name)
          for (const record of [here.result].flat()) conforms(record, operation.record, `${name}, local`)
          assert.equal(answer.connector_metadata.warnings, undefined)
          assert.deepEqual(here, answer)
          if (action === 'get') assert.deepEqual(answer.connector_metadata, {})
        })

      if (operation.action === 'list')
        it(`${name} ends, gives no record twice, and keeps to a limit`, async () => {
          const params = subject.example(named)
          const identity = identityOf(operation.record)
          const whole = await walk(subject.local, entity, params)
          const all = whole.flat().map(identity)
          assert.equal(new Set(all).size, all.length)
          assert.deepEqual((await walk(subject.through, entity, params)).flat().map(identity), all)
          if (!Object.hasOwn(operation.params.properties, 'limit')) return
          const limit = Math.min(100, Math.max(1, Math.ceil(all.length / 3)))
          const pages = await walk(subject.local, entity, { ...params, limit })
          assert.ok(pages.every((page) => page.length <= limit))
          assert.ok(pages.length >= Math.min(all.length, 2))
          assert.deepEqual(pages.flat().map(identity), all)
          const [first] = pages
          const hosted = isFine(await subject.execute(named, { ...params, limit }))
          assert.deepEqual(hosted.result, first)
          assert.deepEqual(await walk(subject.through, entity, { ...params, limit }), pages)
        })

      if (operation.action === 'download')
        it(`${name} answers bytes, and the part of them that is asked for`, async () => {
          const params = subject.example(named)
          const bytes = async (range_header?: string) => {
            const response = await subject.stream(named, { ...params, ...(range_header && { range_header }) })
            const { status, headers } = response
            return { status, headers, body: Buffer.from(await response.arrayBuffer()) }
          }
          const whole = await bytes()
          const length = whole.body.length
          assert.equal(whole.status, 200)
          assert.ok(length > 100)
          assert.equal(whole.headers.get('content-length'), String(length))
          assert.match(whole.headers.get('content-type')!, /^[a-z]+\/[\w.+-]+/)
          assert.match(whole.headers.get('content-disposition')!, /^attachment/)
          for (const [range, first, last] of [
            ['bytes=10-19', 10, 19],
            [`bytes=${length - 5}-`, length - 5, length - 1],
            ['bytes=-7', length - 7, length - 1],
          ] as const) {
            const part = await bytes(range)
            assert.equal(part.status, 206, range)
            assert.equal(part.headers.get('content-range'), `bytes ${first}-${last}/${length}`)
            assert.deepEqual(part.body, whole.body.subarray(first, last + 1), range)
          }
          const beyond = await subject.execute(named, { ...params, range_header: `bytes=${length}-` })
          isProblem(beyond, 'range_not_satisfiable')
          assert.equal(beyond.headers.get('content-range'), `bytes */${length}`)
          const here = await subject.local.download(entity, params)
          assert.equal(here.status, 200)
          assert.equal(here.headers.get('content-length'), String(length))
          assert.deepEqual(Buffer.concat(await Array.fromAsync(here.body)), whole.body)
        })

      it(`${name} refuses params that it does not have, lacks or cannot use, and sends nothing`, async () => {
        const params = subject.example(named)
        const { properties, required = [] } = operation.params as unknown as {
          properties: Readonly<Record<string, object>>
          required?: readonly string[]
        }
        if (Object.keys(properties).length === 0) await refused({ ...params, x: 1 }, '/params/x', 'it takes none')
        for (const param of Object.keys(properties)) {
          const { [param]: _, ...others } = params
          await refused({ ...others, [`${param}x`]: 1 }, `/params/${param}x`, `did you mean "${param}"?`)
        }
        for (const param of required) {
          const { [param]: _, ...others } = params
          await refused(others, `/params/${param}`, 'is required')
        }
        for (const { params: wrong, path } of unfit(operation.params, params)) await refused(wrong, `/params${path}`)
        nothingSent()
      })

      for (const rule of operation.rules ?? [])
        it(`${name} keeps to its rule: ${rule.sentence}`, async () => {
          const params = subject.example(named)
          assert.equal(rule.broken(params), null, 'the example breaks it')
          const breaking = variants(operation.params, params).find((variant) => rule.broken(variant as never) !== null)
          assert.ok(breaking, 'nothing that fits the schema breaks it')
          const [blamed] = rule.broken(breaking as never)!
          await refused(breaking, blamed === undefined ? '/params' : `/params/${blamed}`, rule.sentence)
          nothingSent()
        })

      const form = formOf(operation)
      const isFirst = !forms.has(form)
      forms.add(form)
      if (isFirst)
        it(`${name} fails in the contract’s words when the system fails or refuses`, async () => {
          const params = subject.example(named)
          for (const { fault, effect, codes } of upstreamFaults(action)) {
            subject.hosted.calm()
            subject.hosted.systems.faults.add({ kind: connector.kind, host: 'api', effect, times: null })
            const answer = await subject.execute(named, params)
            const code = answer.status === 200 ? 'an answer' : answer.body.code
            assert.ok(codes.includes(code), `${fault}: ${code} (${answer.text.slice(0, 500)})`)
            if (answer.status !== 200) isProblem(answer, code)
            else assert.deepEqual(answer.body.result, [], fault)
          }
        })
    }

    const streams = streamedEntities(connector)
    if (streams.length > 0)
      describe('keeps a copy', () => {
        let copied: Synced
        const copies = async (): Promise<ReadonlyMap<string, ReadonlyMap<string, Record<string, unknown>>>> => {
          const all = new Map()
          for (const { entity } of streams) all.set(entity, await copied.copy(entity))
          return all
        }
        before(async () => {
          subject.hosted.calm()
          copied = await subject.copied()
          await copied.sync()
        })

        it('in which every stream is read to its end', async () => {
          const { entities } = await copied.state()
          assert.equal(entities.length, streams.length)
          for (const { entity, records, complete, last_error, skipped, warnings } of entities) {
            assert.ok(records > 0, `there are no ${entity}`)
            assert.deepEqual([complete, last_error, skipped, warnings], [true, null, [], []], entity)
          }
        })

        it('whose hits have every searchable field, and are found by their values', async () => {
          for (const [entity, hits] of await copies()) {
            const searchable = connector.entities[entity]!.searchable!
            const [[id, data]] = [...hits] as [[string, Record<string, unknown>]]
            assert.deepEqual(Object.keys(data).toSorted(), Object.keys(searchable).toSorted())
            for (const [field, value] of Object.entries(data)) {
              const params = { query: { filter: { eq: { [field]: value } } }, limit: 10_000 }
              const { status, body } = await subject.hosted.call('POST', executePath(copied.id), {
                token: (await subject.hosted.server.issueToken('ann')).token,
                // Whole numbers past 2^53 keep their digits.
                body: stringifyJson({ entity, action: 'search', params }),
              })
              assert.equal(status, 200, `${entity} ${field}`)
              assert.ok(
                body.result.hits.some((hit: { id: string }) => hit.id === id),
                `${entity} ${field}`,
              )
            }
          }
        })

        it('that stays as it is when everything is read again, and when everything is refused', async () => {
          const first = await copies()
          await copied.sync({ full: true })
          assert.deepEqual(await copies(), first)
          const refusal = { kind: connector.kind, host: 'api', effect: { type: 'status', status: 403 } } as const
          subject.hosted.systems.faults.add({ ...refusal, times: 'always' })
          for (let pass = 0; pass < 2; pass++) await copied.sync({ full: true })
          assert.deepEqual(await copies(), first)
          const { entities } = await copied.state()
          for (const { entity, complete } of entities) assert.equal(complete, false, entity)
        })
      })

    it('had no defect in all of it', () => assert.doesNotMatch(subject.hosted.log(), /"code":"internal"/))
  })

const checked = ({ check: { entity, action } }: Connector) => ({ entity, action })
