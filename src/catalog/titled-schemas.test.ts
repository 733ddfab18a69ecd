import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Schema from 'typebox/schema'
import { connector } from './connector.ts'
import { describeConnector } from './describe.ts'
import { entity } from './entity.ts'
import { arrayOf, id, integer, objectOf, optional, text, titledObject } from './fields.ts'
import { get } from './operation.ts'

const owner = (description: string) =>
  titledObject('Owner', { name: optional(text()), title: optional(text()), age: optional(integer()) }, description)

const kind = connector({
  kind: 'things',
  definitionId: '7a0b2f6e-6a3c-4c39-9f5c-6a8b0d1b2c3d',
  title: 'Things',
  baseUrl: 'https://things.example',
  authMethods: [],
  replicationConfig: null,
  check: { entity: 'things', action: 'get', params: {} },
  readRefusal: () => null,
  entities: {
    things: entity({
      description: 'Things.',
      get: get({
        description: 'Get.',
        path: '/thing',
        recordsAt: [],
        record: {
          id: id(),
          owner: optional(owner('Who owns it.')),
          past: optional(arrayOf(owner('Who owned it.'))),
          place: optional(objectOf({ owner: optional(owner('Who owns it.')) })),
        },
      }),
    }),
  },
})

describe('an object with a title', () => {
  const { record } = describeConnector(kind).entities[0]!.actions[0]! as unknown as {
    record: { properties: Record<string, { anyOf: object[] }>; $defs: Record<string, { properties: object }> }
  }

  it('is described once, and referred to with what it means in each place', () => {
    assert.deepEqual(Object.keys(record.$defs), ['Owner'])
    assert.deepEqual(Object.keys(record.$defs.Owner!.properties), ['name', 'title', 'age'])
    assert.deepEqual(record.properties.owner!.anyOf[0], { $ref: '#/$defs/Owner' })
    assert.match(JSON.stringify(record.properties.past), /"\$ref":"#\/\$defs\/Owner","description":"Who owned it."/)
    assert.equal(JSON.stringify(record).split('"age"').length, 2)
  })

  it('is checked wherever it is referred to', () => {
    const fits = (value: object): boolean => Schema.Check(record as never, value)
    assert.equal(fits({ id: '1', owner: { age: 7 }, past: [{ title: 'x' }], place: { owner: {} } }), true)
    assert.equal(fits({ id: '1', owner: { age: 'x' } }), false)
    assert.equal(fits({ id: '1', past: [{ age: 'x' }] }), false)
    assert.equal(fits({ id: '1', place: { owner: { age: 'x' } } }), false)
  })
})
