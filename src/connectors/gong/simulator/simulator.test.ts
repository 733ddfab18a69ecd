import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pressButton } from '../../../simulator/allow.suite.ts'
import { type Reading, startReading, startTime } from './reading.suite.ts'

const extensive = '/v2/calls/extensive'

describe('the simulated Gong speaks as the real one', async () => {
  const reading = await startReading()
  const { get, post, refusal, at } = reading

  it('gives every answer an id, which its header repeats', async () => {
    for (const answer of [await get('/v2/workspaces'), await get('/v2/users/1')]) {
      assert.match(answer.body.requestId, /^[0-9a-z]{18}$/)
      assert.equal(answer.headers.get('x-traceid'), answer.body.requestId)
    }
    assert.equal((await get('/v2/users')).headers.get('content-type'), 'application/json;charset=UTF-8')
    assert.equal((await get('/v2/users/1')).headers.get('content-type'), 'application/json; charset=utf-8')
  })

  it('knows its paths, methods and content type', async () => {
    assert.equal(await refusal(get('/v2/nothing')), '404 Not Found')
    assert.equal(await refusal(get('/v1/users')), '404 Not Found')
    assert.equal(await refusal(get(extensive)), '405 Method Not Allowed')
    assert.equal(await refusal(post('/v2/users', {})), '405 Method Not Allowed')
    assert.equal(await refusal(post(extensive, '{}', { 'content-type': 'text/plain' })), '415 Unsupported Media Type')
    assert.match(await refusal(post(extensive, '{"filter":')), /^400 /)
    assert.match(await refusal(post(extensive, '[]')), /^400 /)
  })

  it('lets nobody in without the key or a grant at the company’s own address', async () => {
    const { access_token: token } = reading.grant
    assert.match(await refusal(get('/v2/users', '')), /^401 /)
    assert.match(await refusal(get('/v2/users', 'Basic bm9ib2R5Om5vdGhpbmc=')), /^401 /)
    assert.match(await refusal(get('/v2/users', `Bearer ${token}x`)), /^401 /)
    assert.match(await refusal(get('/v2/users', `Bearer ${token}`)), /^401 .*access token has been revoked/)
    assert.equal((await get('/company-17/v2/users', `Bearer ${token}`)).status, 200)
    assert.equal((await get('/company-17/v2/users')).status, 200)
    assert.equal((await get('/company-18/v2/users')).status, 404)
    reading.change('settings', { inactive: true })
    assert.equal(await refusal(get('/v2/users')), '401 Company is inactive')
    reading.change('settings', { inactive: false, wrong_address: true })
    assert.match(await refusal(get('/v2/users')), /^403 /)
    reading.change('settings', { wrong_address: false })
  })

  it('names the scope that is missing, that of media only when media are asked for', async () => {
    reading.change('scopes', { missing: ['api:calls:read:media-url', 'api:coaching:read'] })
    assert.equal(
      await refusal(get('/v2/coaching')),
      "401 You don't have permission to use 'api:coaching:read' in your app.",
    )
    const filter = { callIds: [at['meeting with video']] }
    assert.equal((await post(extensive, { filter })).status, 200)
    const media = { filter, contentSelector: { exposedFields: { media: true } } }
    assert.match(await refusal(post(extensive, media)), /^401 .*'api:calls:read:media-url'/)
    reading.change('scopes', { missing: [] })
  })

  it('refuses what it cannot read', async () => {
    const wrong: readonly (readonly [string, unknown])[] = [
      [extensive, {}],
      ['/v2/calls/transcript', {}],
      ['/v2/stats/activity/scorecards', {}],
      ['/v2/stats/interaction', { filter: {} }],
      ['/v2/stats/interaction', { filter: { fromDate: '2026-02-30', toDate: '2026-03-02' } }],
      ['/v2/stats/interaction', { filter: { fromDate: '2026-03-02', toDate: '2026-03-02' } }],
      ['/v2/stats/activity/aggregate', { filter: { fromDate: '2026-06-01', toDate: '2026-06-17' } }],
      ['/v2/stats/activity/aggregate', { filter: { fromDate: '2026-06-01T00:00:00Z', toDate: '2026-06-10' } }],
      [extensive, { filter: { callIds: [] } }],
      [extensive, { filter: { callIds: ['12x'] } }],
      [extensive, { filter: { callIds: [1] } }],
      [extensive, { filter: { fromDateTime: '2026-06-01T00:00:00' } }],
      [extensive, { filter: {}, contentSelector: { contextTiming: ['Now'] } }],
      [extensive, { filter: {}, contentSelector: { context: 'Everything' } }],
      [extensive, { filter: {}, contentSelector: { exposedFields: { media: 'true' } } }],
      [extensive, { filter: {}, contentSelector: { exposedFields: { content: { brief: 1 } } } }],
      [extensive, { filter: {}, cursor: 'made-up' }],
    ]
    for (const [path, body] of wrong) assert.match(await refusal(post(path, body)), /^400 /, JSON.stringify(body))
    for (const query of ['', '?workspace-id=1&manager-id=2&from=2026-01-01T00:00:00Z', '?workspaceId=1&managerId=2'])
      assert.match(await refusal(get(`/v2/coaching${query}`)), /^400 /)
    assert.equal(await refusal(get('/v2/users/99999999999999999999')), '400 Bad request')
    const backwards = { fromDateTime: '2026-06-02T00:00:00Z', toDateTime: '2026-06-01T00:00:00Z' }
    assert.equal(
      await refusal(post(extensive, { filter: backwards })),
      '400 filter.fromDateTime: must be before toDateTime',
    )
  })

  it('says "not found" for nothing, in the words of each list', async () => {
    const none = { fromDateTime: '2026-06-07T12:00:00Z', toDateTime: '2026-06-07T13:00:00Z' }
    const words = '404 No calls found corresponding to the provided filters'
    assert.equal(await refusal(get(`/v2/calls?${new URLSearchParams(none)}`)), words)
    assert.equal(await refusal(post(extensive, { filter: none })), words)
    assert.equal(await refusal(post('/v2/calls/transcript', { filter: { callIds: ['1'] } })), words)
    assert.equal(await refusal(get('/v2/calls/1')), '404 Call ID 1 was not found')
    for (const path of ['/v2/users/1', '/v2/library/folders?workspaceId=1', '/v2/library/folder-content?folderId=1'])
      assert.match(await refusal(get(path)), /^404 /)
    reading.change('settings', { empty_as_200: true })
    assert.deepEqual((await get('/v2/library/folders?workspaceId=1')).body.folders, [])
    reading.change('settings', { empty_as_200: false })
  })

  it('reads the body of a POST and never its query', async () => {
    const { body: first } = await post(extensive, { filter: {} })
    const { body: again } = await post(`${extensive}?cursor=${first.records.cursor}`, { filter: {} })
    assert.equal(again.records.currentPageNumber, 0)
    const { body: next } = await post(extensive, { filter: {}, cursor: first.records.cursor })
    assert.equal(next.records.currentPageNumber, 1)
  })

  it('obeys the contentSelector block by block', async () => {
    const filter = { callIds: [at['meeting with video']] }
    const one = async (exposedFields: object) => {
      const { body } = await post(extensive, { filter, contentSelector: { exposedFields } })
      return body.calls[0]
    }
    assert.deepEqual(Object.keys(await one({})), ['metaData'])
    assert.deepEqual(Object.keys((await one({ content: { brief: true } })).content), ['brief'])
    assert.deepEqual(Object.keys(await one({ content: { pointsOfInterest: true } })), ['metaData'])
    const { interaction } = await one({ interaction: { personInteractionStats: true } })
    assert.deepEqual(Object.keys(interaction), ['interactionStats'])
    const imported = await post(extensive, {
      filter: { callIds: [at['imported call']] },
      contentSelector: { exposedFields: { parties: true, media: true } },
    })
    assert.equal(imported.body.calls[0].parties, undefined)
    assert.equal(imported.body.calls[0].media, null)
  })

  it('has the shapes that the specification does not show', async () => {
    const { coachingData } = (
      await get(
        `/v2/coaching?workspace-id=${at['sales workspace']}&manager-id=${at.manager}&from=2026-01-01T00:00:00Z&to=2026-06-01T00:00:00Z`,
      )
    ).body
    assert.deepEqual(Object.keys(coachingData[0]), ['manager', 'directReportsMetrics'])
    const content = (await get(`/v2/library/folder-content?folderId=${at['library folder']}`)).body
    assert.equal(content.records, undefined)
    assert.equal(content.calls[0].started, undefined)
    assert.equal((await get('/v2/workspaces')).body.workspaces[0].workspaceId, undefined)
    const { scorecards } = (await get('/v2/settings/scorecards?workspaceId=1')).body
    assert.equal(scorecards.length, 6)
    assert.ok(scorecards.some(({ updaterUserId }: { updaterUserId: string }) => updaterUserId === '-1'))
  })

  it('counts web conferences by their schedule in the plain list, and by their start elsewhere', async () => {
    const { call } = (await get(`/v2/calls/${at['meeting with video']}`)).body
    const between = {
      fromDateTime: call.scheduled,
      toDateTime: new Date(Date.parse(call.scheduled) + 60_000).toISOString(),
    }
    const { calls } = (await get(`/v2/calls?${new URLSearchParams(between)}`)).body
    assert.ok(calls.some(({ id }: { id: string }) => id === call.id))
    assert.match(await refusal(post(extensive, { filter: between })), /^404 /)
  })
})

describe('the simulated Gong pages', async () => {
  let passed = 0
  const reading: Reading = await startReading({ now: () => startTime + passed })
  const { get, post, refusal } = reading

  it('by a hundred, with a cursor only while there is more', async () => {
    const sizes: number[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body } = await get(`/v2/users?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`)
      sizes.push(body.users.length)
      assert.equal(body.records.currentPageSize, body.users.length)
      cursor = body.records.cursor as string | undefined
    }
    assert.deepEqual(sizes, [100, 100, 68])
  })

  it('with cursors that can be used twice, for the same request, and for an hour', async () => {
    const { cursor } = (await post(extensive, { filter: {} })).body.records
    const page = async () => (await post(extensive, { filter: {}, cursor })).body.calls
    assert.deepEqual(await page(), await page())
    assert.match(await refusal(post('/v2/calls/transcript', { filter: {}, cursor })), /^400 Invalid cursor/)
    for (const bad of [`${cursor}x`, '', 5, {}])
      assert.match(await refusal(post(extensive, { filter: {}, cursor: bad })), /^400 Invalid cursor/)
    assert.match(await refusal(get('/v2/users?cursor=')), /^400 Invalid cursor/)
    passed += 3_599_000
    const later = (await post(extensive, { filter: {}, cursor })).body.records.cursor
    passed += 1000
    assert.equal(await refusal(post(extensive, { filter: {}, cursor: later })), '400 cursor has expired')
  })

  it('over what there is at the time: erased calls are gone, new ones come', async () => {
    const before = (await get('/v2/calls')).body
    reading.change('remove', { id: before.calls[0].id })
    const after = (await get('/v2/calls')).body
    assert.equal(after.records.totalRecords, before.records.totalRecords - 1)
    const folder = async () => (await get(`/v2/library/folder-content?folderId=${reading.at['library folder']}`)).body
    const [inFolder, ...others] = (await folder()).calls
    reading.change('remove', { id: inFolder.id })
    assert.deepEqual((await folder()).calls, others)
    reading.change('restore', { id: inFolder.id })
    reading.change('restore', { id: before.calls[0].id })
    reading.change('edit', { id: before.calls[0].id, fields: { title: 'Another title' } })
    assert.equal((await get('/v2/calls')).body.calls[0].title, 'Another title')
    passed += 7 * 86_400_000
    assert.ok((await get('/v2/calls')).body.records.totalRecords > before.records.totalRecords)
  })
})

describe('the simulated Gong limits calls', async () => {
  let passed = 0
  const { get, change } = await startReading({ callsPerMinute: undefined as never, now: () => startTime + passed })

  it('to three a second and so many a day, and does not count what it refuses', async () => {
    const statuses = async (count: number) => {
      const answers = []
      for (let n = 0; n < count; n++) answers.push(await get('/v2/workspaces'))
      return answers
    }
    const burst = await statuses(5)
    assert.deepEqual(
      burst.map(({ status }) => status),
      [200, 200, 200, 429, 429],
    )
    assert.equal(burst[4]?.headers.get('retry-after'), '1')
    passed += 334
    assert.deepEqual(
      (await statuses(2)).map(({ status }) => status),
      [200, 429],
    )
    change('settings', { calls_per_day: 5, calls_per_second: null })
    const [last, over] = await statuses(2)
    assert.equal(last?.status, 200)
    assert.equal(over?.status, 429)
    // It is eight in the evening in UTC.
    assert.equal(over?.headers.get('retry-after'), String(4 * 3600))
    passed += 4 * 3_600_000
    assert.equal((await get('/v2/workspaces')).status, 200)
  })
})

describe('the simulated Gong grants access', async () => {
  let passed = 0
  const reading = await startReading({ now: () => startTime + passed })
  const { baseUrl, grant } = reading
  const basic = `Basic ${Buffer.from(`${grant.client_id}:${grant.client_secret}`).toString('base64')}`

  async function token(form: Record<string, string>, headers: Record<string, string> = { authorization: basic }) {
    const response = await fetch(`${baseUrl}/oauth2/generate-customer-token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form),
    })
    // biome-ignore lint/suspicious/noExplicitAny: the test looks into the answer
    return { status: response.status, body: (await response.json()) as any }
  }

  async function code(): Promise<string> {
    const back = await pressButton(`${baseUrl}/oauth2/authorize`, {
      client_id: grant.client_id!,
      response_type: 'code',
      redirect_uri: 'https://app.example/back',
      state: 's',
    })
    assert.equal(back.get('state'), 's')
    return back.get('code')!
  }

  const exchange = (given: string, redirect = 'https://app.example/back') => ({
    grant_type: 'authorization_code',
    code: given,
    redirect_uri: redirect,
  })

  it('for a code, once, within ten minutes, to the same redirect and a client that authenticates', async () => {
    const given = await code()
    const { status, body } = await token(exchange(given))
    assert.equal(status, 200)
    assert.equal(body.api_base_url_for_customer, `${baseUrl}/company-17`)
    assert.equal(body.expires_in, 86_400)
    assert.match(body.scope, /api:calls:read:media-url/)
    assert.equal((await token(exchange(given))).status, 400)
    assert.equal((await token(exchange(await code(), 'https://app.example/other'))).status, 400)
    const inBody = { ...exchange(await code()), client_id: grant.client_id!, client_secret: grant.client_secret! }
    assert.equal((await token(inBody, {})).status, 401)
    const old = await code()
    passed += 601_000
    assert.equal((await token(exchange(old))).status, 400)
  })

  it('for a refresh token, once; the access token before it lives to its end', async () => {
    const first = (await token(exchange(await code()))).body
    const second = (await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })).body
    assert.notEqual(second.refresh_token, first.refresh_token)
    const again = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
    assert.equal(again.status, 400)
    const users = (bearer: string) => reading.get('/company-17/v2/users', `Bearer ${bearer}`)
    assert.equal((await users(first.access_token)).status, 200)
    passed += 86_400_000
    assert.equal((await users(second.access_token)).status, 401)
    assert.equal((await token({ grant_type: 'refresh_token', refresh_token: second.refresh_token })).status, 200)
  })
})

describe('the simulated Gong keeps recordings', async () => {
  let passed = 0
  const { post, at } = await startReading({ now: () => startTime + passed })

  async function address(): Promise<string> {
    const { body } = await post(extensive, {
      filter: { callIds: [at['call of half a minute']] },
      contentSelector: { exposedFields: { media: true } },
    })
    return body.calls[0].media.audioUrl
  }

  it('behind addresses that are signed, for GET alone, and for eight hours', async () => {
    const url = await address()
    assert.equal((await fetch(url)).status, 200)
    assert.equal((await fetch(url, { method: 'HEAD' })).status, 403)
    assert.equal((await fetch(url.replace('.mp3', '.mp4'))).status, 403)
    const refused = await fetch(url, { headers: { authorization: 'Basic leaked' } })
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /^<\?xml/)
    passed += 8 * 3_600_000 + 1000
    assert.equal((await fetch(url)).status, 403)
  })

  it('in parts', async () => {
    const url = await address()
    const part = async (range: string) => {
      const response = await fetch(url, { headers: { range } })
      return `${response.status} ${response.headers.get('content-range')} ${(await response.arrayBuffer()).byteLength}`
    }
    assert.equal(await part('bytes=0-9'), '206 bytes 0-9/240000 10')
    assert.equal(await part('bytes=-5'), '206 bytes 239995-239999/240000 5')
    assert.equal(await part('bytes=0-1,4-5'), '200 null 240000')
    assert.match(await part('bytes=240000-'), /^416 bytes \*\/240000 /)
  })
})

describe('the simulated Gong’s company', async () => {
  it('is the same for the same seed, and another for another', async () => {
    const [one, same, other] = [await startReading(), await startReading(), await startReading({ seed: 2 })]
    const calls = async ({ get }: Reading) => (await get('/v2/calls')).body.calls
    assert.deepEqual(await calls(one), await calls(same))
    assert.notDeepEqual(await calls(one), await calls(other))
  })

  it('is as large as asked for, and is made while it is read', async () => {
    const { get, post } = await startReading({ scale: 1_000_000 })
    const filter = { fromDateTime: '2026-03-03T00:00:00Z', toDateTime: '2026-03-04T00:00:00Z' }
    const day = await post(extensive, { filter, contentSelector: { exposedFields: { parties: true } } })
    assert.ok(day.body.records.totalRecords > 3000)
    assert.ok((await get('/v2/calls')).body.records.totalRecords > 900_000)
  })

  it('has ids that a double cannot tell apart, and times of every form', async () => {
    const { get, simulators } = await startReading()
    const { calls } = (await get('/v2/calls')).body
    const ids: string[] = calls.map(({ id }: { id: string }) => id)
    assert.ok(new Set(ids.map(Number)).size < new Set(ids).size)
    const forms = new Set(calls.map(({ started }: { started: string }) => started.replace(/\d/g, '0')))
    assert.ok(forms.size >= 6)
    assert.ok(calls.some((call: object) => !('clientUniqueId' in call)))
    simulators.change('gong', { change: 'settings', bare_ids: true })
    const bare = await fetch(`${simulators.describe().gong!.base_url}/v2/workspaces`, {
      headers: { authorization: keyOf(simulators.describe().gong!.credentials[0]!) },
    })
    assert.match(await bare.text(), /"id":6\d{18},/)
  })
})

const keyOf = ({ access_key: user, access_key_secret: password }: Readonly<Record<string, string>>): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
