/** What is refused before anything is sent, and what a failure of the system becomes. */
import assert from 'node:assert/strict'
import type { Connector } from '../catalog/connector.ts'
import { isProblem } from './answers.ts'
import type { Check } from './check.ts'
import { nothingSent } from './nothing-sent.ts'
import { unfit, variants } from './samples.ts'
import type { Named, Subject } from './subject.ts'
import { upstreamFaults } from './upstream-faults.ts'

export function paramChecks(named: Named): Check[] {
  const { entity, action, operation } = named
  const name = `${entity} ${action}`
  const refuses = async (subject: Subject, params: object, path: string, message = ''): Promise<void> => {
    const answer = await subject.execute(named, params)
    isProblem(answer, 'invalid_params', path)
    const told = answer.body.errors.filter((issue: { path: string }) => issue.path === path)
    assert.ok(
      told.some((issue: { message: string }) => issue.message.includes(message)),
      answer.text,
    )
  }
  return [
    {
      name: `${name} refuses params that it does not have, lacks or cannot use, and sends nothing`,
      mend: `Correct the params of ${name}, or its example in the simulated system.`,
      async run(subject) {
        const params = subject.example(named)
        const { properties, required = [] } = operation.params as unknown as {
          properties: Readonly<Record<string, object>>
          required?: readonly string[]
        }
        if (Object.keys(properties).length === 0)
          await refuses(subject, { ...params, x: 1 }, '/params/x', 'it takes none')
        for (const param of Object.keys(properties)) {
          const { [param]: _, ...others } = params
          await refuses(subject, { ...others, [`${param}x`]: 1 }, `/params/${param}x`, `did you mean "${param}"?`)
        }
        for (const param of required) {
          const { [param]: _, ...others } = params
          await refuses(subject, others, `/params/${param}`, 'is required')
        }
        for (const { params: wrong, path } of unfit(operation.params, params))
          await refuses(subject, wrong, `/params${path}`)
        nothingSent(subject)
      },
    },
    ...(operation.rules ?? []).map(
      (rule): Check => ({
        name: `${name} keeps to its rule: ${rule.sentence}`,
        mend: `The function of the rule must return the params at fault, and null for the example of ${name}.`,
        async run(subject) {
          const params = subject.example(named)
          assert.equal(rule.broken(params), null, 'the example breaks it')
          const breaking = [...variants(operation.params, params)].find(
            (variant) => rule.broken(variant as never) !== null,
          )
          assert.ok(breaking, 'nothing that fits the schema breaks it')
          const [blamed] = rule.broken(breaking as never)!
          await refuses(subject, breaking, blamed === undefined ? '/params' : `/params/${blamed}`, rule.sentence)
          nothingSent(subject)
        },
      }),
    ),
  ]
}

export function faultCheck({ kind }: Connector, named: Named): Check {
  const { entity, action } = named
  return {
    name: `${entity} ${action} fails in the contract’s words when the system fails or refuses`,
    mend: 'Return the expected code for this status from readRefusal: reauthorization_required for 401, upstream_forbidden for 403, record_not_found for 404, upstream_rate_limited for 429, upstream_error from 500 on.',
    async run(subject) {
      const params = subject.example(named)
      for (const { fault, effect, codes } of upstreamFaults(action)) {
        subject.calm()
        subject.systems.faults.add({ kind, host: 'api', effect, times: null })
        const answer = await subject.execute(named, params)
        const code = answer.status === 200 ? 'an answer' : answer.body.code
        assert.ok(
          codes.includes(code),
          `${fault} must become ${codes.join(' or ')}, not ${code}: ${answer.text.slice(0, 500)}`,
        )
        if (answer.status !== 200) isProblem(answer, code)
        else assert.deepEqual(answer.body.result, [], fault)
      }
    },
  }
}
