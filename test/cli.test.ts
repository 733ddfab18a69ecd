import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { simulators } from '../src/connectors/simulators.ts'
import { type RunningSimulators, startSimulators } from '../src/simulator/simulators.ts'
import { endAll, startConex } from './command.ts'
import { conex } from './conex.ts'

describe('conex execute', () => {
  let systems: RunningSimulators
  let at: Readonly<Record<string, string>>
  let door: string[]
  let folder: string

  before(async () => {
    systems = await startSimulators(Object.values(simulators))
    at = systems.landmarks('asana')
    folder = mkdtempSync(join(tmpdir(), 'conex-cli-'))
    const { base_url, credentials } = systems.describe().asana!
    door = ['--base-url', base_url, '--allow-private-network', '--credential', `token=${credentials[0]!.token}`]
  })
  after(async () => {
    endAll()
    await systems.close()
    rmSync(folder, { recursive: true })
  })

  const execute = (operation: string, ...args: string[]) =>
    conex(['execute', 'asana', ...operation.split(' '), ...args, ...door])

  it('prints records as JSON lines and tells of more', async () => {
    const { code, records, stderr } = await execute(
      'tasks list',
      '--param',
      `project=${at.project}`,
      '--param',
      'limit=3',
    )
    assert.equal(code, 0)
    assert.equal(records().length, 3)
    assert.match(records()[0].gid, /^\d+$/)
    assert.match(stderr, /more: .*next_page.*--all/)
  })

  it('--all follows the pages to the end', async () => {
    const { code, records, stderr } = await execute(
      'project_tasks list',
      '--param',
      `project_gid=${at.project_bulk}`,
      '--all',
    )
    assert.equal(code, 0)
    assert.equal(new Set(records().map(({ gid }) => gid)).size, 1050)
    assert.equal(records().length, 1050)
    assert.equal(stderr, '')
  })

  it('takes booleans and names with dots, and credentials from a file', async () => {
    const file = join(folder, 'credentials.json')
    writeFileSync(file, JSON.stringify(systems.describe().asana!.credentials[0]))
    const search = ['execute', 'asana', 'workspace_task_search', 'list', '--param', `workspace_gid=${at.workspace}`]
    const given = ['--param', 'completed=false', '--param', 'assignee.any=me', '--credentials', file]
    const { code, records, stderr } = await conex([...search, ...given, ...door.slice(0, 3)])
    assert.equal(code, 0, stderr)
    assert.ok(records().length > 0)
  })

  it('prints the selected fields alone, or all but the excluded ones', async () => {
    const tasks = ['tasks list', '--param', `project=${at.project}`, '--param', 'limit=2'] as const
    const some = await execute(...tasks, '--select-fields', 'name,created_by.gid')
    assert.deepEqual(Object.keys(some.records()[0]), ['name', 'created_by'])
    const less = await execute(...tasks, '--exclude-fields', 'name,created_by')
    assert.deepEqual(Object.keys(less.records()[0]).toSorted(), ['gid', 'resource_subtype', 'resource_type'])
    const file = await execute('attachments download', '--param', 'attachment_gid=1', '--select-fields', 'name')
    assert.equal(file.code, 2)
    assert.match(file.stderr, /a download is a file/)
  })

  it('writes a file to standard output or to a file', async () => {
    const attachment = ['--param', `attachment_gid=${at.attachment_12338_bytes}`]
    const printed = await execute('attachments download', ...attachment)
    assert.equal(printed.code, 0, printed.stderr)
    assert.equal(printed.stdout.length, 12_338)
    const output = join(folder, 'swatches.bin')
    const saved = await execute('attachments download', ...attachment, '--output', output)
    assert.deepEqual([saved.code, saved.stdout.length], [0, 0])
    assert.deepEqual(readFileSync(output), printed.stdout)
    const part = await execute('attachments download', ...attachment, '--param', 'range_header=bytes=0-9')
    assert.deepEqual(part.stdout, printed.stdout.subarray(0, 10))
  })

  it('fails a download that stops half way', async () => {
    systems.faults.add({ kind: 'asana', host: 'files', effect: { type: 'cut', bytes: 5000 } })
    const output = join(folder, 'half')
    const download = ['--param', `attachment_gid=${at.attachment}`, '--output', output]
    const { code, stderr } = await execute('attachments download', ...download)
    assert.notEqual(code, 0)
    assert.notEqual(stderr, '')
    // A cut file must not look like a whole one.
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('half')),
      [],
    )
  })

  it('ends with a code that tells what to do next, and one sentence on standard error', async () => {
    // Commands run side by side, so each refusal strikes the call with its own page size.
    for (const [limit, status] of [
      [31, 401],
      [41, 429],
      [51, 503],
    ]) {
      const effect = { type: 'status', status: status!, headers: { 'retry-after': '99' } } as const
      systems.faults.add({ kind: 'asana', times: null, query: `limit=${limit}`, effect })
    }
    const inProject = (...more: string[]) => ['--param', `project=${at.project}`, ...more]
    const cases: readonly (readonly [string, string[], number, RegExp])[] = [
      ['tasks list', [], 2, /invalid_params .*exactly one scope/],
      ['taks list', [], 2, /unknown_entity .*tasks/],
      ['tasks list', inProject('--param', 'project=2'), 2, /passed twice/],
      ['tasks list', inProject('--param', 'limit=ten'), 2, /: --param limit must be a whole number from 1 to 100\.\n$/],
      ['tasks search', ['--param', 'query={}'], 2, /search_unavailable/],
      ['tasks list', inProject('--param', 'limit=31'), 3, /reauthorization_required/],
      ['tasks list', inProject('--param', 'limit=41'), 4, /repeat after 99 s/],
      ['tasks list', inProject('--param', 'limit=51'), 5, /upstream_error/],
      ['workspaces list', ['--credential', 'api_key=canary'], 3, /invalid_credentials/],
    ]
    await Promise.all(
      cases.map(async ([operation, args, code, told]) => {
        const ended = await execute(operation, ...args)
        assert.equal(ended.code, code, `${operation}: ${ended.stderr}`)
        assert.match(ended.stderr, told)
        assert.equal(ended.stdout.length, 0)
        assert.doesNotMatch(ended.stderr, /\n\s+at |canary/)
      }),
    )
    systems.faults.clear()
  })

  it('fails with its code also where nobody reads why', async () => {
    const running = startConex(['catalog', 'nope'])
    running.child.stderr!.destroy()
    assert.equal((await running.ended).code, 2)
  })

  it('ends quietly when its reader has seen enough', async () => {
    const running = startConex([
      'execute',
      'asana',
      'project_tasks',
      'list',
      '--param',
      `project_gid=${at.project_bulk}`,
      '--all',
      ...door,
    ])
    await running.printed(/\n/)
    running.child.stdout!.destroy()
    const { code, stderr } = await running.ended
    assert.deepEqual([code, stderr], [0, ''])
  })
})

describe('conex', () => {
  const commands =
    'serve demo execute search sql connectors sync consent catalog clients organizations keys profile simulators migrate redirect-urls completion'.split(
      ' ',
    )
  after(endAll)

  it('--help names every command, and a command has its own', async () => {
    const [help, serve] = await Promise.all([conex(['--help']), conex(['serve', '--help'])])
    for (const { code } of [help, serve]) assert.equal(code, 0)
    for (const name of commands) assert.match(help.stdout.toString(), new RegExp(`^ +${name}\\b`, 'm'))
    assert.match(serve.stdout.toString(), /CONEX_DATABASE_URL[\s\S]*CONEX_ASANA_BASE_URL/)
  })

  it('an unknown command or option is refused with a hint', async () => {
    const [command, option] = await Promise.all([conex(['serv']), conex(['simulators', '--port', 'x'])])
    for (const { code, stderr } of [command, option]) {
      assert.notEqual(code, 0)
      assert.match(stderr, /error:/)
      assert.doesNotMatch(stderr, /\n\s+at /)
    }
  })

  it('simulators prints one JSON line when it is ready, and stops at SIGTERM', async () => {
    const running = startConex(['simulators', '--port', '0', '--seed', '7', '--scale', '50', '--calls-per-minute', '0'])
    const [line] = await running.printed(/^\{.*\}$/m)
    const { asana } = JSON.parse(line!)
    assert.match(asana.base_url, /^http:\/\/127\.0\.0\.1:\d+\/asana\/api\/1\.0$/)
    const list = ['execute', 'asana', 'workspaces', 'list', '--base-url', asana.base_url, '--allow-private-network']
    await Promise.all(
      asana.credentials.slice(0, 2).map(async (credentials: object) => {
        const fields = Object.entries(credentials).flatMap(([name, value]) => ['--credential', `${name}=${value}`])
        const { code, records, stderr } = await conex([...list, ...fields])
        assert.equal(code, 0, stderr)
        assert.ok(records().length > 0)
      }),
    )
    const faults = await fetch(new URL('/_faults', asana.base_url))
    assert.ok(((await faults.json()) as { effects: unknown[] }).effects.length > 5)
    const { code, stdout } = await running.stop()
    assert.equal(code, 0)
    assert.equal(stdout.toString().trim().split('\n').length, 1)
  })
})
