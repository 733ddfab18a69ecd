/** What is refused before anything is sent, and what a failure of the system becomes. */
import assert from 'node:assert/strict'
import { checkParams } from '../catalog/check.ts'
import type { Connector } from '../catalog/connector.ts'
import type { Operation } from '../catalog/operation.ts'
import type { Issue } from '../errors.ts'
import type { ExampleParams } from '../simulator/system.ts'
import { isProblem } from './answers.ts'
import type { Check } from './check.ts'
import { nothingSent } from './nothing-sent.ts'
import type { Named } from './operations.ts'
import { unfit, variants } from './samples.ts'
import { someOf } from './some-of.ts'
import type { Subject } from './subject.ts'
import { upstreamFaults } from './upstream-faults.ts'

/** Params that are refused: at which place, and with which words. */
interface Wrong {
  readonly params: object
  readonly path: string
  readonly message: string
}

/** So many wrong params of an operation go through the service; all of them go through the check that it asks. */
const sent = 6

export function paramChecks(named: Named): Check[] {
  const { entity, action, operation } = named
  const name = `${entity} ${action}`
  const tells = (issues: readonly Issue[], { path, message, params }: Wrong): void =>
    assert.ok(
      issues.some((issue) => issue.path === path && issue.message.includes(message)),
      `${JSON.stringify(params)}: ${JSON.stringify(issues)}`,
    )
  const refuses = async (subject: Subject, wrong: Wrong): Promise<void> => {
    const answer = await subject.execute(named, wrong.params)
    isProblem(answer, 'invalid_params', wrong.path)
    tells(answer.body.errors, wrong)
  }
  return [
    {
      name: `${name} refuses params that it does not have, lacks or cannot use, and sends nothing`,
      mend: `Correct the params of ${name}, or its example in the simulated system.`,
      async run(subject) {
        const all = wrongParams(operation, subject.example(named))
        for (const wrong of all) tells(checkParams(operation.params, operation.rules, wrong.params, '/params'), wrong)
        for (const wrong of someOf(sent, all)) await refuses(subject, wrong)
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
          const path = blamed === undefined ? '/params' : `/params/${blamed}`
          await refuses(subject, { params: breaking, path, message: rule.sentence })
          nothingSent(subject)
        },
      }),
    ),
  ]
}

/** Misspelt params, required ones left out, and values that do not fit. */
function wrongParams(operation: Operation, params: ExampleParams): readonly Wrong[] {
  const { properties, required = [] } = operation.params as unknown as {
    properties: Readonly<Record<string, object>>
    required?: readonly string[]
  }
  const names = Object.keys(properties)
  const without = (param: string): object =>
    Object.fromEntries(Object.entries(params).filter(([name]) => name !== param))
  return [
    ...(names.length > 0 ? [] : [{ params: { ...params, x: 1 }, path: '/params/x', message: 'it takes none' }]),
    ...names.map((param) => ({
      params: { ...without(param), [`${param}x`]: 1 },
      path: `/params/${param}x`,
      message: `did you mean "${param}"?`,
    })),
    ...required.map((param) => ({ params: without(param), path: `/params/${param}`, message: 'is required' })),
    ...unfit(operation.params, params).map((one) => ({ params: one.params, path: `/params${one.path}`, message: '' })),
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
