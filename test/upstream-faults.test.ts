import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { ErrorCode } from '../src/errors.ts'
import type { Effect } from '../src/simulator/fault-effects.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

describe('what the third-party system answers', () => {
  let hosted: Hosted
  const list = () => hosted.execute('tasks', 'list', { project: hosted.at.project })
  const status = async () =>
    (await hosted.call('GET', `${connectors}/${hosted.connector}`, { token: hosted.ann })).body.status

  before(async () => {
    hosted = await startHosted()
  })
  beforeEach(() => hosted.calm())
  after(() => hosted.close())

  const refusals: readonly (readonly [number, ErrorCode, RegExp, number])[] = [
    [402, 'upstream_plan_required', /paid plan.*tasks, project_tasks/, 1],
    [403, 'upstream_forbidden', /permission/, 1],
    [404, 'upstream_refused', /check the ids.*Unknown object/, 1],
    [412, 'upstream_refused', /Asana refuses/, 1],
    [424, 'upstream_error', /repeat/, 4],
    [451, 'upstream_forbidden', /permission/, 1],
    [500, 'upstream_error', /6 sad squid snuggle softly/, 4],
    [502, 'upstream_error', /repeat/, 4],
    [503, 'upstream_error', /repeat/, 4],
    [504, 'upstream_error', /repeat/, 4],
  ]
  for (const [refusal, code, detail, tries] of refusals)
    it(`${refusal} is ${code}, after ${tries === 1 ? 'one try' : `${tries} tries`}`, async () => {
      hosted.fault({ type: 'status', status: refusal }, { times: null })
      const answer = await list()
      isProblem(answer, code)
      assert.match(answer.body.detail, detail)
      assert.equal(answer.body.upstream.status, refusal)
      assert.equal(hosted.received().length, tries)
      assert.equal(await status(), 'active')
    })

  it('400 is upstream_refused with the complaint, after one try', async () => {
    hosted.fault({ type: 'status', status: 400, body: { errors: [{ message: 'project: Not a long enough ID' }] } })
    const answer = await list()
    isProblem(answer, 'upstream_refused')
    assert.equal(answer.body.upstream.message, 'project: Not a long enough ID')
    assert.equal(hosted.received().length, 1)
  })

  it('"too large" is answered with smaller and smaller pages, and told when even ten records are too many', async () => {
    hosted.fault({ type: 'status', status: 400 }, { times: 2 })
    const page = isFine(await hosted.execute('tasks', 'list', { project: hosted.at.project_bulk }))
    assert.equal(page.result.length, 25)
    assert.equal(typeof page.connector_metadata.next_page.offset, 'string')
    hosted.calm()
    hosted.fault({ type: 'status', status: 400 }, { times: null })
    isProblem(await list(), 'upstream_refused')
    assert.deepEqual(
      hosted.received().map(({ query }) => new URLSearchParams(query).get('limit')),
      ['100', '50', '25', '12', '10'],
    )
  })

  it('401 to a personal access token asks for new credentials, once, and shows in the status until a call succeeds', async () => {
    hosted.fault({ type: 'status', status: 401 })
    const answer = await list()
    isProblem(answer, 'reauthorization_required')
    assert.equal(hosted.received().length, 1)
    assert.equal(await status(), 'reauthorization_required')
    isFine(await list())
    assert.equal(await status(), 'active')
  })

  it('a check tells of a failure without failing', async () => {
    hosted.fault({ type: 'status', status: 403 })
    const check = () => hosted.call('POST', `${connectors}/${hosted.connector}/check`, { token: hosted.ann })
    const unhealthy = isFine(await check())
    assert.equal(unhealthy.status, 'unhealthy')
    assert.equal(unhealthy.error.code, 'upstream_forbidden')
    assert.deepEqual(isFine(await check()), {
      status: 'healthy',
      checked: { entity: 'workspaces', action: 'list' },
    })
  })

  const unusable: readonly (readonly [string, Effect, ErrorCode])[] = [
    ['an HTML page under 200', { type: 'html', status: 200 }, 'upstream_invalid_response'],
    ['an HTML page under 502', { type: 'html', status: 502 }, 'upstream_error'],
    ['a body that is no JSON', { type: 'body', body: 'nonsense' }, 'upstream_invalid_response'],
    ['an empty body', { type: 'body', body: '' }, 'upstream_invalid_response'],
    ['JSON that is no object', { type: 'body', body: '7' }, 'upstream_invalid_response'],
    ['JSON null', { type: 'body', body: 'null' }, 'upstream_invalid_response'],
    ['an object without the list', { type: 'body', body: '{"next_page":null}' }, 'upstream_invalid_response'],
    ['an object where the list should be', { type: 'body', body: '{"data":{}}' }, 'upstream_invalid_response'],
    ['records that are no objects', { type: 'body', body: '{"data":[1]}' }, 'upstream_invalid_response'],
    ['a record without its gid', { type: 'body', body: '{"data":[{"name":"x"}]}' }, 'upstream_invalid_response'],
    ['an error under 200', { type: 'body', body: '{"errors":[{"message":"boom"}]}' }, 'upstream_error'],
    ['an empty list of errors under 200', { type: 'body', body: '{"errors":[]}' }, 'upstream_error'],
    [
      'an error beside data under 200',
      { type: 'body', body: '{"data":[],"errors":[{"message":"boom"}]}' },
      'upstream_error',
    ],
    ...['"abc"', '[]', '{"offset":null,"path":"/x"}', '{"offset":12345}', '{"offset":""}'].map(
      (next) =>
        [
          `a next page that is ${next}`,
          { type: 'body', body: `{"data":[],"next_page":${next}}` },
          'upstream_invalid_response',
        ] as const,
    ),
    ['a body that stops before its length', { type: 'cut', as: 'length' }, 'upstream_invalid_response'],
    ['a chunked body without its last chunk', { type: 'cut', as: 'chunked' }, 'upstream_invalid_response'],
    ['half of the JSON as whole HTTP', { type: 'cut', as: 'json' }, 'upstream_invalid_response'],
    ['a reset instead of an answer', { type: 'reset' }, 'upstream_error'],
    ['a redirect to nowhere', { type: 'redirect', location: 'http://127.0.0.1:1/' }, 'upstream_error'],
    ['a redirect to another scheme', { type: 'redirect', location: 'file:///etc/passwd' }, 'upstream_error'],
    ['redirects without end', { type: 'redirect', location: '{api}{path}' }, 'upstream_error'],
  ]
  for (const [name, effect, code] of unusable)
    it(`${name} is ${code}, never a list`, async () => {
      hosted.fault(effect, { times: null })
      isProblem(await list(), code)
      const tries = hosted.received().length
      assert.ok(tries >= 1 && tries <= 6, `${tries} tries`)
    })

  it('a body cut behind a prefix that looks complete is not taken for a page', async () => {
    hosted.fault({ type: 'body', body: '{"data":[{"gid":"1","name":"a"}]' }, { times: null })
    isProblem(await list(), 'upstream_invalid_response')
  })

  for (const as of ['length', 'chunked', 'json'] as const)
    it(`a page cut once (${as}) is read again, whole`, async () => {
      const whole = isFine(await list())
      hosted.calm()
      hosted.fault({ type: 'cut', as })
      assert.deepEqual(isFine(await list()), whole)
      assert.equal(hosted.received().length, 2)
    })

  it('gzip and another content type change nothing', async () => {
    const whole = isFine(await list())
    hosted.fault({ type: 'gzip' })
    assert.deepEqual(isFine(await list()), whole)
    hosted.fault({ type: 'content_type', value: 'text/plain' })
    assert.deepEqual(isFine(await list()), whole)
    hosted.fault({ type: 'delay', delay_ms: 1, headers: { 'asana-change': 'name=x;info=y;affected=true' } })
    assert.deepEqual(isFine(await list()), whole)
  })

  it('a page far larger than agreed is refused with a sentence about its size, and others go on meanwhile', async () => {
    hosted.fault({ type: 'huge', records: 200_000 })
    const [large, healthy, other] = await Promise.all([
      list(),
      hosted.call('GET', '/healthz'),
      hosted.execute('workspaces', 'list'),
    ])
    isProblem(large, 'upstream_invalid_response')
    assert.match(large.body.detail, /larger than the \d+ MiB/)
    assert.equal(healthy.status, 200)
    isFine(other)
  })

  it('an empty page with more to come and a short page are passed on as they are', async () => {
    const next_page = { offset: 'more', path: '/x', uri: 'https://app.asana.com/x' }
    hosted.fault({ type: 'body', body: { data: [], next_page } })
    const page = isFine(await list())
    assert.deepEqual(page, { result: [], connector_metadata: { next_page } })
  })

  it('a page token that comes again is passed on by a list', async () => {
    hosted.fault({ type: 'body', body: { data: [], next_page: { offset: 'same' } } }, { times: 2 })
    for (const offset of [undefined, 'same']) {
      const page = isFine(await hosted.execute('tasks', 'list', { project: hosted.at.project, offset }))
      assert.equal(page.connector_metadata.next_page.offset, 'same')
    }
  })

  it('identifiers past 2^53 and text that is no text come as text, digit for digit', async () => {
    const record = { gid: 1, resource_type: 'task', name: 7, resource_subtype: true, created_by: { gid: 2 } }
    const body = JSON.stringify({ data: [record] }).replace('"gid":1', '"gid":1209876543210987123')
    hosted.fault({ type: 'body', body })
    const [task] = isFine(await list()).result
    assert.deepEqual(task, {
      gid: '1209876543210987123',
      resource_type: 'task',
      name: '7',
      resource_subtype: 'true',
      created_by: { gid: '2' },
    })
  })

  it('the last of repeated keys counts, __proto__ is plain data, half surrogates become U+FFFD', async () => {
    hosted.fault({
      type: 'body',
      body: '{"data":[{"gid":"1","name":"old","name":"new \\ud800","__proto__":{"polluted":true}}]}',
    })
    const { text } = await list()
    assert.match(text, /"name":"new \uFFFD"/)
    assert.match(text, /"__proto__":\{"polluted":true\}/)
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  })

  it('a value that cannot be the declared type becomes null and is named, or fails the answer where null is no value', async () => {
    hosted.fault({ type: 'patch', record: { size: 'about ten' } })
    const get = () => hosted.execute('attachments', 'get', { attachment_gid: hosted.at.attachment })
    const { result, connector_metadata } = isFine(await get())
    assert.equal(result.size, null)
    assert.deepEqual(
      connector_metadata.warnings.map(({ path }: { path: string }) => path),
      ['/result/size'],
    )
    hosted.fault({ type: 'patch', record: { parent: 'none' } })
    isProblem(await get(), 'upstream_invalid_response')
  })

  it('none of it was a defect or left a connection open', async () => {
    assert.doesNotMatch(hosted.log(), /"code":"internal"/)
    assert.equal(hosted.systems.connections.running(), 0)
  })
})
