/** The commands that talk to a hosted service, against a real server with simulated systems. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { conex, endAll, startConex } from './command.ts'
import { startConsenting } from './consenting.ts'
import { type Hosted, startHosted } from './hosted.ts'
import { inTerminal } from './terminal.ts'

describe('conex, through a hosted service', () => {
  let hosted: Hosted
  let folder: string
  let env: Record<string, string>

  before(async () => {
    hosted = await startHosted({ simulators: { scale: 150 } })
    folder = mkdtempSync(join(tmpdir(), 'conex-cli-'))
    const { id, secret } = hosted.server.madeClient!
    env = { HOME: folder, CONEX_URL: hosted.server.origin, CONEX_CLIENT_ID: id, CONEX_CLIENT_SECRET: secret }
  })
  after(async () => {
    endAll()
    await hosted.close()
    rmSync(folder, { recursive: true })
  })

  const run = (...args: string[]) => conex(args, { env })
  /** The records of a command that succeeds. */
  const fine = async (...args: string[]) => {
    const { code, records, stderr } = await run(...args)
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return records()
  }
  const token = () => hosted.credentials('one').token!
  const create = (user: string, name: string, credential: string) =>
    ['connectors', 'create', 'asana', '--user', user, '--name', name, '--credential', credential] as const
  const make = async (name: string) => (await fine(...create('ben', name, `token=${token()}`)))[0]
  const refused = 'token=2/1/none'

  describe('connectors', () => {
    it('are made, shown, listed, changed, checked and deleted', async () => {
      const file = join(folder, 'asana.json')
      writeFileSync(file, JSON.stringify(hosted.credentials('one')))
      const [made] = await fine(
        'connectors',
        'create',
        'asana',
        '--user',
        'cleo',
        '--name',
        'Work',
        '--credentials',
        file,
        '--no-sync',
      )
      assert.deepEqual(
        [made.name, made.external_user_id, made.status, made.sync.enabled],
        ['Work', 'cleo', 'active', false],
      )
      assert.deepEqual(await fine('connectors', 'get', made.id), [made])
      assert.deepEqual(await fine('connectors', 'list', '--user', 'cleo', '--kind', 'Asana'), [made])
      const [changed] = await fine(
        'connectors',
        'update',
        made.id,
        '--name',
        'Private',
        '--sync',
        '--sync-interval',
        '900',
      )
      assert.deepEqual([changed.name, changed.sync], ['Private', { enabled: true, interval_seconds: 900 }])
      const [renamed] = await fine('connectors', 'update', made.id, '--name', 'Work')
      assert.deepEqual(renamed.sync, changed.sync)
      const [health] = await fine('connectors', 'check', made.id)
      assert.equal(health.status, 'healthy')
      const table = await run('connectors', 'list', '--table')
      assert.match(table.stdout.toString(), /^ID +NAME +CONNECTOR TYPE +EXTERNAL USER ID +STATUS +CREATED AT\n/)
      assert.match(table.stdout.toString(), new RegExp(`${made.id} +Work +asana +cleo +active`))
      const unasked = await run('connectors', 'delete', made.id)
      assert.equal(unasked.code, 2)
      assert.match(unasked.stderr, /--yes/)
      assert.deepEqual(await fine('connectors', 'delete', made.id, '--yes'), [
        { id: made.id, deleted: true, grant: 'unsupported' },
      ])
      assert.deepEqual(await fine('connectors', 'list', '--user', 'cleo'), [])
    })

    it('are deleted by whoever says yes at the terminal', async () => {
      const { id } = await make('asked')
      const question = /Delete the asana connector "asked" of "ben" with its copy\? \[y\/N\] /
      const no = await inTerminal(['connectors', 'delete', id], { env }, { typing: [{ after: question, keys: 'n\r' }] })
      assert.equal(no.code, 1)
      assert.equal((await fine('connectors', 'get', id))[0].id, id)
      const yes = await inTerminal(
        ['connectors', 'delete', id],
        { env },
        { typing: [{ after: question, keys: 'y\r' }] },
      )
      assert.equal(yes.code, 0, yes.text)
      assert.match(yes.text, /Deleted\./)
      assert.equal((await run('connectors', 'get', id)).code, 2)
    })

    it('whose credentials are refused say so with the exit code', async () => {
      const [made] = await fine(...create('ben', 'bad', refused))
      const { code, records } = await run('connectors', 'check', made.id)
      assert.equal(code, 3)
      assert.equal(records()[0].error.code, 'reauthorization_required')
    })

    it('are refused in one sentence that says what to mend', async () => {
      await make('twice')
      const withoutCredentials = ['connectors', 'create', 'asana', '--user', 'ben', '--name', 'twice']
      for (const [args, exit, told] of [
        [create('ben', 'twice', `token=${token()}`), 2, /conflict/],
        [create('ben', 'twice', 'tokn=canary'), 3, /invalid_credentials/],
        [withoutCredentials, 2, /--credentials, --credential or --consent/],
        [['connectors', 'create', 'asanna', '--user', 'a', '--name', 'b'], 2, /did you mean "asana"/],
        [['connectors', 'create', 'asana', '--name', 'b'], 2, /--user/],
        [['connectors', 'get', 'nobody'], 2, /not_found/],
        [['connectors', 'update', hosted.connector], 2, /what to change/],
      ] as const) {
        const { code, stderr } = await run(...args)
        assert.equal(code, exit, `${args.join(' ')}: ${stderr}`)
        assert.match(stderr, told)
        assert.doesNotMatch(stderr, /canary|\n\s+at /)
      }
    })
  })

  describe('errors', () => {
    it('speak of flags, are told once, and name what exists already', async () => {
      const { id } = await make('named')
      const tasks = ['execute', 'asana', 'tasks', 'list', '--user', 'ann']
      for (const [args, told] of [
        [create('ben', 'named', `token=${token()}`), `conflict .*\n  it is ${id}\n$`],
        [[...tasks, '--param', 'project=1', '--param', 'limit=ten'], ': --param limit has to be [^\n]*\n$'],
        [
          [...tasks, '--params', '{"project":"1","limit":0,"opt_fields":7}'],
          ': --param opt_fields [^\n]*\n  --param limit [^\n]*\n$',
        ],
        [['execute', 'asana', 'task', 'list', '--user', 'ann'], 'unknown_entity [^\n]*"tasks"\\?\n$'],
        [tasks, 'Give exactly one scope[^\n]*\n$'],
        [['execute', 'asana', 'tasks', 'list', '--user', 'nobody'], 'check --user\\.\n$'],
        [create('ben', 'x'.repeat(300), `token=${token()}`), '--name has to be [^\n]*\n$'],
        [create('', 'x', `token=${token()}`), '--user has to be [^\n]*\n$'],
        [create('ben', 'x', 'token=a b'), ': --credential token|\n  --credential token has to be ASCII'],
        [[...create('ben', 'x', `token=${token()}`), '--sync-interval', '1'], '--sync-interval has to be [^\n]*\n$'],
        [[...create('ben', 'x', `token=${token()}`), '--consent', 'a'], 'not both'],
        [
          [...create('ben', 'x', `token=${token()}`), '--idempotency-key', 'a b'],
          '--idempotency-key has to be [^\n]*\n$',
        ],
        [['connectors', 'create', 'asana', '--user', 'ben', '--name', 'x', '--consent', 'none'], 'no such --consent'],
        [['connectors', 'list', '--url', 'http://127.0.0.1:1'], 'check --url'],
        [['consent', 'begin', 'asana', '--user', 'ben', '--redirect-url', 'javascript:1'], '--redirect-url [^\n]*\n$'],
        [['audit', '--since', 'yesterday'], '--since has to be [^\n]*\n$'],
        [['search', 'asana', 'tasks', '--user', 'ann', '--filter', '{"eq":{"nme":"x"}}'], '--filter /eq/nme [^\n]*\n$'],
        [['search', 'asana', 'tasks', '--user', 'ann', '--filter', '{}', '--eq', 'nme=x'], '--eq nme [^\n]*\n$'],
        [['search', 'asana', 'tasks', '--user', 'ann', '--fields', 'nme'], '--fields [^\n]*\n$'],
        [['search', 'asana', 'tasks', '--user', 'ann', '--limit', '0'], '--limit has to be [^\n]*\n$'],
      ] as const) {
        const { code, stderr } = await run(...args)
        assert.notEqual(code, 0, args.join(' '))
        assert.match(stderr, new RegExp(told), args.join(' '))
        assert.doesNotMatch(stderr, /\/params|\/credentials|external_user_id|externalUserId|baseUrl|server_side/)
      }
    })
  })

  describe('a connector whose credentials are refused', () => {
    it('is not stored where they are tried first, as at a terminal', async () => {
      const [flag, person] = [
        await run(...create('tried', 'flag', refused), '--check'),
        await inTerminal([...create('tried', 'person', refused)], { env }),
      ]
      assert.equal(flag.code, 3, flag.stderr)
      assert.match(flag.stderr, /^invalid_credentials Asana [^\n]*\n$/)
      assert.equal(person.code, 3, person.text)
      assert.deepEqual(await fine('connectors', 'list', '--user', 'tried'), [])
      const untried = await inTerminal([...create('tried', 'person', refused), '--no-check'], { env })
      assert.equal(untried.code, 0, untried.text)
      assert.equal((await fine(...create('tried', 'script', refused))).length, 1)
    })
  })

  describe('what is kept of people', () => {
    it('is told by the audit log, newest first and page after page', async () => {
      const { id } = await make('audited')
      await fine('connectors', 'update', id, '--name', 'other')
      const entries = await fine('audit', '--connector', id)
      assert.deepEqual(
        entries.map(({ event }) => event),
        ['connector.changed', 'connector.created'],
      )
      assert.deepEqual(await fine('audit', '--connector', id, '--limit', '1'), entries.slice(0, 1))
      assert.deepEqual(
        await fine('audit', '--connector', id, '--event', 'connector.created', '--user', 'ben'),
        entries.slice(1),
      )
      assert.deepEqual(await fine('audit', '--connector', id, '--until', entries[1].at), [])
      assert.match((await run('audit', '--connector', id, '--table')).stdout.toString(), /^AT +EVENT +EXTERNAL USER ID/)
    })

    it('is seen with a token for one of them alone, and deleted with them', async () => {
      await fine(...create('leaving', 'one', `token=${token()}`))
      const [{ token: scoped, expires_in }] = await fine('tokens', 'scoped', '--user', 'leaving')
      assert.ok(expires_in > 0)
      const seen = await hosted.call('GET', '/api/v1/connectors/connectors_for_user', { token: scoped })
      assert.deepEqual(
        seen.body.connectors.map(({ name }: { name: string }) => name),
        ['one'],
      )
      const unasked = await run('end-users', 'delete', 'leaving')
      assert.equal(unasked.code, 2)
      assert.match(unasked.stderr, /--yes/)
      const question = /Delete all of "leaving": 1 connector, with credentials and copies\? \[y\/N\] /
      const no = await inTerminal(
        ['end-users', 'delete', 'leaving'],
        { env },
        { typing: [{ after: question, keys: 'n\r' }] },
      )
      assert.equal(no.code, 1, no.text)
      const [deleted] = await fine('end-users', 'delete', 'leaving', '--yes')
      assert.deepEqual([deleted.external_user_id, deleted.connectors_deleted], ['leaving', 1])
      assert.deepEqual(await fine('connectors', 'list', '--user', 'leaving'), [])
    })

    it('is read by the name of a connector, where somebody has several', async () => {
      for (const name of ['first', 'second']) await fine(...create('several', name, `token=${token()}`))
      const list = ['execute', 'asana', 'workspaces', 'list', '--user', 'several']
      assert.match((await run(...list)).stderr, /give the --connector or the --connector-name of one of them/)
      assert.ok((await fine(...list, '--connector-name', 'second')).length > 0)
    })
  })

  describe('execute', () => {
    it('reads with a connector, and with the only one of an end user', async () => {
      const byId = await fine('execute', 'asana', 'workspaces', 'list', '--connector', hosted.connector)
      assert.deepEqual(await fine('execute', 'asana', 'workspaces', 'list', '--user', 'ann'), byId)
      assert.ok(byId.length > 0)
    })

    it('follows pages and downloads', async () => {
      const list = ['execute', 'asana', 'project_tasks', 'list', '--user', 'ann', '--param', 'limit=20']
      const all = await fine(...list, '--all', '--param', `project_gid=${hosted.at.project_bulk}`)
      assert.ok(all.length > 40, `${all.length}`)
      assert.equal(new Set(all.map(({ gid }) => gid)).size, all.length)
      const file = await run(
        'execute',
        'asana',
        'attachments',
        'download',
        '--user',
        'ann',
        '--param',
        `attachment_gid=${hosted.at.attachment_12338_bytes}`,
      )
      assert.equal(file.stdout.length, 12_338)
    })

    it('searches too, and refuses options that an action would pass over', async () => {
      const search = ['execute', 'asana', 'tags', 'search', '--user', 'ann', '--params', '{"query": {}}', '--all']
      const { code, stderr } = await run(...search)
      assert.equal(code, 2)
      assert.match(stderr, /search_unavailable.*\n?.*Nothing of tags has been copied yet/)
      for (const [args, told] of [
        [['users', 'get', '--all'], /--all follows lists/],
        [['users', 'list', '--output', 'x'], /--output is for downloads/],
      ] as const) {
        const refused = await run('execute', 'asana', ...args, '--user', 'ann')
        assert.equal(refused.code, 2)
        assert.match(refused.stderr, told)
      }
    })

    it('wants one way in, and says which there are', async () => {
      const list = ['execute', 'asana', 'workspaces', 'list']
      for (const args of [[], ['--user', 'ann', '--credential', 'token=x']]) {
        const { code, stderr } = await run(...list, ...args)
        assert.equal(code, 2)
        assert.match(stderr, /--credentials.*--connector or --user/)
      }
      const both = await run(...list, '--user', 'ann', '--connector', hosted.connector)
      assert.match(both.stderr, /either --connector.*or --user/)
      assert.equal((await run(...list, '--user', 'nobody')).code, 2)
    })

    it('takes the service from the profile, and sends its secret nowhere else', async () => {
      const list = ['execute', 'asana', 'workspaces', 'list', '--user', 'ann']
      const set = await conex(['profile', 'set'], { env })
      assert.equal(set.code, 0, set.stderr)
      assert.equal((await conex(list, { env: { HOME: folder } })).code, 0)
      const elsewhere = await conex([...list, '--url', 'http://127.0.0.1:9'], { env: { HOME: folder } })
      assert.equal(elsewhere.code, 2)
      assert.match(elsewhere.stderr, /which client/)
      const wrong = await conex([...list, '--client-secret', '-'], { env: { HOME: folder }, input: 'not-the-secret\n' })
      assert.equal(wrong.code, 3)
      assert.match(wrong.stderr, /unauthenticated/)
    })

    it('a service that is not there ends with 1 and one sentence', async () => {
      const { code, stderr } = await run('connectors', 'list', '--url', 'http://127.0.0.1:9')
      assert.equal(code, 1)
      assert.match(stderr, /cannot be reached at http:\/\/127\.0\.0\.1:9/)
      assert.doesNotMatch(stderr, /\n\s+at /)
    })
  })

  describe('sync and search', () => {
    it('a copy is filled, waited for, told of, and searched', async () => {
      const { id } = await make('copied')
      const [run_] = await fine('sync', 'start', id, '--entities', 'workspaces,projects,tasks')
      assert.match(run_.status, /queued|running/)
      const [state] = await fine('sync', 'wait', id)
      assert.equal(state.run, null)
      const tasks = state.entities.find((one: { entity: string }) => one.entity === 'tasks')
      assert.ok(tasks.complete && tasks.records > 100, JSON.stringify(tasks))
      const table = await run('sync', 'state', id, '--table')
      assert.match(table.stdout.toString(), new RegExp(`^tasks +finished +${tasks.records} +true +`, 'm'))

      const search = (...args: string[]) => fine('search', 'asana', 'tasks', '--connector', id, ...args)
      const all = await search('--all', '--limit', '40', '--fields', 'name,completed')
      assert.equal(all.length, tasks.records)
      assert.deepEqual(Object.keys(all[0].data).sort(), ['completed', 'name'])
      const open = await search('--eq', 'completed=false')
      const done = await search('--eq', 'completed=true')
      assert.equal(open.length + done.length, all.length)
      const name = all[7].data.name as string
      assert.ok(
        (await search('--eq', `name=${name}`, '--eq', `completed=${all[7].data.completed}`)).some(
          (hit) => hit.id === all[7].id,
        ),
      )
      const ids = all.slice(0, 3).map((hit) => hit.id)
      const some = await search('--in', `gid=${ids.join()}`, '--sort', 'gid:desc')
      assert.deepEqual(
        some.map((hit) => hit.id),
        ids.toSorted().reverse(),
      )
      const both = await search('--filter', JSON.stringify({ in: { gid: ids } }), '--eq', `gid=${ids[1]}`)
      assert.deepEqual(
        both.map((hit) => hit.id),
        [ids[1]],
      )
      const page = await run(
        'search',
        'asana',
        'tasks',
        '--connector',
        id,
        '--limit',
        '2',
        '--table',
        '--columns',
        'gid,name',
      )
      assert.match(page.stdout.toString(), /^GID +NAME\n\d+ /)
      assert.match(page.stderr, /more: .*cursor.*--all/)
    })

    it('finds what a number of many digits names', async () => {
      const id = await hosted.connect(hosted.systems.describe().gong!.credentials[0]!, hosted.ann, 'gong')
      const search = (...args: string[]) => fine('search', 'gong', 'calls_extensive', '--connector', id, ...args)
      await fine('sync', 'start', id, '--entities', 'calls_extensive')
      await fine('sync', 'wait', id)
      const [long, other] = await search('--sort', 'id:desc', '--limit', '2', '--fields', 'id')
      assert.ok(BigInt(long.id) > Number.MAX_SAFE_INTEGER)
      const ids = async (...args: string[]) => (await search(...args)).map((hit) => hit.id)
      assert.deepEqual(await ids('--eq', `id=${long.id}`), [long.id])
      assert.deepEqual(await ids('--gte', `id=${long.id}`), [long.id])
      assert.deepEqual(await ids('--in', `id=${long.id},${other.id}`, '--sort', 'id:desc'), [long.id, other.id])
    })

    it('start and wait take the secret from standard input once', async () => {
      const { id } = await make('once')
      const { CONEX_CLIENT_SECRET: input, ...rest } = env
      const { code, stderr } = await conex(
        ['sync', 'start', id, '--entities', 'tags', '--wait', '--client-secret', '-'],
        {
          env: rest,
          input: input!,
        },
      )
      assert.equal(code, 0, stderr)
    })

    it('a wait in a terminal shows how far it is, and its table when it is there', async () => {
      const { id } = await make('watched')
      const { text, code } = await inTerminal(['sync', 'start', id, '--wait'], { env }, { columns: 90 })
      assert.equal(code, 0, text)
      assert.match(text, /[█░]{24}.*\d+% (queued|running|done)/)
      assert.match(text, /ENTITY +STATUS +RECORDS/)
    })

    it('a sync that fails ends with the code of what failed', async () => {
      const [made] = await fine(...create('dan', 'bad', refused))
      await fine('sync', 'start', made.id)
      const { code, stderr } = await run('sync', 'wait', made.id)
      assert.equal(code, 3, stderr)
      assert.match(stderr, /reauthorization_required \w+: /)
    })

    it('faults in a search are told before or by the service', async () => {
      const search = ['search', 'asana', 'tasks', '--user', 'ann']
      for (const [args, told] of [
        [
          [...search, '--eq', 'nme=x'],
          /^invalid_query .*: --eq nme is not a searchable field; did you mean "name"\?\n$/,
        ],
        [[...search, '--sort', 'name:up'], /:desc/],
        [[...search, '--filter', '{'], /not JSON/],
        [['search', 'asana', 'project_tasks', '--user', 'ann'], /unknown_action/],
        [['search', 'asana', 'tasks'], /--connector.*--user/],
      ] as const) {
        const { code, stderr } = await run(...args)
        assert.equal(code, 2, stderr)
        assert.match(stderr, told)
      }
    })
  })

  describe('consent', () => {
    /** Begins a consent here, presses a button of its page, and gives how the command ended. */
    async function pressed(button: 'allow' | 'deny') {
      const { press } = await startConsenting(hosted)
      const running = startConex(['consent', 'begin', 'asana', '--user', 'eve'], { env })
      const [page] = await running.printed(/http:\/\/127\.0\.0\.1:\d+\/asana\/\S+/)
      const { status } = await fetch(await press(page, button))
      assert.equal(status, 200)
      return running.ended
    }

    it('gives the address to open, for a page of your own', async () => {
      const redirect = 'https://app.example/connected'
      const [begun] = await fine('consent', 'begin', 'asana', '--user', 'ann', '--redirect-url', redirect)
      assert.match(begun.consent_url, /^http:\/\/127\.0\.0\.1:\d+\/asana\//)
    })

    it('waits here for the browser, and what it brings makes a connector', async () => {
      const { code, records, stderr } = await pressed('allow')
      assert.equal(code, 0, stderr)
      const named = ['connectors', 'create', 'asana', '--user', 'eve', '--name', 'Work']
      const [made] = await fine(...named, '--consent', records()[0].secret_id)
      assert.equal(made.auth_method, 'oauth')
    })

    it('that is denied ends with 3', async () => {
      const { code, stderr } = await pressed('deny')
      assert.equal(code, 3)
      assert.match(stderr, /no consent/)
    })
  })
})
