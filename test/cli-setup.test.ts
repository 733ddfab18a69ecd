/** The profile, completion, and how commands explain themselves. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { exitCodes } from '../src/cli/exit-code.ts'
import { catalog } from '../src/connectors/index.ts'
import { conexProcess, main } from './command.ts'
import { conex } from './conex.ts'
import { inTerminal } from './terminal.ts'

describe('conex profile', () => {
  let home: string
  let file: string
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'conex-home-'))
    file = join(home, '.config', 'conex', 'profile.json')
  })
  afterEach(() => rmSync(join(home, '.config'), { recursive: true, force: true }))
  after(() => rmSync(home, { recursive: true }))

  const run = (args: string[], env: Record<string, string> = {}, input?: string) =>
    conex(['profile', ...args], {
      env: { XDG_CONFIG_HOME: join(home, '.config'), ...env },
      ...(input !== undefined && { input }),
    })
  const set = ['set', '--url', 'https://conex.example/', '--client-id', 'reporting']

  it('is written for its owner alone, with a secret from standard input, a file or the environment', async () => {
    const secret = join(home, 'secret')
    writeFileSync(secret, 'from-a-file\n')
    for (const [args, env, input, wanted] of [
      [['--client-secret', '-'], {}, 'from-input\n', 'from-input'],
      [['--client-secret', `@${secret}`], {}, undefined, 'from-a-file'],
      [[], { CONEX_CLIENT_SECRET: 'from-env' }, undefined, 'from-env'],
    ] as const) {
      const { code, stdout, stderr } = await run([...set, ...args], env, input)
      assert.equal(code, 0, stderr)
      assert.ok(!`${stdout}${stderr}`.includes(wanted))
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
        url: 'https://conex.example',
        client_id: 'reporting',
        client_secret: wanted,
      })
      assert.equal(statSync(file).mode & 0o777, 0o600)
    }
  })

  it('asks for the secret at a terminal and does not show it', async () => {
    const { text, code } = await inTerminal(
      ['profile', ...set],
      { env: { HOME: home } },
      { typing: [{ after: /Secret of the client reporting: /, keys: 'typed-in-secret\r' }] },
    )
    assert.equal(code, 0, text)
    assert.doesNotMatch(text, /typed-in/)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).client_secret, 'typed-in-secret')
  })

  it('is written anew over one that cannot be used, and asks again for a secret that was changed', async () => {
    await run([...set, '--client-secret', 'old'])
    chmodSync(file, 0o644)
    const again = await run(set)
    assert.equal(again.code, 2)
    assert.match(again.stderr, /secret.*missing/)
    assert.equal((await run([...set, '--client-secret', 'new'])).code, 0)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).client_secret, 'new')
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  it('Ctrl-C at the question ends the command and leaves the terminal as it was', async () => {
    const typing = [{ after: /Secret of the client reporting: /, keys: '\u0003' }]
    const { text, code } = await inTerminal(
      ['profile', ...set],
      { env: { HOME: home } },
      { typing, afterwards: 'stty -a' },
    )
    assert.equal(code, 130, text)
    assert.match(text, / icanon.* echo /s)
    assert.doesNotMatch(text, /error|\n\s+at /)
  })

  it('is shown without its secret, and removed', async () => {
    await run([...set, '--client-secret', 'canary'])
    const shown = await run(['show'])
    assert.deepEqual(shown.records(), [{ file, url: 'https://conex.example', client_id: 'reporting' }])
    assert.equal((await run(['remove'])).code, 0)
    assert.match((await run(['show'])).stderr, /There is no profile/)
    assert.match((await run(['remove'])).stderr, /There was no profile/)
  })

  it('stands in the home of the user, or where XDG_CONFIG_HOME says', async () => {
    const folder = join(home, 'elsewhere')
    await run([...set, '--client-secret', 'x'], { XDG_CONFIG_HOME: folder })
    assert.equal(statSync(join(folder, 'conex', 'profile.json')).mode & 0o777, 0o600)
    const args = ['profile', ...set, '--client-secret', '-']
    assert.equal((await conexProcess(args, { env: { HOME: home }, input: 'from-a-pipe\n' })).code, 0)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).client_secret, 'from-a-pipe')
  })

  it('is refused when others can read it, and when it is no profile', async () => {
    await run([...set, '--client-secret', 'canary'])
    chmodSync(file, 0o640)
    const open = await run(['show'])
    assert.equal(open.code, 2)
    assert.match(open.stderr, /other users can read it; run "chmod 600 /)
    for (const content of [
      '{"url": "https://conex.example"}',
      'canary',
      '[]',
      '{"url":1,"client_id":"a","client_secret":"b"}',
    ]) {
      writeFileSync(file, content)
      chmodSync(file, 0o600)
      const { code, stderr } = await run(['show'])
      assert.equal(code, 2)
      assert.match(stderr, /cannot be used.*profile set/)
      assert.doesNotMatch(stderr, /canary/)
    }
  })

  it('says what is missing, and takes no address that is none', async () => {
    for (const [args, told] of [
      [[], /address of the service.*--url/],
      [['--url', 'https://conex.example'], /Name the client.*--client-id/],
      [['--url', 'https://conex.example', '--client-id', 'a'], /secret.*missing.*--client-secret -/],
      [['--url', 'conex.example', '--client-id', 'a', '--client-secret', 'b'], /must be an http or https address/],
      [['--url', 'https://a:b@conex.example', '--client-id', 'a', '--client-secret', 'b'], /without user/],
      [['--url', 'https://conex.example', '--client-id', 'a', '--client-secret', '@/none'], /cannot be read/],
    ] as const) {
      const { code, stderr } = await run(['set', ...args])
      assert.equal(code, 2, stderr)
      assert.match(stderr, told)
    }
  })
})

describe('completion', () => {
  const proposals = async (...words: string[]) => {
    const { stdout, code } = await conex(['complete', '--', ...words])
    assert.equal(code, 0)
    return stdout
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0])
  }

  it('proposes commands, kinds, entities, actions, params, credentials and options', async () => {
    assert.deepEqual(await proposals('exec'), ['execute'])
    assert.ok(!(await proposals('')).includes('complete'))
    assert.deepEqual(await proposals('execute', ''), Object.keys(catalog))
    assert.deepEqual(await proposals('catalog', 'asa'), ['asana'])
    assert.deepEqual(await proposals('execute', 'asana', 'task_p'), ['task_projects'])
    assert.deepEqual(await proposals('execute', 'asana', 'tasks', ''), ['list', 'get', 'search'])
    assert.deepEqual(await proposals('execute', 'asana', 'tasks', 'get', '--param', ''), ['task_gid='])
    assert.deepEqual(await proposals('execute', 'asana', 'tasks', 'list', '--all', '--param', 'wo'), ['workspace='])
    assert.deepEqual(await proposals('execute', 'gong', '--credential', 'access_key_'), ['access_key_secret='])
    assert.deepEqual(await proposals('execute', 'asana', '--para'), ['--param', '--params'])
    assert.deepEqual(await proposals('clients', 'ro'), ['rotate'])
    assert.deepEqual(await proposals('completion', ''), ['bash', 'zsh', 'fish'])
    assert.deepEqual(await proposals('execute', 'nothing', ''), [])
  })

  it('works in bash', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'conex-bash-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'conex'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 })
    const complete = (...words: string[]) => {
      const script = `eval "$(conex completion bash)"
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
compopt() { echo "compopt $*"; }
_conex; printf '%s\\n' "\${COMPREPLY[@]}"`
      const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder }
      return execFileSync('bash', ['--norc', '-c', script], { env }).toString().trim().split('\n')
    }
    assert.deepEqual(complete('conex', 'catalog', 'go'), ['gong'])
    assert.deepEqual(complete('conex', 'sql', 'go'), ['gong'])
    assert.deepEqual(complete('conex', 'execute', 'asana', 'tasks', 'list', '--param', 'proj'), [
      'compopt -o nospace',
      'project=',
    ])
    // Bash breaks words at the sign; what stands behind it is not ours to propose.
    assert.deepEqual(complete('conex', 'execute', 'asana', 'tasks', 'list', '--param', 'project', '=', '12'), [''])
  })

  it('has a script for each shell that asks the program', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout } = await conex(['completion', shell])
      assert.match(stdout.toString(), /conex complete -- /)
    }
    const { code, stderr } = await conex(['completion', 'tcsh'])
    assert.equal(code, 2)
    assert.match(stderr, /Allowed choices are bash, zsh, fish/)
  })
})

describe('help', () => {
  const page = readFileSync(new URL('../docs/command-line.md', import.meta.url), 'utf8')

  it('says of every exit code what the documents say', () => {
    const table = [...page.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code, meaning]) => [code, meaning])
    assert.deepEqual(table, Object.entries(exitCodes))
  })

  it('knows every command and option that the documents use', async () => {
    const lines = [...page.matchAll(/^(?:eval "\$\()?conex (.*?)(?:\)"|\s+#.*| > .*)?$/gm)].map(([, words]) => words!)
    assert.ok(lines.length > 15)
    for (const line of lines) {
      const [command, ...words] = line.split(/\s+/)
      const inner = /^(connectors|sync|consent|profile|webhooks|agents)$/.test(command!) ? [words[0]!] : []
      const { stdout, code } = await conex([command!, ...inner, '--help'])
      assert.equal(code, 0, line)
      for (const option of words.filter((word) => word.startsWith('--')))
        assert.match(stdout.toString(), new RegExp(`^ +${option}\\b`, 'm'), line)
    }
  })

  it('shows every command in its group, the exit codes, and examples', async () => {
    const { stdout } = await conex(['--help'])
    for (const part of [
      /^Read:\n +execute/m,
      /^Run a service:\n +serve/m,
      /^Examples:/m,
      /^ +4 +too many requests/m,
      /^ +130 /m,
    ])
      assert.match(stdout.toString(), part)
  })

  const commands =
    'serve execute search sql connectors sync consent events webhooks agents catalog clients organizations keys redirect-urls simulators profile completion'.split(
      ' ',
    )

  it('every command that takes options says what they do and how it is used', async () => {
    for (const command of commands) {
      const { stdout, code } = await conex([command, '--help'])
      assert.equal(code, 0)
      assert.match(stdout.toString(), /^Examples:\n.*\bconex /m, command)
      assert.doesNotMatch(stdout.toString(), /default: \[\]|undefined/)
    }
  })

  it('a misspelt word gets the nearest one, and exit code 2', async () => {
    for (const [args, told] of [
      [['execut'], /Did you mean execute\?/],
      [['execute', 'asana', 'tasks', 'list', '--parm', 'a=b'], /Did you mean --param/],
      [['execute', 'asanna', 'tasks', 'list'], /did you mean "asana"\?/],
      [['execute', 'asana', 'taks', 'list'], /did you mean "tasks"\?/],
      [['catalog', 'asana', 'taks'], /did you mean "tasks"\?/],
      [['clients', 'lst'], /Did you mean list\?/],
      [['execute', 'asana'], /missing required argument 'entity'/],
      [['execute', 'asana', 'tasks', 'list', '--timeout', '0'], /number of seconds/],
    ] as const) {
      const { code, stderr } = await conex(args)
      assert.equal(code, 2, `${args}: ${stderr}`)
      assert.match(stderr, told)
    }
  })
})
