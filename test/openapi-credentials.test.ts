/** What the OpenAPI document says of credentials: it takes and refuses the creations and changes that the server does. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Connector } from '../src/catalog/connector.ts'
import { catalog } from '../src/connectors/index.ts'
import { consentKinds } from './consenting.ts'
import { document, fitting } from './documented.ts'
import { connectors, type Hosted, startHosted } from './hosted.ts'

interface Shown {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: object
  readonly anyOf?: readonly Shown[]
}
const schemas = document.components.schemas as Readonly<Record<string, Shown>>

const bodyOf = (path: string, method: string): string =>
  `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}/requestBody/content/application~1json/schema`

const creationBody = bodyOf(connectors, 'post')
const patchBody = bodyOf(`${connectors}/{connector_id}`, 'patch')

describe('the credentials in the OpenAPI document', () => {
  let hosted: Hosted
  before(async () => {
    hosted = await startHosted()
  })
  after(() => hosted.close())

  const given = (kind: string) => hosted.systems.describe()[kind]!.credentials
  const replicationOf = (kind: string): object => consentKinds[kind] ?? {}
  const creation = (kind: string, changes: object = {}) => ({
    external_user_id: 'ann',
    connector_type: kind,
    name: crypto.randomUUID(),
    credentials: given(kind)[0],
    ...replicationOf(kind),
    ...changes,
  })

  /** The document and the server say the same of a body. */
  async function agreed(pointer: string, method: string, path: string, body: object, taken: boolean): Promise<void> {
    const { status, text } = await hosted.call(method, path, { token: hosted.ann, body })
    assert.equal(status < 300, taken, text)
    assert.equal(fitting(pointer, body), taken, JSON.stringify(body))
  }
  const created = (body: object, taken: boolean) => agreed(creationBody, 'POST', connectors, body, taken)

  for (const { kind, definitionId, authMethods, replicationConfig } of Object.values(catalog) as readonly Connector[]) {
    it(`are those of each method of ${kind}, field by field`, async () => {
      for (const credentials of given(kind)) {
        await created(creation(kind, { credentials }), true)
        const [[field, value], ...rest] = Object.entries(credentials) as [[string, string], ...[string, string][]]
        const misspelt = { ...Object.fromEntries(rest), [`${field}x`]: value }
        await created(creation(kind, { credentials: misspelt }), false)
        await created(creation(kind, { credentials: { ...credentials, [field]: 7 } }), false)
      }
      await created(creation(kind, { credentials: {} }), false)
      const all = schemas[`${kind}.credentials`]!
      const shown = all.anyOf?.map(({ $ref }) => schemas[$ref!.slice('#/components/schemas/'.length)]!) ?? [all]
      assert.deepEqual(
        shown.map(({ description, properties }) => [description, properties]),
        authMethods.map(({ title, credentials }) => [title, JSON.parse(JSON.stringify(credentials.properties))]),
      )
    })

    it(`are not those of another kind, for ${kind}`, async () => {
      const others = Object.keys(catalog).flatMap((one) => (one === kind ? [] : given(one)))
      const fields = new Set(authMethods.flatMap(({ credentials }) => Object.keys(credentials.properties)))
      const foreign = others.find((one) => !Object.keys(one).every((field) => fields.has(field)))
      await created(creation(kind, { credentials: foreign }), false)
    })

    it(`go with ${kind} by any of its names`, async () => {
      const spoilt = { credentials: { nothing: 'x' } }
      for (const name of [kind, definitionId, kind.toUpperCase(), kind.replace('-', '_')]) {
        await created(creation(kind, { connector_type: name }), true)
        await created(creation(kind, { connector_type: name, ...spoilt }), false)
      }
      const { connector_type: _, ...nameless } = creation(kind, { definition_id: definitionId })
      await created(nameless, true)
      await created({ ...nameless, definition_id: undefined }, false)
    })

    it(`go with the replication settings that ${kind} takes`, async () => {
      const replication_config = { start_date: '2025-01-01T00:00:00Z', lookback_window: 7, join_channels: false }
      await created(creation(kind, { replication_config }), true)
      await created(creation(kind, { replication_config: undefined }), replicationConfig === null)
      await created(creation(kind, { replication_config: { lookback_window: 7 } }), replicationConfig === null)
    })

    it(`can be changed for others of ${kind}`, async () => {
      const made = await hosted.call('POST', connectors, { token: hosted.ann, body: creation(kind) })
      const changed = (body: object, taken: boolean) =>
        agreed(patchBody, 'PATCH', `${connectors}/${made.body.id}`, body, taken)
      for (const credentials of given(kind)) await changed({ credentials }, true)
      await changed({ name: crypto.randomUUID() }, true)
      await changed({ credentials: { nothing: 'x' } }, false)
      await changed({ credentials: 'x' }, false)
      await changed({}, false)
    })
  }

  it('are given once: flat, or as the secret_id of a consent', async () => {
    await created(creation('asana', { server_side_oauth_secret_id: 'x' }), false)
    await created(creation('asana', { credentials: undefined }), false)
    // Whether there is such a consent is no matter of form.
    assert.ok(fitting(creationBody, creation('asana', { credentials: undefined, server_side_oauth_secret_id: 'x' })))
  })

  it('are shown on the page, field by field', async () => {
    const { text } = await hosted.call('GET', '/docs')
    for (const { kind, authMethods } of Object.values(catalog) as readonly Connector[]) {
      const from = text.indexOf(`id="${kind}.credentials"`)
      assert.ok(from >= 0, kind)
      const section = text.slice(from, text.indexOf('</details>', from))
      for (const { title, credentials } of authMethods) {
        assert.ok(section.includes(title), title)
        for (const field of Object.keys(credentials.properties))
          assert.ok(section.includes(`<code>${field}</code>`), field)
      }
    }
  })
})
