/** What programs that make clients of the OpenAPI document trip over, and what the document has to say as strictly as the server. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { document, fitting, operationAt } from './documented.ts'
import { connectors } from './hosted.ts'

type Schema = Readonly<Record<string, unknown>>

/** Every schema of the document, with where it stands. Examples are values, and not looked into. */
function* schemas(value: unknown, at = ''): Generator<{ at: string; schema: Schema }> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { at, schema: value as Schema }
  for (const [name, part] of Object.entries(value))
    if (!['example', 'examples', 'enum', 'required'].includes(name)) yield* schemas(part, `${at}/${name}`)
}

const all = [...schemas({ paths: document.paths, components: document.components })]

describe('for programs that make clients of it, the OpenAPI document', () => {
  it('gives every title once', () => {
    const titles = all.flatMap(({ schema }) => (typeof schema.title === 'string' ? [schema.title] : []))
    assert.ok(titles.length > 10)
    assert.deepEqual(titles.toSorted(), [...new Set(titles)].toSorted())
  })

  it('says of every array what its items are', () => {
    const arrays = all.filter(({ schema }) => [schema.type].flat().includes('array'))
    assert.ok(arrays.length > 100)
    assert.deepEqual(
      arrays.filter(({ schema }) => schema.items === undefined).map(({ at }) => at),
      [],
    )
  })

  it('has no choice among one, and no named schema that only refers to another', () => {
    const single = all.filter(({ schema }) =>
      ['anyOf', 'oneOf'].some((choice) => Array.isArray(schema[choice]) && schema[choice].length < 2),
    )
    assert.deepEqual(
      single.map(({ at }) => at),
      [],
    )
    const named = Object.entries(document.components.schemas as Record<string, Schema>)
    assert.deepEqual(
      named.filter(([, { $ref }]) => $ref !== undefined),
      [],
    )
  })

  it('keeps conditions out of the way of the fields that they are about', () => {
    const mixed = all.filter(
      ({ schema }) => schema.type === 'object' && schema.properties && (schema.anyOf ?? schema.oneOf ?? schema.allOf),
    )
    assert.deepEqual(
      mixed.map(({ at }) => at),
      [],
    )
  })

  it('refers to schemas that are there, by names that no other has when written as one word', () => {
    const names = Object.keys(document.components.schemas)
    const words = names.map((name) => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase())
    assert.equal(new Set(words).size, names.length)
    for (const { at, schema } of all)
      if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#/components/'))
        assert.ok(names.includes(schema.$ref.slice('#/components/schemas/'.length)), at)
  })
})

describe('as strict as the server, the OpenAPI document', () => {
  const body = (path: string, method: string): string =>
    `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}/requestBody/content/application~1json/schema`

  it('asks for an end user, by any of its names, where a token is not enough', () => {
    const scoped = body('/api/v1/embedded/scoped-token', 'post')
    assert.ok(!fitting(scoped, {}))
    const begin = body(`${connectors}/oauth/initiate`, 'post')
    const rest = { connector_type: 'asana', redirect_url: 'https://app.example/' }
    assert.ok(!fitting(begin, rest))
    assert.ok(!fitting(begin, { external_user_id: 'ann', redirect_url: 'https://app.example/' }))
    for (const name of ['external_user_id', 'workspace_name', 'customer_name']) {
      assert.ok(fitting(scoped, { [name]: 'ann' }))
      assert.ok(fitting(begin, { ...rest, [name]: 'ann' }))
    }
  })

  it('has numbers and truths in queries', () => {
    const parameters = (method: string, path: string) =>
      Object.fromEntries(
        (operationAt(method, path) as unknown as { parameters: { name: string; schema: Schema }[] }).parameters.map(
          ({ name, schema }) => [name, schema],
        ),
      )
    for (const path of [connectors, '/v1/integrations/audit', '/api/v1/connectors/connectors_for_user']) {
      const { type, minimum, maximum } = parameters('GET', path).limit!
      assert.deepEqual([type, minimum, maximum], ['integer', 1, 1000])
    }
    assert.equal(parameters('POST', connectors).check!.type, 'boolean')
  })
})
