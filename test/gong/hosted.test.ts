/** The call-analytics connector in hosted mode: the same answers over HTTP, with credentials kept in the store. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Hosted, isFine, isProblem, startHosted } from '../hosted.ts'

describe('a hosted call-analytics connector', () => {
  let hosted: Hosted
  let at: Readonly<Record<string, string>>
  let byKey: string
  let byGrant: string
  before(async () => {
    hosted = await startHosted()
    at = hosted.systems.landmarks('gong')
    const [key, grant] = hosted.systems.describe().gong!.credentials
    byKey = await hosted.connect(key!, hosted.ann, 'gong')
    byGrant = await hosted.connect(grant!, hosted.ann, 'gong')
  })
  after(() => hosted.close())

  it('answers lists with their paging block, and is healthy', async () => {
    const answer = await hosted.execute('calls', 'list', {}, { connector: byKey })
    const { result, connector_metadata: told } = isFine(answer)
    assert.equal(result.length, 100)
    const { pagination } = told
    assert.deepEqual(Object.keys(pagination), ['totalRecords', 'currentPageSize', 'currentPageNumber', 'cursor'])
    const check = await hosted.call('POST', `/v1/integrations/connectors/${byKey}/check`, { token: hosted.ann })
    assert.deepEqual(check.body, { status: 'healthy', checked: { entity: 'workspaces', action: 'list' } })
  })

  it('takes a limit from callers although the system decides how long a page is, and says that it has no effect', async () => {
    const on = { connector: byKey }
    const whole = isFine(await hosted.execute('users', 'list', {}, on))
    hosted.calm()
    const { result, connector_metadata } = isFine(await hosted.execute('users', 'list', { limit: 1 }, on))
    assert.deepEqual(result, whole.result)
    assert.equal(connector_metadata.pagination.currentPageSize, whole.result.length)
    assert.deepEqual(connector_metadata.warnings, [
      { path: '/params/limit', message: 'has no effect, because the system decides how long a page is' },
    ])
    assert.ok(hosted.received().every(({ query, body }) => !`${query}${body}`.includes('limit')))
    for (const limit of [0, -1, 1.5, '1', null])
      isProblem(await hosted.execute('users', 'list', { limit }, on), 'invalid_params', '/params/limit')
    isProblem(await hosted.execute('users', 'get', { id: at.user, limit: 1 }, on), 'invalid_params', '/params/limit')
  })

  it('keeps the customer’s address that a renewal named, and goes there from then on', async () => {
    hosted.calm()
    isFine(await hosted.execute('users', 'get', { id: at.user }, { connector: byGrant }))
    isFine(await hosted.execute('users', 'get', { id: at.user }, { connector: byGrant }))
    assert.deepEqual(
      hosted.received().map(({ path, status }) => `${path} ${status}`),
      [
        `/gong/v2/users/${at.user} 401`,
        '/gong/oauth2/generate-customer-token 200',
        `/gong/company-17/v2/users/${at.user} 200`,
        `/gong/company-17/v2/users/${at.user} 200`,
      ],
    )
  })

  it('takes no address of a customer from its creator', async () => {
    const [, grant] = hosted.systems.describe().gong!.credentials
    const credentials = { ...grant, api_base_url_for_customer: 'https://elsewhere.example' }
    const body = { connector_type: 'gong', name: 'elsewhere', credentials }
    const answer = await hosted.call('POST', '/v1/integrations/connectors', { token: hosted.ann, body })
    isProblem(answer, 'invalid_credentials', '/credentials/api_base_url_for_customer')
  })

  it('streams recordings, and says why there is none', async () => {
    const params = (id: string | undefined) => ({
      filter: { callIds: [id] },
      contentSelector: { exposedFields: { media: true } },
    })
    const on = { connector: byKey }
    const part = { ...params(at['call of half a minute']), range_header: 'bytes=100-199' }
    const response = await hosted.stream('call_audio', part, on)
    assert.equal(response.status, 206)
    assert.equal(response.headers.get('content-range'), 'bytes 100-199/240000')
    assert.equal((await response.arrayBuffer()).byteLength, 100)
    isProblem(await hosted.execute('call_video', 'download', params(at['call by telephone']), on), 'file_unavailable')
    isProblem(await hosted.execute('call_video', 'download', params('1'), on), 'record_not_found')
    isProblem(await hosted.execute('call_video', 'download', {}, on), 'invalid_params', '/params/filter')
  })

  it('names a missing scope, and stays active', async () => {
    hosted.systems.change('gong', { change: 'scopes', missing: ['api:workspaces:read'] })
    const answer = await hosted.execute('workspaces', 'list', {}, { connector: byGrant })
    isProblem(answer, 'upstream_forbidden')
    assert.match(answer.body.detail, /api:workspaces:read/)
    hosted.systems.change('gong', { change: 'scopes', missing: [] })
    const record = await hosted.call('GET', `/v1/integrations/connectors/${byGrant}`, { token: hosted.ann })
    assert.equal(record.body.status, 'active')
  })
})
