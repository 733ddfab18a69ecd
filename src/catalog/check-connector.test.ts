import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalog } from '../connectors/index.ts'
import { authMethod } from './authorization.ts'
import { connectorFaults } from './check-connector.ts'
import { type Connector, connector } from './connector.ts'
import { entity } from './entity.ts'
import { id, integer, optional, secret, text } from './fields.ts'
import { body, download, get, type ListOperation, list } from './operation.ts'
import { cursorPaging, wholePaging } from './paging.ts'
import { identifiedBy } from './stream.ts'

const issue = { id: id(), title: text() }

const pages = cursorPaging({
  params: { limit: optional(integer()), cursor: optional(text()) },
  cursor: 'cursor',
  next: ['next'],
  limit: { param: 'limit', default: 50, smallest: 10 },
  block: { name: 'next', holds: 'token' },
})

const listIssues = list({
  description: 'List the issues.',
  path: '/issues',
  recordsAt: ['issues'],
  record: issue,
  paging: pages,
})

const issues = entity({
  description: 'Issues.',
  list: listIssues,
  get: get({
    description: 'Get an issue.',
    path: '/issues/{issue_id}',
    params: { issue_id: id() },
    recordsAt: [],
    record: issue,
  }),
  download: download({
    description: 'Download an issue.',
    path: '/issues/{issue_id}/file',
    params: { issue_id: id() },
    locate: () => ({ url: 'https://files.example' }),
  }),
  searchable: { id: 'string', title: 'string' },
  sync: { listings: [{ list: listIssues }], identity: identifiedBy('id') },
})

const tracker = connector({
  kind: 'tracker',
  definitionId: '5e2b6f0c-3b43-4b4a-8f9e-0d6a6a3d9a51',
  title: 'Tracker',
  baseUrl: 'https://api.tracker.example/v1',
  authMethods: [
    authMethod({
      name: 'token',
      title: 'Token',
      credentials: { token: secret() },
      authorization: { style: 'bearer', token: 'token' },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'issues', action: 'list', params: { limit: 1 } },
  readRefusal: () => null,
  entities: { issues },
})

/** As a file without a compiler writes it: fields of any type, or none. */
type Loose = Record<string, unknown>

const withConnector = (changes: Loose): unknown => ({ ...tracker, ...changes })
const withEntity = (changes: Loose): unknown => withConnector({ entities: { issues: { ...issues, ...changes } } })
const withList = (changes: Loose): unknown => withEntity({ list: { ...listIssues, ...changes } })
const withGet = (changes: Loose): unknown => withEntity({ get: { ...issues.get, ...changes } })
const withStream = (changes: Loose): unknown => withEntity({ sync: { ...issues.sync, ...changes } })

const isTold = (declared: unknown, path: string, message: RegExp) => {
  const [first] = connectorFaults(declared)
  assert.equal(first?.path, path)
  assert.match(first!.message, message)
}

describe('the check of a declaration', () => {
  it('finds nothing wrong with the built-in kinds', () => {
    for (const kind of Object.values<Connector>(catalog)) assert.deepEqual(connectorFaults(kind), [], kind.kind)
  })

  it('finds nothing wrong with a small connector', () => {
    assert.deepEqual(connectorFaults(tracker), [])
  })

  it('refuses what is no connector', () => {
    for (const value of [undefined, null, 'tracker', [], () => tracker])
      assert.match(connectorFaults(value)[0]!.message, /must be an object/)
    assert.equal(connectorFaults({})[0]!.message, 'is required')
  })

  it('names a field that nobody knows, and the one that was meant', () => {
    isTold(withConnector({ readRefusals: () => null }), 'readRefusals', /is not known here/)
    isTold(withConnector({ readRefusal: undefined, readRefusals: () => null }), 'readRefusal', /is required/)
    isTold(withEntity({ search: {} }), 'entities.issues.search', /is not known here/)
    isTold(withList({ recordAt: [] }), 'entities.issues.list.recordAt', /is not known here/)
    isTold(withStream({ fullevery: 1 }), 'entities.issues.sync.fullevery', /did you mean "fullEvery"/)
  })

  it('refuses names that nobody could use', () => {
    isTold(withConnector({ kind: 'My Tracker' }), 'kind', /small letters and digits/)
    isTold(withConnector({ definitionId: '' }), 'definitionId', /an id of/)
    isTold(withConnector({ baseUrl: 'api.tracker.example' }), 'baseUrl', /https:/)
    isTold(withConnector({ entities: { 'Open Issues': issues } }), 'entities.Open Issues', /small letters/)
    isTold(withConnector({ entities: { execute: issues } }), 'entities.execute', /needs another name/)
    isTold(withConnector({ entities: { [`i${'s'.repeat(60)}`]: issues } }), `entities.i${'s'.repeat(60)}`, /shorter/)
  })

  it('refuses two entities and two auth methods with one name', () => {
    isTold(withConnector({ entities: { issues, is_sues: issues } }), 'entities', /"is_sues" twice \(as "issues"\)/)
    const [token] = tracker.authMethods
    isTold(withConnector({ authMethods: [token, token] }), 'authMethods', /"token" twice/)
  })

  it('refuses an auth method that names fields which the credentials do not have', () => {
    const method = { ...tracker.authMethods[0], authorization: { style: 'bearer', token: 'key' } }
    isTold(withConnector({ authMethods: [method] }), 'authMethods.0.authorization.token', /"key"/)
    const signed = { ...method, authorization: { style: 'signature' } }
    isTold(withConnector({ authMethods: [signed] }), 'authMethods.0.authorization.style', /bearer, basic/)
    const plain = { ...method, credentials: { token: secret() } }
    isTold(withConnector({ authMethods: [plain] }), 'authMethods.0.credentials', /authMethod\(\)/)
  })

  it('refuses an entity without an action, and an operation of another action', () => {
    isTold(withConnector({ entities: { issues: { description: 'Issues.' } } }), 'entities.issues', /no action/)
    isTold(withEntity({ list: issues.get }), 'entities.issues.list', /must be made with list\(\)/)
  })

  it('refuses an alias of nothing, of no entity, and one that is an action already', () => {
    const of = (alias: object) => withEntity({ alias })
    assert.deepEqual(connectorFaults(of({ entity: 'issues', action: 'api_search' })), [])
    isTold(
      of({ entity: 'things', action: 'api_search' }),
      'entities.issues.alias.entity',
      /"things", which is no entity/,
    )
    isTold(of({ entity: 'issues', action: 'search' }), 'entities.issues.alias.action', /must differ from list, get/)
    const file = { description: 'Files.', download: issues.download, alias: { entity: 'issues', action: 'find' } }
    isTold(withConnector({ entities: { issues, files: file } }), 'entities.files.alias', /a list, which .* not have/)
  })

  it('refuses a path with a param that nobody gives', () => {
    isTold(withGet({ path: '/issues/{issue}' }), 'entities.issues.get.path', /"issue", which nobody gives/)
    isTold(withList({ path: '/issues/{limit}' }), 'entities.issues.list.path', /"limit", which callers may leave out/)
    isTold(withList({ path: '/issues/{limit' }), 'entities.issues.list.path', /brace/)
    isTold(withList({ path: 'issues' }), 'entities.issues.list.path', /begins with "\/"/)
  })

  it('lets a function fill in what callers may leave out', () => {
    const filled = withList({ path: '/issues/{limit}', prepare: async (params: object) => params })
    assert.deepEqual(connectorFaults(filled), [])
  })

  it('refuses a paging without a cursor, or with params that nobody declares', () => {
    const { cursor: _, ...without } = pages
    isTold(withList({ paging: without }), 'entities.issues.list.paging.cursor', /is required/)
    isTold(withList({ paging: { ...pages, cursor: 'page' } }), 'entities.issues.list.paging.cursor', /"page"/)
    isTold(withList({ paging: { ...pages, next: undefined } }), 'entities.issues.list.paging.next', /is required/)
    isTold(withList({ paging: { style: 'keyset' } }), 'entities.issues.list.paging.style', /none, cursor/)
    const whole = wholePaging({ params: {}, limit: 'size', offset: 'start', blockName: 'next' })
    isTold(withList({ paging: whole }), 'entities.issues.list.paging.limit', /"size"/)
  })

  it('refuses params and records whose fields have no type', () => {
    const wrong = list({ ...loose, params: { project: 'text' as never } })
    isTold(withEntity({ list: wrong }), 'entities.issues.list.params.project', /is not a field/)
    const nothing = list({ ...loose, record: { id: id(), title: {} as never } })
    isTold(withEntity({ list: nothing }), 'entities.issues.list.record.title', /is not a field/)
    const pattern = list({ ...loose, params: { project: text('', { pattern: '[' }) } })
    isTold(withEntity({ list: pattern }), 'entities.issues.list.params', /cannot be used/)
  })

  it('refuses places of params that the request does not have', () => {
    isTold(withList({ send: { state: body('state') } }), 'entities.issues.list.send.state', /is no param/)
    isTold(withList({ send: { limit: body('limit') } }), 'entities.issues.list.send.limit', /a GET does not have/)
    isTold(withList({ send: { limit: 'page_size' } }), 'entities.issues.list.send.limit', /query\(\), body\(\)/)
  })

  it('refuses what is declared in place of a function', () => {
    isTold(withConnector({ readRefusal: 'status' }), 'readRefusal', /must be a function/)
    isTold(withList({ reshape: {} }), 'entities.issues.list.reshape', /must be a function/)
    isTold(withStream({ identity: 'id' }), 'entities.issues.sync.identity', /must be a function/)
    const rules = [{ sentence: 'Give one.', broken: true }]
    isTold(withList({ rules }), 'entities.issues.list.rules.0.broken', /must be a function/)
  })

  it('refuses searchable fields without a copy, and a copy without them', () => {
    isTold(withEntity({ sync: undefined }), 'entities.issues', /no sync/)
    isTold(withEntity({ searchable: undefined }), 'entities.issues', /no searchable fields/)
    isTold(withEntity({ searchable: { id: 'text' } }), 'entities.issues.searchable.id', /one of string/)
    isTold(withEntity({ searchable: { _id: 'string' } }), 'entities.issues.searchable._id', /begin with a letter/)
    isTold(withEntity({ searchable: { id: 'string', ID: 'string' } }), 'entities.issues.searchable.ID', /capitals/)
  })

  it('refuses indexes of what is not inside a searchable object', () => {
    const searchable = { id: 'string', author: 'object' }
    for (const path of ['author', 'author.', 'id.x', 'owner.id'])
      isTold(withEntity({ searchable, indexed: ['author.id', path] }), 'entities.issues.indexed.1', /inside|into/)
    assert.deepEqual(connectorFaults(withEntity({ searchable, indexed: ['author.id'] })), [])
  })

  it('refuses a stream that could not be read', () => {
    isTold(withStream({ listings: [] }), 'entities.issues.sync.listings', /must name a list/)
    const ofProject: ListOperation = list({ ...loose, path: '/projects/{project}/issues', params: { project: id() } })
    isTold(withStream({ listings: [{ list: ofProject }] }), 'entities.issues.sync.listings.0.params', /"project"/)
    const over = (entity: string) => ({ entity, params: () => [], children: () => ({}) })
    const listings = (entity: string) => [{ list: ofProject, over: over(entity) }]
    isTold(withStream({ listings: listings('projects') }), 'entities.issues.sync.listings.0.over.entity', /is none/)
    const changes = { list: { ...listIssues, path: 'changes' }, lookBack: 0, params: () => ({}) }
    const since = [{ list: listIssues, since: changes }]
    isTold(withStream({ listings: since }), 'entities.issues.sync.listings.0.since.list.path', /begins with "\/"/)
    isTold(withStream({ listings: listings('issues') }), 'entities.issues.sync.listings.0.over.entity', /each other/)
  })

  it('refuses a check of an operation that is not there, or with params that it does not take', () => {
    const check = (entity: string, params: object) => withConnector({ check: { entity, action: 'list', params } })
    isTold(check('projects', {}), 'check', /projects\.list/)
    isTold(check('issues', { size: 1 }), 'check.params.size', /is not known here/)
  })
})

const loose = { description: 'List the issues.', path: '/issues', recordsAt: ['issues'], record: issue }
