/** What the service tells of a kind is what the kind declares. */
import assert from 'node:assert/strict'
import { checkParams } from '../catalog/check.ts'
import type { Connector } from '../catalog/connector.ts'
import type { Check } from './check.ts'
import { operationsOf } from './operations.ts'
import type { Subject } from './subject.ts'

export const descriptionChecks = (connector: Connector): Check[] => {
  const operations = operationsOf(connector)
  return [
    {
      name: 'is described as it is declared',
      mend: 'Compare the names of entities in the connector with those in its connector type.',
      run({ type }) {
        assert.deepEqual([type.connector_type, type.definition_id], [connector.kind, connector.definitionId])
        const described = type.entities.flatMap(({ name, actions }) =>
          actions.map((action) => `${name} ${action.name}`),
        )
        assert.deepEqual(
          described.filter((name) => !name.endsWith(' search')),
          operations.map(({ entity, action }) => `${entity} ${action}`),
        )
        assert.deepEqual(
          described.filter((name) => name.endsWith(' search')),
          type.entities
            .filter((one) => Object.keys(one.searchable_fields).length > 0)
            .map(({ name }) => `${name} search`),
        )
      },
    },
    {
      name: 'has every operation in the OpenAPI document, with a request that is right',
      mend: 'Correct the examples of the connector: each is a value that its param takes.',
      run(subject) {
        for (const { entity, action, operation } of operations) {
          const name = `${connector.kind}.${entity}.${action}`
          assert.ok(subject.document.components.schemas[name], `${name} is not in the document`)
          const { params } = requestsIn(subject)[name]!.value
          assert.deepEqual(checkParams(operation.params, operation.rules, params, ''), [], `the request of ${name}`)
        }
      },
    },
  ]
}

/** The example requests of the document, by the names of their operations. */
const requestsIn = ({ document }: Subject): Readonly<Record<string, { readonly value: { readonly params: object } }>> =>
  document.paths['/api/v1/connectors/sources/{connector_id}/execute'].post.requestBody.content['application/json']
    .examples
