/** The commands that keep a hosted copy in step, and search it. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { conex } from './conex.ts'
import { refused, startHostedCommands } from './hosted-commands.ts'

describe('sync and search, through a hosted service', async () => {
  const commands = await startHostedCommands()
  after(() => commands.close())
  const { hosted, env, run, fine, create, make } = commands

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

  it('a statement runs over the copies, as an argument or from standard input', async () => {
    const { id } = await make('for statements')
    await fine('sync', 'start', id, '--entities', 'workspaces,projects', '--wait')
    const at = ['--connector', id]
    const count = 'select count(*) as n from projects'
    const [{ n }] = await fine('sql', 'asana', count, ...at)
    const [state] = await fine('sync', 'state', id)
    assert.equal(n, state.entities.find((one: { entity: string }) => one.entity === 'projects').records)
    const read = await conex(['sql', 'asana', '-', ...at], { env, input: `-- how many\n${count};\n` })
    assert.deepEqual(read.records(), [{ n }], read.stderr)
    const table = await run(
      'sql',
      'asana',
      'select gid, name from projects order by gid',
      ...at,
      '--limit',
      '2',
      '--table',
    )
    assert.match(table.stdout.toString(), /^GID +NAME\n\d+ .*\n\d+ .*\n$/)
    assert.match(table.stderr, /there are more rows; --limit takes up to 10000/)
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
    const { text, code } = await conex(['sync', 'start', id, '--wait'], { env, terminal: { columns: 90 } })
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
      [[...search, '--eq', 'nme=x'], /^invalid_query .*: --eq nme is not a searchable field; did you mean "name"\?\n$/],
      [[...search, '--sort', 'name:up'], /:desc/],
      [[...search, '--filter', '{'], /not JSON/],
      [['search', 'asana', 'project_tasks', '--user', 'ann'], /unknown_action/],
      [['search', 'asana', 'tasks'], /--connector.*--user/],
      [
        ['sql', 'asana', 'select gd from projects', '--user', 'ben', '--connector-name', 'for statements'],
        /did you mean "gid"\?/,
      ],
      [['sql', 'asana', '', '--user', 'ben', '--connector-name', 'for statements'], /<statement>/],
      [['sql', 'asana', 'select 1', '--user', 'ann', '--limit', '0'], /--limit/],
      [['sql', 'asna', 'select 1', '--user', 'ann'], /did you mean "asana"\?/],
      [['sql', 'asana', 'select 1'], /--connector.*--user/],
    ] as const) {
      const { code, stderr } = await run(...args)
      assert.equal(code, 2, stderr)
      assert.match(stderr, told)
    }
  })
})
