import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type ConnectorType, describeConnector } from '../catalog/describe.ts'
import { catalog } from '../connectors/index.ts'
import { operationTools } from './operation-tools.ts'
import type { Source } from './source.ts'
import type { Tool } from './tool.ts'

describe('tools for operations', () => {
  const types = new Map<string, ConnectorType>()
  const tools: Tool[] = []
  before(async () => {
    for (const connector of Object.values(catalog)) types.set(connector.kind, describeConnector(connector))
    const source = { type: async (kind: string) => types.get(kind)! } as Partial<Source> as Source
    for (const { connector_type, entities } of types.values())
      for (const { name } of entities) tools.push(...(await operationTools(source, [`${connector_type}.${name}`])))
  })

  it('have names of their own, which every client accepts', () => {
    assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length)
    for (const { name } of tools) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
  })

  it('add no argument that is a param of the operation', () => {
    const added = ['connector', 'skip', 'max_characters', 'max_text', 'omit_empty', 'select_fields', 'exclude_fields']
    for (const { connector_type, entities } of types.values())
      for (const { name, actions } of entities)
        for (const action of actions.filter((one) => one.name !== 'search')) {
          const params = Object.keys((action.params as { properties?: object }).properties ?? {})
          assert.deepEqual(
            params.filter((param) => added.includes(param)),
            [],
            `${connector_type}.${name}.${action.name}`,
          )
        }
  })

  it('say what they return, so that every reference leads somewhere', () => {
    for (const { name, outputSchema } of tools) {
      if (name.endsWith('_download')) continue
      const text = JSON.stringify(outputSchema)
      for (const [, title] of text.matchAll(/"#\/\$defs\/([^"]+)"/g))
        assert.ok(Object.hasOwn(outputSchema!.$defs as object, title!), `${name}: ${title}`)
      assert.doesNotMatch(text, /"(pattern|format)":"/)
    }
  })
})
