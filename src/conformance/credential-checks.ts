/** Credentials are taken as they are described, and a check of them says whether the system takes them. */
import assert from 'node:assert/strict'
import Schema from 'typebox/schema'
import type { Connector } from '../catalog/connector.ts'
import { isProblem } from './answers.ts'
import type { Check } from './check.ts'
import { nothingSent } from './nothing-sent.ts'
import type { Subject } from './subject.ts'

export const credentialChecks = (connector: Connector): Check[] =>
  connector.authMethods.flatMap(({ name }): Check[] => {
    const given = ({ credentials }: Subject): Readonly<Record<string, string>> => {
      const found = credentials.get(name)
      assert.ok(found, `the simulated system gives out no credentials of ${name}`)
      return found
    }
    return [
      {
        name: `takes the credentials of ${name} as they are described, and no field misspelt`,
        mend: 'Return credentials of every auth method from the start of the simulated system, with the declared fields.',
        async run(subject) {
          const credentials = given(subject)
          const described = subject.type.auth_methods.find((method) => method.name === name)!.credentials as never
          assert.ok(Schema.Check(described, credentials), 'they do not fit their description')
          assert.equal((await subject.create(credentials)).body.auth_method, name)
          for (const [field, value] of Object.entries(credentials)) {
            const others = Object.entries(credentials).filter(([other]) => other !== field)
            const misspelt = { ...Object.fromEntries(others), [`${field}x`]: value }
            assert.ok(!Schema.Check(described, misspelt), `${field}x fits their description`)
            const refused = await subject.create(misspelt)
            isProblem(refused, 'invalid_credentials', `/credentials/${field}x`)
            assert.ok(refused.text.includes(`did you mean \\"${field}\\"?`), refused.text)
            assert.ok(!refused.text.includes(String(value)), 'a credential was repeated')
          }
          nothingSent(subject)
        },
      },
      {
        name: `is healthy with good credentials of ${name}, and unhealthy with bad ones`,
        mend: 'The operation of "check" must work with good credentials alone; for bad ones, readRefusal must return reauthorization_required.',
        async run(subject) {
          const credentials = given(subject)
          const { entity, action } = connector.check
          const good = await subject.check((await subject.create(credentials)).body.id)
          assert.deepEqual(good, { status: 'healthy', checked: { entity, action } }, 'with good credentials')
          assert.ok(subject.received().length > 0, 'nothing was sent')
          const spoilt = Object.fromEntries(Object.entries(credentials).map(([field, value]) => [field, `${value}0`]))
          const { status, error } = await subject.check((await subject.create(spoilt)).body.id)
          assert.deepEqual([status, error?.code], ['unhealthy', 'reauthorization_required'], 'with bad credentials')
        },
      },
    ]
  })
