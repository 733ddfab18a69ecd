import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asana } from '../connectors/asana/connector.ts'
import { ConexError } from '../errors.ts'
import { authMethod } from './authorization.ts'
import { actionsOf, type Catalog, defineCatalog, findAction, findConnector, findEntity } from './catalog.ts'
import { checkCredentials } from './check-credentials.ts'
import { connector } from './connector.ts'
import { describeConnector } from './describe.ts'
import { entity } from './entity.ts'
import { closedObjectOf, id, integer, oneOf, optional, secret, text } from './fields.ts'
import { download, get, list } from './operation.ts'
import { atLeastOneOf } from './rules.ts'

const shop = connector({
  kind: 'web-shop',
  definitionId: '36c891d9-4bd9-43ac-bad2-10e12756272c',
  title: 'Web Shop',
  baseUrl: 'https://shop.example',
  authMethods: [
    authMethod({
      name: 'key',
      title: 'Access key',
      credentials: { access_key: secret(), access_key_secret: secret(), region: optional(text()) },
      authorization: { style: 'basic', user: 'access_key', password: 'access_key_secret' },
    }),
    authMethod({
      name: 'token',
      title: 'Token',
      credentials: { token: secret() },
      authorization: { style: 'bearer', token: 'token' },
    }),
  ],
  replicationConfig: closedObjectOf({ days: integer() }),
  check: { entity: 'orders', action: 'list', params: {} },
  readRefusal: () => null,
  entities: {
    orders: entity({
      description: 'Orders.',
      list: list({
        description: 'List orders.',
        path: '/orders',
        params: { state: optional(oneOf(['open', 'closed'])), since: optional(text()) },
        rules: [atLeastOneOf(['state', 'since'], 'Give state or since.')],
        recordsAt: [],
        record: { id: id() },
      }),
      get: get({ description: 'Get an order.', path: '/order', recordsAt: [], record: { id: id() } }),
      searchable: { id: 'string' },
    }),
    invoices: entity({
      description: 'Invoices.',
      download: download({
        description: 'Download one.',
        path: '/i',
        params: { id: text() },
        locate: () => ({ url: '' }),
      }),
    }),
  },
})
const catalog: Catalog = defineCatalog({ shop })
const empty = connector({ ...shop, kind: 'empty', entities: {} })

const refusal = (run: () => unknown): ConexError => {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof ConexError, String(error))
    return error
  }
  assert.fail('it was not refused')
}

describe('finding', () => {
  it('a kind by name or definition id, without regard to case, spaces and dashes', () => {
    for (const name of [
      'web-shop',
      'WebShop',
      'web_shop',
      'Web Shop',
      ' WEBSHOP ',
      shop.definitionId,
      shop.definitionId.toUpperCase(),
    ])
      assert.equal(findConnector(catalog, name), shop)
    for (const name of ['', 'web', 'webshops', '__proto__', 'constructor', 'toString', 'x'.repeat(100_000)])
      assert.equal(findConnector(catalog, name), null)
  })

  it('an entity, or the nearest known one', () => {
    assert.equal(findEntity(shop, 'orders'), shop.entities.orders)
    const error = refusal(() => findEntity(shop, 'order'))
    assert.equal(error.code, 'unknown_entity')
    assert.equal(error.message, 'The web-shop connector has no entity "order"; did you mean "orders"?')
    assert.deepEqual(error.issues, [
      { path: '/entity', message: 'is not an entity of web-shop; did you mean "orders"?' },
    ])
    assert.match(refusal(() => findEntity(shop, 'zzz')).message, /its entities are orders, invoices\.$/)
    assert.equal(refusal(() => findEntity(empty, 'orders')).message, 'The empty connector has no entities yet.')
  })

  it('no entity under a name that means something to the language, nor under an endless one', () => {
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty', '', 'x'.repeat(1_000_000)]) {
      const error = refusal(() => findEntity(shop, name))
      assert.equal(error.code, 'unknown_entity')
      assert.ok(error.message.length < 300)
    }
  })

  it('the actions of an entity in one order', () => {
    assert.deepEqual(actionsOf(shop.entities.orders), ['list', 'get', 'search'])
    assert.deepEqual(actionsOf(shop.entities.invoices), ['download'])
  })

  it('an action, or those that there are', () => {
    assert.deepEqual(findAction(shop, 'orders', 'search'), { entity: 'orders', action: 'search' })
    for (const action of ['download', 'description', 'searchable', 'toString', '', 'LIST', 'x'.repeat(1_000_000)]) {
      const error = refusal(() => findAction(shop, 'orders', action))
      assert.equal(error.code, 'unknown_action')
      assert.match(error.message, /it has list, get, search\.$/)
      assert.ok(error.message.length < 300)
    }
  })
})

describe('describing a kind', () => {
  const described = describeConnector(shop)

  it('gives plain JSON values alone', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(described)), described)
    assert.doesNotMatch(JSON.stringify(described), /"~|undefined/)
  })

  it('says what the wire promises', () => {
    assert.deepEqual(Object.keys(described).sort(), [
      'auth_methods',
      'connector_type',
      'definition_id',
      'entities',
      'replication_config',
      'sql',
      'title',
    ])
    assert.deepEqual(
      described.entities.map(({ name, actions, searchable_fields }) => [
        name,
        actions.map((action) => action.name),
        searchable_fields,
      ]),
      [
        ['orders', ['list', 'get', 'search'], { id: 'string' }],
        ['invoices', ['download'], {}],
      ],
    )
    const [listed, got, searched] = described.entities[0]!.actions
    assert.deepEqual(listed!.rules, ['Give state or since.'])
    assert.deepEqual(listed!.params, {
      type: 'object',
      properties: { state: { type: 'string', enum: ['open', 'closed'] }, since: { type: 'string' } },
      additionalProperties: false,
    })
    assert.deepEqual((listed!.record as { required?: string[] }).required, ['id'])
    assert.deepEqual(got!.rules, [])
    assert.equal(searched!.record, null)
    assert.deepEqual((searched!.params as { required?: string[] }).required, ['query'])
    const [downloaded] = described.entities[1]!.actions
    assert.equal(downloaded!.record, null)
    assert.equal(downloaded!.rules.length, 1)
  })

  it('tells the columns of SQL, with paths into objects, and its params where a copy is kept', () => {
    const { sql, entities } = describeConnector(asana)
    const tasks = entities.find(({ name }) => name === 'tasks')!
    const { completed, assignee, assignee_gid } = tasks.sql_columns
    assert.deepEqual([completed, assignee, assignee_gid], ['boolean', 'object', 'string'])
    assert.deepEqual((sql!.params as { required?: string[] }).required, ['sql'])
    assert.deepEqual([described.sql, described.entities[1]!.sql_columns], [null, {}])
  })

  it('marks what is secret', () => {
    const { properties } = described.auth_methods[0]!.credentials as unknown as {
      properties: Record<string, { writeOnly?: boolean }>
    }
    assert.equal(properties.access_key_secret!.writeOnly, true)
    assert.equal(properties.region!.writeOnly, undefined)
  })
})

describe('checking credentials', () => {
  it('tells the auth method by its fields', () => {
    assert.equal(checkCredentials(shop, { token: 't' }).method.name, 'token')
    assert.equal(checkCredentials(shop, { access_key: 'a', access_key_secret: 'b', region: 'x' }).method.name, 'key')
    assert.equal(
      checkCredentials(asana, { refresh_token: 'r', client_id: 'a', client_secret: 'b' }).method.name,
      'oauth',
    )
  })

  it('names each fault and all the ways in, and never a value', () => {
    for (const [credentials, paths] of [
      [{}, ['/credentials/access_key', '/credentials/access_key_secret']],
      [{ access_key: 'marker' }, ['/credentials/access_key_secret']],
      [{ token: '' }, ['/credentials/token']],
      [{ token: 5 }, ['/credentials/token']],
      [{ token: 'marker', tokn: 'marker' }, ['/credentials/tokn']],
      [{ token: 'marker', access_key: 'marker' }, null],
      [JSON.parse('{"token":"marker","__proto__":"marker"}'), ['/credentials/__proto__']],
      [{ token: 'marker', constructor: 'marker' }, ['/credentials/constructor']],
      [null, ['/credentials']],
      [[], ['/credentials']],
      ['marker', ['/credentials']],
    ] as const) {
      const error = refusal(() => checkCredentials(shop, credentials))
      assert.equal(error.code, 'invalid_credentials')
      if (paths !== null)
        assert.deepEqual(
          error.issues!.map(({ path }) => path),
          paths,
        )
      assert.match(error.message, /Access key: access_key, access_key_secret, region \(optional\); or Token: token\.$/)
      assert.ok(!JSON.stringify([error.message, error.issues]).includes('marker'))
    }
  })

  it('wants both halves of an application', () => {
    const { issues } = refusal(() => checkCredentials(asana, { refresh_token: 'r', client_id: 'a' }))
    assert.deepEqual(
      issues!.map(({ path }) => path),
      ['/credentials/client_secret'],
    )
    const other = refusal(() => checkCredentials(asana, { refresh_token: 'r', client_secret: 'a' }))
    assert.deepEqual(
      other.issues!.map(({ path }) => path),
      ['/credentials/client_id'],
    )
  })

  it('takes what was pasted without the white space around it', () => {
    const { method, credentials } = checkCredentials(shop, {
      access_key: ' a\n',
      access_key_secret: '\tb\r\n',
      region: 'x y ',
    })
    assert.equal(method.name, 'key')
    assert.deepEqual(credentials, { access_key: 'a', access_key_secret: 'b', region: 'x y' })
  })

  it('refuses what no call could use, with what to give instead and without the value', () => {
    for (const [pasted, wanted] of [
      ['Bearer 1/9:marker', /without "Bearer"/],
      ['authorization: basic marker', /without "basic"/],
      ['<paste marker here>', /placeholder/],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell or a template left it as it was
      ['${MARKER}', /placeholder/],
      ['$ASANA_TOKEN', /placeholder/],
      ['{{ marker }}', /placeholder/],
      ['your-marker-here', /placeholder/],
      ['…', /placeholder/],
      ['********', /placeholder/],
      ['"marker"', /quotation marks/],
      ['mar ker', /without spaces, line breaks/],
      ['mar\nker', /without spaces, line breaks/],
      ['marker\u0000marker', /without spaces, line breaks/],
      ['märker', /ASCII/],
      ['marker'.repeat(3000), /at most 16384 characters/],
      [' \n', /not empty/],
    ] as const) {
      const { code, message, issues } = refusal(() => checkCredentials(shop, { token: pasted }))
      assert.equal(code, 'invalid_credentials')
      assert.match(`${issues![0]!.path} ${issues![0]!.message}`, wanted)
      assert.ok(!JSON.stringify([message, issues]).toLowerCase().includes('marker'), message)
    }
    const { issues } = refusal(() =>
      checkCredentials(shop, { access_key: 'a', access_key_secret: 'b', region: 'x\ny' }),
    )
    assert.equal(issues![0]!.path, '/credentials/region')
  })
})
