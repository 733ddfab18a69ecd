import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

describe('redirects to another origin', () => {
  let hosted: Hosted
  before(async () => {
    hosted = await startHosted()
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  const elsewhere = () => hosted.received().filter(({ host }) => host === 'files')
  const list = () => hosted.execute('workspaces', 'list')
  const bodies = '{"data":[{"gid":"1","resource_type":"workspace","name":"elsewhere"}],"next_page":null}'

  for (const status of [301, 302, 303, 307, 308])
    it(`${status}: the credentials stay where they belong, on the way there and back`, async () => {
      hosted.fault({ type: 'redirect', status, location: '{files}/asana/there' }, { host: 'api', path: '/workspaces' })
      hosted.fault({ type: 'body', body: bodies }, { host: 'files' })
      assert.equal(isFine(await list()).result[0].name, 'elsewhere')
      hosted.fault({ type: 'redirect', status, location: '{files}/asana/there' }, { host: 'api', path: '/workspaces' })
      hosted.fault({ type: 'redirect', status, location: '{api}/asana/api/1.0/workspaces' }, { host: 'files' })
      // Back at the first origin nothing was given either, so it answers 401, which says nothing of the credentials.
      isProblem(await list(), 'upstream_error')
      for (const { headers } of elsewhere()) {
        assert.equal(headers.authorization, undefined)
        assert.equal(headers.cookie, undefined)
      }
      assert.equal(elsewhere().length, 2)
      assert.equal(hosted.received().at(-1)!.headers.authorization, undefined)
    })

  it('a redirect within the other origin does not bring them there', async () => {
    hosted.fault({ type: 'redirect', location: '{files}/asana/there' }, { host: 'api', path: '/workspaces' })
    hosted.fault({ type: 'redirect', location: '/asana/again' }, { host: 'files', path: '/there' })
    hosted.fault({ type: 'body', body: bodies }, { host: 'files', path: '/again' })
    assert.equal(isFine(await list()).result[0].name, 'elsewhere')
    assert.deepEqual(
      elsewhere().map(({ headers }) => headers.authorization),
      [undefined, undefined],
    )
  })

  it('what a POST carries is taken to no other address', async () => {
    const connector = await hosted.connect(hosted.systems.describe().gong!.credentials[0]!, hosted.ann, 'gong')
    for (const location of ['{files}/gong/there', '/gong/elsewhere']) {
      hosted.calm()
      const effect = { type: 'redirect', status: 307, location } as const
      hosted.systems.faults.add({ kind: 'gong', path: '/calls/extensive$', effect })
      const filter = { fromDateTime: '2026-01-01T00:00:00Z' }
      isProblem(await hosted.execute('calls_extensive', 'list', { filter }, { connector }), 'upstream_error')
      assert.equal(hosted.received().length, 1)
    }
  })

  it('a redirect within the origin keeps them', async () => {
    hosted.fault({ type: 'redirect', location: '/asana/api/1.0/workspaces?limit=1' }, { path: '/workspaces' })
    assert.equal(isFine(await list()).result.length, 1)
    assert.equal(hosted.received().length, 2)
  })

  it('a login page at the other origin is not taken for a refusal of the credentials', async () => {
    hosted.fault({ type: 'redirect', location: '{files}/asana/login' }, { path: '/workspaces', times: null })
    for (const effect of [
      { type: 'status', status: 401 },
      { type: 'html', status: 200 },
    ] as const) {
      hosted.systems.faults.add({ kind: 'asana', host: 'files', effect })
      const answer = await list()
      assert.equal(answer.status, 502, answer.text)
    }
  })

  it('a file is delivered across origins, with a range and without credentials', async () => {
    const params = { attachment_gid: hosted.at.attachment_1000_bytes!, range_header: 'bytes=10-19' }
    for (const status of [302, 307]) {
      hosted.calm()
      hosted.fault({ type: 'redirect', status, location: '{files}/asana/hop?to={path}' }, { host: 'files' })
      hosted.fault({ type: 'redirect', status, location: '{api}/asana/api/1.0/hop' }, { host: 'files', path: '/hop' })
      hosted.fault(
        { type: 'body', status: 206, body: '0123456789', headers: { 'content-range': 'bytes 10-19/1000' } },
        { host: 'api', path: '/hop' },
      )
      const response = await hosted.stream('attachments', params)
      assert.equal(response.status, 206)
      assert.equal(await response.text(), '0123456789')
      for (const { headers } of hosted.received().slice(1)) {
        assert.equal(headers.authorization, undefined)
        assert.equal(headers.range, 'bytes=10-19')
      }
    }
  })
})

describe('addresses of files that the system should not have given', () => {
  it('are not fetched, and nothing of them is told', async (t) => {
    const hosted = await startHosted()
    t.after(() => hosted.close())
    for (const download_url of [
      'file:///etc/passwd',
      'ftp://127.0.0.1/x',
      'data:text/plain,secret',
      'javascript:alert(1)',
      'https://user:password@127.0.0.1/x',
      '//127.0.0.1/x',
      'not an address',
    ]) {
      hosted.calm()
      hosted.fault({ type: 'patch', record: { download_url } }, { host: 'api', times: null })
      const answer = await hosted.execute('attachments', 'download', { attachment_gid: hosted.at.attachment })
      isProblem(answer, 'upstream_error')
      assert.doesNotMatch(answer.text, /passwd|password|secret|alert/)
      assert.ok(hosted.received().every(({ host }) => host === 'api'))
    }
  })
})
