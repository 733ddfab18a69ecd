import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { answerJson, patientClock, type Script, startScriptedSystem } from '../engine/scripted-system.suite.ts'
import type { EngineSettings } from '../engine/settings.ts'
import { ConexError } from '../errors.ts'
import { connect, type LocalOptions } from './connect.ts'

const cleanups: (() => Promise<void>)[] = []
after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

const tokenPath = '/-/oauth_token'
const grant = { refresh_token: 'refresh-1', client_id: 'app', client_secret: 'app-secret' }

async function given(
  script: Script,
  credentials: LocalOptions<'asana'>['credentials'] = { token: 'secret-token' },
  more: Partial<LocalOptions<'asana'>> = {},
  engine: Partial<EngineSettings> = {},
) {
  const system = await startScriptedSystem(script)
  const clock = patientClock()
  const asana = connect('asana', {
    credentials,
    baseUrl: `${system.origin}/api/1.0`,
    allowPrivateNetwork: true,
    engine: { clock, random: () => 0.5, ...engine },
    ...more,
  })
  cleanups.push(
    () => asana.close(),
    () => system.close(),
  )
  const renewals = () => system.requests.filter(({ url }) => url === tokenPath)
  const reads = () => system.requests.filter(({ url }) => url !== tokenPath)
  return { system, clock, asana, renewals, reads }
}

/** A system with numbered access tokens; only the newest one is valid. */
function rotating(life?: number): Script {
  let newest = 0
  let refresh = 'refresh-1'
  return (_, { url, body }, response) => {
    if (url !== tokenPath) return answerJson(response, { data: { gid: '1', newest } })
    if (new URLSearchParams(body).get('refresh_token') !== refresh)
      return answerJson(response, { error: 'invalid_grant' }, 400)
    newest++
    refresh = `refresh-${newest + 1}`
    setTimeout(
      () => answerJson(response, { access_token: `access-${newest}`, refresh_token: refresh, expires_in: life }),
      20,
    )
  }
}

const code = (wanted: string) => (error: unknown) => error instanceof ConexError && error.code === wanted

describe('a connected system', () => {
  it('lists one page, page after page, and record after record', async () => {
    const { asana } = await given((_, { url }, response) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('offset') ?? 0)
      answerJson(response, {
        data: [{ gid: String(page), name: 'a', resource_type: 'workspace' }],
        next_page: page < 3 ? { offset: String(page + 1), path: '/p', uri: 'https://u' } : null,
      })
    })
    const first = await asana.workspaces.list()
    assert.deepEqual(first.connector_metadata.next_page, { offset: '1', path: '/p', uri: 'https://u' })
    const pages = await Array.fromAsync(asana.workspaces.list.pages({ limit: 1 }))
    assert.equal(pages.length, 4)
    const names: string[] = []
    for await (const { gid } of asana.workspaces.list.all({ offset: '2' })) names.push(gid)
    assert.deepEqual(names, ['2', '3'])
  })

  it('gets, by its own door and by name', async () => {
    const { asana, system } = await given((_, __, response) =>
      answerJson(response, { data: { gid: '1', resource_type: 'task', notes: 'kept' } }),
    )
    const { result } = await asana.tasks.get({ task_gid: '1' })
    assert.deepEqual(result, { gid: '1', resource_type: 'task', notes: 'kept' })
    assert.deepEqual((await asana.execute('tasks', 'get', { task_gid: '1' })).result, result)
    assert.deepEqual(
      system.requests.map(({ url }) => url),
      ['/api/1.0/tasks/1', '/api/1.0/tasks/1'],
    )
  })

  it('downloads as a stream, by its own door and by name', async () => {
    const { asana, system } = await given((_, { url }, response) =>
      url.startsWith('/api')
        ? answerJson(response, { data: { download_url: `${system.origin}/file`, name: 'a.txt' } })
        : void response.end('bytes'),
    )
    for (const { body, status, headers } of [
      await asana.attachments.download({ attachment_gid: '1' }),
      await asana.download('attachments', { attachment_gid: '1' }),
    ]) {
      assert.equal(status, 200)
      assert.equal(headers.get('content-disposition'), 'attachment; filename="a.txt"')
      assert.equal(Buffer.concat(await Array.fromAsync(body)).toString(), 'bytes')
    }
  })

  it('sends requests of the program’s own, and gives back their answers as they came', async () => {
    const text = '{"data": {"id": 12345678901234567890}}'
    const { asana, system } = await given((_, __, response) => answerJson(response, text))
    const answer = await asana.request({ path: '/users/me/favorites', query: { limit: 5 } })
    assert.deepEqual([answer.status, await answer.text()], [200, text])
    assert.deepEqual(
      system.requests.map(({ method, url }) => [method, url]),
      [['GET', '/api/1.0/users/me/favorites?limit=5']],
    )
    await assert.rejects(asana.request({ path: '/tasks', method: 'POST', body: {} }), code('invalid_params'))
    assert.equal(system.requests.length, 1)
  })

  it('has no search, and sends nothing to find out', async () => {
    const { asana, system } = await given((_, __, response) => answerJson(response, {}))
    await assert.rejects(asana.tasks.search({ query: {} }), code('search_unavailable'))
    await assert.rejects(asana.execute('tasks', 'search', { query: {} }), code('search_unavailable'))
    await assert.rejects(asana.execute('tasks', 'search', { query: 5 }), code('invalid_params'))
    await assert.rejects(asana.sql('select 1 as one'), {
      code: 'search_unavailable',
      message: /^There is no copy of Asana .* use list and get, or a hosted connector/,
    })
    assert.equal(system.requests.length, 0)
  })

  it('refuses what does not fit before anything is sent', async () => {
    const { asana, system } = await given((_, __, response) => answerJson(response, {}))
    const execute = asana.execute as (entity: string, action: string, params?: object) => Promise<unknown>
    for (const [entity, action, params, wanted] of [
      ['taks', 'list', {}, 'unknown_entity'],
      ['constructor', 'list', {}, 'unknown_entity'],
      ['__proto__', 'list', {}, 'unknown_entity'],
      ['tasks', 'download', {}, 'unknown_action'],
      ['tasks', 'description', {}, 'unknown_action'],
      ['tasks', 'toString', {}, 'unknown_action'],
      ['attachments', 'download', { attachment_gid: '1' }, 'unknown_action'],
      ['tasks', 'list', {}, 'invalid_params'],
      ['tasks', 'list', { project: '1', section: '2' }, 'invalid_params'],
      ['tasks', 'list', { project: '1', asignee: 'me' }, 'invalid_params'],
      [
        'tasks',
        'list',
        Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x${index}`, 1])),
        'invalid_params',
      ],
      ['user_teams', 'list', { user_gid: 'me' }, 'invalid_params'],
      [
        'workspace_task_search',
        'list',
        { workspace_gid: '1', sort_by: 'likes', sort_ascending: true },
        'invalid_params',
      ],
      ['workspace_task_search', 'list', { workspace_gid: '1', 'assignee.any': ['1'] }, 'invalid_params'],
      ['workspaces', 'list', { limit: 101 }, 'invalid_params'],
      ['workspaces', 'list', { limit: '50' }, 'invalid_params'],
      ['workspaces', 'list', { offset: '' }, 'invalid_params'],
      ['projects', 'list', { workspace: '1', archived: 'false' }, 'invalid_params'],
      ...['../users/me', '1/../../users/me', '1?x', '1#x', '1;a=b', 'a b', '1\0', '', '..', '9'.repeat(65)].map(
        (task_gid) => ['tasks', 'get', { task_gid }, 'invalid_params'] as const,
      ),
    ] as const)
      await assert.rejects(
        execute(entity, action, params),
        code(wanted),
        `${entity} ${action} ${JSON.stringify(params)}`,
      )
    assert.equal(system.requests.length, 0)
  })

  it('sends false where false was given', async () => {
    const { asana, system } = await given((_, __, response) => answerJson(response, { data: [] }))
    await asana.projects.list({ workspace: '1', archived: false })
    await asana.workspace_task_search.list({ workspace_gid: '1', completed: false, sort_ascending: false })
    assert.match(system.requests[0]!.url, /[?&]archived=false(&|$)/)
    assert.match(system.requests[1]!.url, /[?&]completed=false&.*sort_ascending=false(&|$)/)
  })

  it('ends a call when its caller aborts', async () => {
    const caller = new AbortController()
    const { asana } = await given(() => caller.abort(new Error('enough')))
    await assert.rejects(asana.workspaces.list({}, { signal: caller.signal }), /enough/)
  })

  it('ends a call at its timeout', async () => {
    const { asana } = await given(() => {}, { token: 't' }, { timeout: 80 })
    await assert.rejects(asana.workspaces.list(), code('upstream_timeout'))
  })
})

describe('connecting is refused', () => {
  const options = { credentials: { token: 'marker-secret' } }

  it('for a kind that there is not', async () => {
    for (const kind of ['asanna', 'constructor', '__proto__', 'toString', ''])
      await assert.rejects(connect(kind as 'asana', options).check(), code('invalid_request'))
  })

  it('and what was refused can be closed all the same, as can what was never used', async () => {
    await using unused = connect('asana', options)
    const refused = connect('asana', { credentials: {} } as never)
    await assert.rejects(refused.check(), code('invalid_credentials'))
    await refused.close()
    await unused.close()
  })

  it('for credentials that fit no way in, without repeating them', async () => {
    for (const credentials of [
      {},
      { tokn: 'marker-secret' },
      { token: '' },
      { token: 5 },
      { token: 'marker-secret', refresh_token: 'marker-secret' },
      { refresh_token: 'marker-secret', client_id: 'marker-secret' },
      { refresh_token: 'marker-secret', client_secret: 'marker-secret' },
      { token: 'marker-secret', constructor: 'marker-secret' },
      Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x${index}`, 'marker-secret'])),
      'marker-secret',
      ['marker-secret'],
      null,
      undefined,
    ])
      await assert.rejects(
        connect('asana', { credentials } as never).workspaces.list(),
        (error) =>
          code('invalid_credentials')(error) &&
          !inspect(error, { depth: 9, showHidden: true }).includes('marker-secret'),
        JSON.stringify(credentials),
      )
  })
})

describe('credentials in memory', () => {
  it('are renewed once for all the calls that wait for them', async () => {
    const { asana, renewals, reads } = await given(rotating(3600), grant)
    await Promise.all(Array.from({ length: 50 }, () => asana.tasks.get({ task_gid: '1' })))
    assert.equal(renewals().length, 1)
    assert.equal(reads().length, 50)
    for (const { headers } of reads()) assert.equal(headers.authorization, 'Bearer access-1')
  })

  it('are renewed once when all the calls find them worn out', async () => {
    const { asana, renewals } = await given(
      (() => {
        const renew = rotating()
        return (turn, request, response) => {
          if (request.url === tokenPath) return renew(turn, request, response)
          const good = response.req.headers.authorization === 'Bearer access-1'
          setTimeout(() => answerJson(response, good ? { data: { gid: '1' } } : { errors: [] }, good ? 200 : 401), 20)
        }
      })(),
      { ...grant, access_token: 'worn-out' },
    )
    const answers = await Promise.all(Array.from({ length: 50 }, () => asana.tasks.get({ task_gid: '1' })))
    assert.equal(answers.length, 50)
    assert.equal(renewals().length, 1)
  })

  it('are renewed before they run out', async () => {
    const { asana, renewals, clock } = await given(rotating(3600), grant)
    await asana.tasks.get({ task_gid: '1' })
    await clock.sleep(3_400_000, AbortSignal.any([]))
    await asana.tasks.get({ task_gid: '1' })
    assert.equal(renewals().length, 1)
    await clock.sleep(100_000, AbortSignal.any([]))
    await asana.tasks.get({ task_gid: '1' })
    assert.equal(renewals().length, 2)
  })

  it('are used to their end when renewing them ahead fails for now', async () => {
    const renew = rotating(3600)
    const { asana, clock, reads } = await given((turn, request, response) => {
      if (request.url === tokenPath && turn > 1) return answerJson(response, {}, 503)
      renew(turn, request, response)
    }, grant)
    await asana.tasks.get({ task_gid: '1' })
    await clock.sleep(3_500_000, AbortSignal.any([]))
    await asana.tasks.get({ task_gid: '1' })
    assert.equal(reads().at(-1)!.headers.authorization, 'Bearer access-1')
    await clock.sleep(100_000, AbortSignal.any([]))
    await assert.rejects(asana.tasks.get({ task_gid: '1' }), code('upstream_error'))
  })

  it('are handed to their keeper before they are used, in a form that connects again', async () => {
    const kept: LocalOptions<'asana'>['credentials'][] = []
    const { asana, reads } = await given(rotating(3600), grant, {
      onCredentialsRenewed: async (renewed) => {
        assert.equal(reads().length, 0)
        await new Promise((resolve) => setImmediate(resolve))
        assert.equal(reads().length, 0)
        kept.push(renewed)
      },
    })
    await asana.tasks.get({ task_gid: '1' })
    assert.deepEqual(kept, [{ ...grant, refresh_token: 'refresh-2', access_token: 'access-1' }])
    await connect('asana', { credentials: kept[0]! }).close()
  })

  it('are not lost when their keeper fails, who gets them again with the next call', async () => {
    const kept: unknown[] = []
    let failing = true
    const { asana, renewals } = await given(rotating(3600), grant, {
      onCredentialsRenewed: (renewed) => {
        if (failing) throw new Error('the disk is full')
        kept.push(renewed)
      },
    })
    await assert.rejects(asana.tasks.get({ task_gid: '1' }), /the disk is full/)
    failing = false
    await asana.tasks.get({ task_gid: '1' })
    await asana.tasks.get({ task_gid: '1' })
    assert.equal(renewals().length, 1)
    assert.equal(kept.length, 1)
  })

  it('that cannot be renewed say so, to every call that waited', async () => {
    const { asana, renewals } = await given(
      (_, __, response) => answerJson(response, { error: 'invalid_grant' }, 400),
      grant,
    )
    const calls = await Promise.allSettled(Array.from({ length: 9 }, () => asana.tasks.get({ task_gid: '1' })))
    for (const call of calls) assert.ok(call.status === 'rejected' && code('reauthorization_required')(call.reason))
    assert.equal(renewals().length, 1)
  })

  it('that last are not renewed', async () => {
    const { asana, renewals, reads } = await given((_, __, response) => answerJson(response, { errors: [] }, 401))
    await assert.rejects(asana.tasks.get({ task_gid: '1' }), code('reauthorization_required'))
    assert.deepEqual([renewals().length, reads().length], [0, 1])
  })

  it('do not hold a caller who has gone, nor one whose time is up, while they are renewed', async () => {
    const caller = new AbortController()
    const { asana } = await given((_, { url }) => url === tokenPath && caller.abort(new Error('enough')), grant)
    await assert.rejects(asana.tasks.get({ task_gid: '1' }, { signal: caller.signal }), /enough/)
    const late = await given(() => {}, grant, { timeout: 80 })
    await assert.rejects(late.asana.tasks.get({ task_gid: '1' }), code('upstream_timeout'))
  })
})
