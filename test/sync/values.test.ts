/** Values as systems really write them, read into a copy and searched there. */
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { type Kind, type Synced, startSynced } from './synced.ts'

async function synced(t: TestContext, kind: Kind): Promise<Synced> {
  const made = await startSynced(kind, { simulators: { scale: kind === 'asana' ? 60 : 10 } })
  t.after(() => made.close())
  return made
}

/** The system answers one such request with these records. */
function answer({ hosted }: Synced, kind: Kind, path: string, body: object): void {
  hosted.systems.faults.add({ kind, path, effect: { type: 'body', status: 200, body: JSON.stringify(body) } })
}

const ids = async (on: Synced, entity: string, query: object): Promise<readonly string[]> =>
  (await on.search(entity, { query })).body.result.hits.map(({ id }: { id: string }) => id)

it('numbers that Meta writes as text compare as numbers, and what is no number is null and told', async (t) => {
  const on = await synced(t, 'facebook-marketing')
  const kind = 'facebook-marketing'
  const id = on.hosted.systems.landmarks(kind).account!
  const page = (...data: object[]) => ({ data, paging: {} })
  answer(on, kind, '/me/adaccounts$', page({ id: `act_${id}`, account_id: id }))
  const day = new Date(on.hosted.clock.now() - 86_400_000).toISOString().slice(0, 10)
  const row = (ad_id: string, spend: string) => ({
    account_id: id,
    ad_id,
    date_start: day,
    date_stop: day,
    clicks: '382',
    impressions: '0',
    spend,
    actions: [{ action_type: 'link_click', value: '12', '7d_click': '11' }],
  })
  answer(on, kind, '/insights$', page(row('1', '8.02625'), row('2', '9.5'), row('3', '10')))
  const adSet = (name: string, more: object) => ({ id: name, name, account_id: id, bid_amount: '100', ...more })
  const bad = { bid_amount: '1234;5678', daily_budget: { x: 1 } }
  answer(on, kind, '/adsets$', page(adSet('11', {}), adSet('12', bad), adSet('13', { daily_budget: '500' })))
  await on.sync({ entities: ['ad_accounts', 'ads_insights', 'ad_sets'] })

  assert.deepEqual(
    await ids(on, 'ads_insights', {
      filter: { gt: { spend: 9 }, in: { ad_id: ['1', '2', '3'] } },
      sort: [{ spend: 'asc' }],
    }),
    [`${id}:ad:2:${day}`, `${id}:ad:3:${day}`],
  )
  const figures = (await on.copy('ads_insights')).get(`${id}:ad:1:${day}`)
  assert.deepEqual([figures.clicks, figures.impressions, figures.spend], [382, 0, 8.02625])
  assert.deepEqual([figures.actions[0].value, figures.actions[0]['7d_click']], [12, 11])

  const adSets = await on.copy('ad_sets')
  assert.deepEqual([...adSets.keys()], ['11', '12', '13'])
  assert.deepEqual(
    [...adSets.values()].map(({ bid_amount, daily_budget }) => [bid_amount, daily_budget]),
    [
      [100, null],
      [null, null],
      [100, 500],
    ],
  )
  const { status, complete, warnings } = await on.state('ad_sets')
  assert.deepEqual([status, complete, warnings.length], ['finished', true, 2])
  assert.deepEqual(warnings.map((warning: string) => warning.match(/^(\w+) .*record (\d+)/)!.slice(1)).toSorted(), [
    ['bid_amount', '12'],
    ['daily_budget', '12'],
  ])
  assert.doesNotMatch(warnings.join(), /5678/)
})

it('one value that cannot be what it should costs neither its record nor its page, also where callers’ lists are refused', async (t) => {
  const gong = await synced(t, 'gong')
  const users = [
    { id: '1', emailAddress: 'ada@x.example', active: 'perhaps', firstName: { secret: 'Ada' }, extension: 100 },
    { emailAddress: 'nobody@x.example' },
    { id: '3', emailAddress: 'eve@x.example', active: 'true' },
    { id: '4', active: 7 },
    { id: 'é'.repeat(501) },
  ]
  answer(gong, 'gong', '/v2/users$', { users, records: { totalRecords: 5 } })
  await gong.sync({ entities: ['users'] })
  const shown = [...(await gong.copy('users')).values()].map(({ id, active, firstName, extension }) => [
    ...[id, active, firstName, extension],
  ])
  assert.deepEqual(shown, [
    ['1', null, null, '100'],
    ['3', true, null, null],
    ['4', null, null, null],
  ])
  const state = await gong.state('users')
  assert.deepEqual([state.status, state.complete, state.last_error], ['finished', true, null])
  assert.deepEqual(state.warnings.toSorted(), [
    'a record without an id, or with one of more than 1,000 bytes, was left out; met 1 more times',
    "active is not true or false in the third-party system's answer, so it is null (record 1, and 1 more)",
    "firstName is not text in the third-party system's answer, so it is null (record 1)",
  ])

  const asana = await synced(t, 'asana')
  const data = [
    { gid: '1', name: 5, archived: 'true', members: { a: 1 }, workspace: 'none', due_on: {} },
    { gid: '2', name: 'Whole', archived: false },
  ]
  answer(asana, 'asana', '/projects$', { data, next_page: null })
  await asana.sync({ entities: ['workspaces', 'projects'] })
  const [odd, whole] = (await asana.copy('projects')).values()
  assert.deepEqual(
    [odd, whole].map(({ name, archived, members, workspace, due_on }) => [name, archived, members, workspace, due_on]),
    [
      ['5', true, null, null, null],
      ['Whole', false, null, null, null],
    ],
  )
  const { warnings } = await asana.state('projects')
  assert.deepEqual(warnings.map((warning: string) => warning.split(' ')[0]).toSorted(), [
    ...['due_on', 'members', 'workspace'],
  ])
})

it('one instant written in three ways is one, and is shown as it came', async (t) => {
  const on = await synced(t, 'facebook-marketing')
  const kind = 'facebook-marketing'
  const id = on.hosted.systems.landmarks(kind).account!
  const times = [
    '2024-03-10T01:30:00-0800',
    '2024-03-10T09:45:00Z',
    '2024-03-10T09:30:00.000+00:00',
    '2024-03-10T10:30:00.000000+01:00',
  ]
  answer(on, kind, '/me/adaccounts$', { data: [{ id: `act_${id}`, account_id: id }], paging: {} })
  const ads = times.map((created_time, index) => ({ id: `${index}`, name: 'ad', account_id: id, created_time }))
  answer(on, kind, '/ads$', { data: ads, paging: {} })
  await on.sync({ entities: ['ad_accounts', 'ads'] })
  const instant = '2024-03-10T09:30:00Z'
  assert.deepEqual(await ids(on, 'ads', { filter: { eq: { created_time: instant } } }), ['0', '2', '3'])
  assert.deepEqual(await ids(on, 'ads', { filter: { gt: { created_time: instant } } }), ['1'])
  assert.deepEqual(await ids(on, 'ads', { sort: [{ created_time: 'desc' }] }), ['1', '0', '2', '3'])
  assert.deepEqual(
    [...(await on.copy('ads')).values()].map(({ created_time }) => created_time),
    times,
  )
  // What is asked for next is what changed since an instant, whatever zone anybody is in.
  on.hosted.calm()
  await on.sync({ entities: ['ad_accounts', 'ads'] })
  const { query } = on.hosted.received().find(({ path }) => path.endsWith('/ads'))!
  const [{ value }] = JSON.parse(new URLSearchParams(query).get('filtering')!)
  const before = on.hosted.clock.now() / 1000 - value
  assert.ok(before > 0 && before < 3600, `${before} seconds ago`)
})

it('identifiers above 2^53 that come as bare numbers stay apart, digit for digit', async (t) => {
  const on = await synced(t, 'gong')
  on.hosted.systems.change('gong', { change: 'settings', bare_ids: true })
  await on.sync()
  const reviews = [...(await on.copy('stats_activity_scorecards')).keys()]
  assert.ok(reviews.some((one) => reviews.some((other) => one !== other && Number(one) === Number(other))))
  for (const id of reviews.slice(0, 5))
    assert.deepEqual(await ids(on, 'stats_activity_scorecards', { filter: { eq: { answeredScorecardId: id } } }), [id])
  on.hosted.systems.change('gong', { change: 'settings', bare_ids: false })
  // Also those that stand inside objects and arrays.
  await on.isTrueOf(['users', 'calls', 'calls_extensive', 'settings_scorecards', 'stats_activity_scorecards'])
})

it('dates, NULs, long and foreign texts are found as they are', async (t) => {
  const on = await synced(t, 'asana')
  const { hosted } = on
  const make = (fields: object): string =>
    (
      hosted.systems.change('asana', {
        change: 'create',
        what: 'task',
        project: hosted.at.project_empty,
        ...fields,
      }) as { gid: string }
    ).gid
  const nul = make({ name: 'a\0b' })
  const a = make({ name: 'a' })
  const ab = make({ name: 'ab' })
  const dated = make({ name: 'dated', due_on: '2024-07-10' })
  const greek = make({ name: 'ΣΊΣΥΦΟΣ' })
  const words = `${Array.from({ length: 20_000 }, (_, index) => `w${index}`).join(' ')} theneedle end`
  const long = make({ name: 'n'.repeat(20_000), notes: words })
  for (const zone of ['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC']) {
    process.env.TZ = zone
    assert.equal(new Date(0).getHours() === 0, zone === 'UTC')
    await on.sync({ entities: ['projects', 'tasks'], full: true })
    for (const operator of ['eq', 'gte', 'lte']) {
      const filter = { and: [{ [operator]: { due_on: '2024-07-10' } }, { eq: { name: 'dated' } }] }
      const { body } = await on.search('tasks', { query: { filter } })
      const hits = body.result.hits.map(({ id, data }: { id: string; data: { due_on: string } }) => [id, data.due_on])
      assert.deepEqual(hits, [[dated, '2024-07-10']], `${operator} in ${zone}`)
    }
  }
  const found = async (filter: object) => (await ids(on, 'tasks', { filter })).toSorted()
  assert.deepEqual(await found({ eq: { name: 'a\0b' } }), [nul])
  assert.deepEqual(await found({ eq: { name: 'a' } }), [a])
  assert.deepEqual(await found({ like: { name: 'a' } }), [a])
  assert.deepEqual(await found({ eq: { name: 'ab' } }), [ab])
  assert.deepEqual(await found({ like: { name: 'σίσυφ%' } }), [greek])
  assert.deepEqual(await found({ keyword: { notes: 'end' }, like: { notes: '%needle%' } }), [long])
  assert.deepEqual(await found({ eq: { name: 'n'.repeat(20_000) } }), [long])
  const copy = await on.copy('tasks')
  assert.deepEqual([copy.get(nul).name, copy.get(long).notes, copy.get(dated).due_on], ['a\0b', words, '2024-07-10'])
  const live = await hosted.execute('tasks', 'get', { task_gid: nul })
  assert.equal(live.body.result.name, 'a\0b')
})

it('a record whose id nobody can ask for costs no later pass, and what is gone goes', async (t) => {
  const on = await synced(t, 'asana')
  const whole = async (): Promise<string> => {
    await on.sync({ entities: ['tags'], full: true })
    const { status, last_error } = await on.state('tags')
    return last_error?.detail ?? status
  }
  const page = (...ids: string[]) => ({ data: ids.map((gid) => ({ gid, name: gid })) })
  assert.equal(await whole(), 'finished')
  const before = [...(await on.copy('tags')).keys()]
  answer(on, 'asana', '/tags$', page('', '.', '..', '1.5', ...before))
  assert.equal(await whole(), 'finished')
  assert.deepEqual([...(await on.copy('tags')).keys()], ['1.5', ...before])
  assert.match((await on.state('tags')).warnings.join(), /without an id/)
  assert.equal(await whole(), 'finished')
  assert.equal(await whole(), 'finished')
  assert.deepEqual([...(await on.copy('tags')).keys()], before)
})

it('what hangs below a record without a usable id is not asked for', async (t) => {
  const on = await synced(t, 'asana')
  await on.sync({ entities: ['projects'] })
  answer(on, 'asana', '/tasks$', { data: [{ gid: '..', name: 'up', num_subtasks: 3 }] })
  await on.sync({ entities: ['tasks'] })
  const { status, last_error } = await on.state('tasks')
  assert.deepEqual([status, last_error], ['finished', null])
})
