/** The commands that talk to a hosted service: connectors, errors, what is kept of people, and calls. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { allowAgent, createSignInCode } from '../src/service/agent-grants.ts'
import { beginConex, conex, type Typing } from './conex.ts'
import { until } from './hosted.ts'
import { refused, startHostedCommands } from './hosted-commands.ts'
import { startReceiver } from './receiver.ts'

describe('conex, through a hosted service', async () => {
  const commands = await startHostedCommands()
  after(() => commands.close())
  const { hosted, folder, env, run, fine, create, make, token } = commands
  const atTerminal = (args: readonly string[], typing: readonly Typing[] = []) =>
    conex(args, { env, terminal: { typing } })

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
      const no = await atTerminal(['connectors', 'delete', id], [{ after: question, keys: 'n\r' }])
      assert.equal(no.code, 1)
      assert.equal((await fine('connectors', 'get', id))[0].id, id)
      const yes = await atTerminal(['connectors', 'delete', id], [{ after: question, keys: 'y\r' }])
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
        [['connectors', 'update', hosted.connector], 2, /Pass a change: --name/],
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
        [[...tasks, '--param', 'project=1', '--param', 'limit=ten'], ': --param limit must be [^\n]*\n$'],
        [
          [...tasks, '--params', '{"project":"1","limit":0,"opt_fields":7}'],
          ': --param opt_fields [^\n]*\n  --param limit [^\n]*\n$',
        ],
        [['execute', 'asana', 'task', 'list', '--user', 'ann'], 'unknown_entity [^\n]*"tasks"\\?\n$'],
        [tasks, 'Give exactly one scope[^\n]*\n$'],
        [['execute', 'asana', 'tasks', 'list', '--user', 'nobody'], 'check --user\\.\n$'],
        [create('ben', 'x'.repeat(300), `token=${token()}`), '--name must be [^\n]*\n$'],
        [create('', 'x', `token=${token()}`), '--user must be [^\n]*\n$'],
        [create('ben', 'x', 'token=a b'), ': --credential token|\n  --credential token must be ASCII'],
        [[...create('ben', 'x', `token=${token()}`), '--sync-interval', '1'], '--sync-interval must be [^\n]*\n$'],
        [[...create('ben', 'x', `token=${token()}`), '--consent', 'a'], 'not both'],
        [
          [...create('ben', 'x', `token=${token()}`), '--idempotency-key', 'a b'],
          '--idempotency-key must be [^\n]*\n$',
        ],
        [['connectors', 'create', 'asana', '--user', 'ben', '--name', 'x', '--consent', 'none'], 'no such --consent'],
        [['connectors', 'list', '--url', 'http://127.0.0.1:1'], 'check --url'],
        [['consent', 'begin', 'asana', '--user', 'ben', '--redirect-url', 'javascript:1'], '--redirect-url [^\n]*\n$'],
        [['audit', '--since', 'yesterday'], '--since must be [^\n]*\n$'],
        [['search', 'asana', 'tasks', '--user', 'ann', '--filter', '{"eq":{"nme":"x"}}'], '--filter /eq/nme [^\n]*\n$'],
        [['search', 'asana', 'tasks', '--user', 'ann', '--filter', '{}', '--eq', 'nme=x'], '--eq nme [^\n]*\n$'],
        [['search', 'asana', 'tasks', '--user', 'ann', '--fields', 'nme'], '--fields [^\n]*\n$'],
        [['search', 'asana', 'tasks', '--user', 'ann', '--limit', '0'], '--limit must be [^\n]*\n$'],
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
        await atTerminal([...create('tried', 'person', refused)]),
      ]
      assert.equal(flag.code, 3, flag.stderr)
      assert.match(flag.stderr, /^invalid_credentials Asana [^\n]*\n$/)
      assert.equal(person.code, 3, person.text)
      assert.deepEqual(await fine('connectors', 'list', '--user', 'tried'), [])
      const untried = await atTerminal([...create('tried', 'person', refused), '--no-check'])
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

    it('is told by events, in their order and from any of them on, and as they come', async () => {
      const { id } = await make('told')
      await fine('connectors', 'update', id, '--name', 'retold')
      const all = await fine('events', '--connector', id)
      assert.deepEqual(
        all.map(({ type }) => type),
        ['connector.created', 'connector.updated'],
      )
      assert.deepEqual(await fine('events', '--connector', id, '--cursor', all[0].cursor), all.slice(1))
      assert.deepEqual(
        await fine('events', '--type', 'connector.updated', '--user', 'ben', '--connector', id),
        all.slice(1),
      )
      assert.deepEqual(await fine('events', '--from-now'), [])
      assert.match((await run('events', '--connector', id, '--table')).stdout.toString(), /^TIMESTAMP +TYPE/)
      const wrong = await run('events', '--type', 'connector.made')
      assert.equal(wrong.code, 2)
      const following = beginConex(['events', '--from-now', '--follow', '--type', 'connector.deleted', '--json'], {
        env,
      })
      await until(() => hosted.server.service.events.readers.waiting === 1)
      await fine('connectors', 'delete', id, '--yes')
      await following.printed(new RegExp(`"type":"connector.deleted".*${id}`))
      following.interrupt()
      assert.equal((await following.ended).code, 130)
    })

    it('is sent to webhooks, which are made, changed, rotated, replayed and deleted', async (t) => {
      const receiver = await startReceiver()
      t.after(() => receiver.close())
      const words = ['--types', 'connector.created', '--description', 'mine']
      const [made] = await fine('webhooks', 'create', receiver.url, ...words)
      assert.match(made.secret, /^whsec_/)
      const { secret: _, ...webhook } = made
      assert.deepEqual(await fine('webhooks', 'list'), [webhook])
      await make('sent')
      await hosted.server.service.events.deliver()
      const [delivery] = await fine('webhooks', 'deliveries', made.id)
      assert.deepEqual([delivery.status, delivery.event.type], ['delivered', 'connector.created'])
      assert.deepEqual(await fine('webhooks', 'deliveries', made.id, '--status', 'parked'), [])
      const replayed = await fine('webhooks', 'replay', made.id, '--event', delivery.event.id)
      assert.deepEqual(replayed, [{ id: made.id, replayed: 1 }])
      await hosted.server.service.events.deliver()
      assert.deepEqual(
        receiver.received.map(({ event }) => event.id),
        [delivery.event.id, delivery.event.id],
      )
      const [rotated] = await fine('webhooks', 'rotate', made.id, '--overlap', '0')
      assert.notEqual(rotated.secret, made.secret)
      const [changed] = await fine('webhooks', 'update', made.id, '--types', 'sync.failed', '--disable')
      assert.deepEqual([changed.status, changed.types], ['disabled', ['sync.failed']])
      assert.equal((await fine('webhooks', 'update', made.id, '--enable'))[0].status, 'active')
      const wrong = await run('webhooks', 'create', 'receiver.example')
      assert.equal(wrong.code, 2)
      assert.match(wrong.stderr, /public https address/)
      assert.deepEqual(await fine('webhooks', 'delete', made.id), [{ id: made.id, deleted: true }])
      assert.equal((await run('webhooks', 'deliveries', made.id)).code, 2)
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
      const no = await atTerminal(['end-users', 'delete', 'leaving'], [{ after: question, keys: 'n\r' }])
      assert.equal(no.code, 1, no.text)
      const [deleted] = await fine('end-users', 'delete', 'leaving', '--yes')
      assert.deepEqual([deleted.external_user_id, deleted.connectors_deleted], ['leaving', 1])
      assert.deepEqual(await fine('connectors', 'list', '--user', 'leaving'), [])
    })

    it('is told which agents they let in, and ends them', async () => {
      const { service } = hosted.server
      const tenant = { organizationId: hosted.server.organizationId, externalUserId: null }
      const { sign_in_code } = await createSignInCode(service, tenant, 'host')
      const asked = { clientId: 'desk', clientName: 'Test Desk', redirectUri: 'https://x.example/', codeChallenge: 'x' }
      assert.ok(await allowAgent(service, sign_in_code, asked))
      const [agent, ...others] = await fine('agents', 'list', '--user', 'host')
      assert.deepEqual([agent.name, agent.client_id, others], ['Test Desk', 'desk', []])
      const guest = await run('agents', 'end', agent.id, '--user', 'guest')
      assert.match(guest.stderr, /has let in no such agent/)
      assert.deepEqual(await fine('agents', 'end', agent.id, '--user', 'host'), [{ ended: agent.id }])
      assert.deepEqual(await fine('agents', 'list', '--user', 'host'), [])
    })

    it('is read by the name of a connector, where somebody has several', async () => {
      for (const name of ['first', 'second']) await fine(...create('several', name, `token=${token()}`))
      const list = ['execute', 'asana', 'workspaces', 'list', '--user', 'several']
      assert.match((await run(...list)).stderr, /pass the --connector or the --connector-name of one: /)
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
      const set = await run('profile', 'set')
      assert.equal(set.code, 0, set.stderr)
      assert.equal((await conex(list, { env: { XDG_CONFIG_HOME: folder } })).code, 0)
      const elsewhere = await conex([...list, '--url', 'http://127.0.0.1:9'], { env: { XDG_CONFIG_HOME: folder } })
      assert.equal(elsewhere.code, 2)
      assert.match(elsewhere.stderr, /Name the client/)
      const wrong = await conex([...list, '--client-secret', '-'], {
        env: { XDG_CONFIG_HOME: folder },
        input: 'not-the-secret\n',
      })
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
})
