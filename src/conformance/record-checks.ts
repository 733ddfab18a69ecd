/** Lists and gets: their records are as declared, their pages end, and callers choose limits and fields. */
import assert from 'node:assert/strict'
import Schema from 'typebox/schema'
import type { Connector } from '../catalog/connector.ts'
import { isFine } from './answers.ts'
import type { Check } from './check.ts'
import { conforms } from './conforms.ts'
import type { Named } from './operations.ts'
import { identityOf, walk } from './pages.ts'
import type { Subject } from './subject.ts'

type Fields = Readonly<Record<string, unknown>>

export function recordChecks({ kind }: Connector, named: Named): Check[] {
  const { entity, action, operation } = named
  if (operation.action === 'download') return []
  const name = `${entity} ${action}`

  const answers: Check = {
    name: `${name} answers as declared, the same hosted and local`,
    mend: `Compare the record of ${name} with what the simulated system answers: declare each field as it comes, optional(…) if not every answer has it, nullable(…) if it can be null.`,
    async run(subject) {
      const params = subject.example(named)
      const answer = isFine(await subject.execute(named, params))
      const here = await subject.local.execute(entity, action, params)
      const records: readonly unknown[] = action === 'list' ? answer.result : [answer.result]
      assert.ok(Array.isArray(records) && records.length > 0, 'its example finds nothing')
      for (const record of records) conforms(record, operation.record, name)
      for (const record of [here.result].flat()) conforms(record, operation.record, `${name}, local`)
      assert.equal(answer.connector_metadata.warnings, undefined, 'it has warnings')
      assert.deepEqual(here, answer, 'hosted and local answers differ')
      if (action === 'get') assert.deepEqual(answer.connector_metadata, {})
      isDocumented(subject, `${kind}.${entity}.${action}.answer`, answer)
    },
  }

  const chosen: Check = {
    name: `${name} gives the fields that a caller chooses, and leaves out those that a caller does not want`,
    mend: `Correct "select" or "choose" of ${name}, which say how the system is asked for fields, or let the simulated system return the fields that it is asked for.`,
    async run(subject) {
      const params = subject.example(named)
      const firstOf = (answer: { readonly result: unknown }): Fields => [answer.result].flat()[0] as Fields
      const whole = Object.keys(firstOf(isFine(await subject.execute(named, params))))
      const declared = whole.filter((field) => Object.hasOwn(operation.record.properties, field))
      const select_fields = [...new Set([declared.at(0), declared.at(-1)])]
      const selected = isFine(await subject.execute(named, params, { select_fields }))
      assert.deepEqual(Object.keys(firstOf(selected)).toSorted(), select_fields.toSorted(), 'with select_fields')
      const here = await subject.local.execute(entity, action, params, { select_fields } as never)
      assert.deepEqual(here, selected, 'hosted and local answers differ')
      const others = isFine(await subject.execute(named, params, { exclude_fields: select_fields }))
      for (const field of Object.keys(firstOf(others)))
        assert.ok(!select_fields.includes(field), `${field} is there although it is excluded`)
    },
  }

  const pages: Check = {
    name: `${name} ends, gives no record twice, and keeps to a limit`,
    mend: `Compare "paging" of ${name} with the pages of the simulated system: the place of the next cursor, the param that takes it, and the limit.`,
    async run(subject) {
      const params = subject.example(named)
      const identity = identityOf(operation.record)
      const whole = await walk(subject.local, entity, params)
      const all = whole.flat().map(identity)
      assert.equal(new Set(all).size, all.length, `${all.length - new Set(all).size} of ${all.length} come twice`)
      assert.deepEqual((await walk(subject.through, entity, params)).flat().map(identity), all)
      if (!Object.hasOwn(operation.params.properties, 'limit')) return
      const limit = Math.min(100, Math.max(1, Math.ceil(all.length / 3)))
      const limited = await walk(subject.local, entity, { ...params, limit })
      assert.ok(
        limited.every((page) => page.length <= limit),
        `pages have ${limited.map((page) => page.length).join(', ')} records under a limit of ${limit}`,
      )
      assert.ok(limited.length >= Math.min(all.length, 2), 'a limit does not make more pages')
      assert.deepEqual(limited.flat().map(identity), all, 'with a limit, there are other records')
      const [first] = limited
      const hosted = isFine(await subject.execute(named, { ...params, limit }))
      assert.deepEqual(hosted.result, first, 'hosted and local answers differ')
      assert.deepEqual(await walk(subject.through, entity, { ...params, limit }), limited)
    },
  }

  return action === 'list' ? [answers, chosen, pages] : [answers, chosen]
}

/** Judges an answer by its schema in the service's own document. */
function isDocumented({ document: { components } }: Subject, name: string, answer: unknown): void {
  const schema = { $ref: `#/components/schemas/${name}`, components }
  const [fits, [fault]] = Schema.Errors(schema as never, answer) as unknown as [boolean, readonly object[]]
  assert.ok(fits, `the answer does not fit ${name} of the OpenAPI document: ${JSON.stringify(fault)}`)
}
