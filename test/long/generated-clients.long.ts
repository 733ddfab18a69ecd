/**
 * Part of `npm run test:long`: clients that others' programs make of the OpenAPI document, and requests that they make up. It needs
 * python3 and the package registries of npm and Python; the versions are pinned, so that it says the same tomorrow.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { document } from '../documented.ts'
import { type Hosted, startHosted } from '../hosted.ts'

const python = ['openapi-python-client==0.29.1', 'schemathesis==4.32.5']
const npm = ['openapi-typescript@7.13.0', '@hey-api/openapi-ts@0.95.0', 'typescript@5.9.3']

describe('what others make of the OpenAPI document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conex-clients-'))
  const bin = join(folder, 'venv', 'bin')
  let hosted: Hosted
  let bearer: string

  /** Runs a program to its end and gives all that it printed; a failure shows that. */
  async function run(command: string, args: readonly string[], cwd = folder): Promise<string> {
    const program = spawn(command, args, {
      cwd,
      env: { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (part) => (printed += String(part)))
    const [code] = await once(program, 'close')
    assert.equal(code, 0, `${command} ${args.join(' ')}\n${printed}`)
    return printed
  }

  before(async () => {
    hosted = await startHosted({ settings: { rateLimitPerMinute: 1_000_000 } })
    bearer = (await hosted.server.issueToken()).token
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    await run('python3', ['-m', 'venv', 'venv'])
    await run('pip', ['install', '--quiet', '--disable-pip-version-check', ...python])
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', ...npm])
  })
  after(async () => {
    await hosted.close()
    rmSync(folder, { recursive: true })
  })

  const programIn = (name: string): string => join(folder, 'node_modules', '.bin', name)

  it('types of openapi-typescript and a client of @hey-api/openapi-ts compile, and nobody is warned', async () => {
    const told = await run(programIn('openapi-typescript'), ['openapi.json', '-o', 'types.ts'])
    assert.doesNotMatch(told, /⚠|warn|error/i)
    assert.doesNotMatch(await run(programIn('openapi-ts'), ['-i', 'openapi.json', '-o', 'hey']), /⚠|warn|error/i)
    const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable']
    await run(programIn('tsc'), [
      ...strict,
      ...['--module', 'esnext', '--moduleResolution', 'bundler', 'types.ts', 'hey/index.ts'],
    ])
  })

  it('the client of openapi-python-client imports whole, creates a connector and executes a list', async () => {
    const told = await run('openapi-python-client', ['generate', '--path', 'openapi.json', '--output-path', 'client'])
    assert.doesNotMatch(told, /warning|unable|cannot/i)
    const program = `
import importlib, pkgutil, sys
sys.path.insert(0, 'client')
import conex_client
for module in pkgutil.walk_packages(conex_client.__path__, 'conex_client.'):
    importlib.import_module(module.name)
from conex_client import AuthenticatedClient
from conex_client.api.connectors import post_connectors
from conex_client.api.execute import post_connectors_sources_connector_id_execute as execute
from conex_client.models import AsanaToken, AsanaWorkspacesList, PostConnectorsBody
address, bearer, token = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=bearer)
body = PostConnectorsBody(name='Work', external_user_id='py', connector_type='asana', credentials=AsanaToken(token=token))
made = post_connectors.sync(client=client, body=body, check=True)
listed = execute.sync(made.id, client=client, body=AsanaWorkspacesList(entity='workspaces', action='list'))
print(made.status, made.connector_type, len(listed.result), listed.result[0]['name'])
`
    const token = hosted.credentials('one').token!
    const printed = await run('python', ['-c', program, hosted.server.origin, bearer, token])
    assert.match(printed, /^ConnectorStatus\.ACTIVE asana 1 \S|^active asana 1 \S/)
  })

  it('requests that schemathesis makes up are answered as documented', async () => {
    mkdirSync(join(folder, 'schemathesis'))
    writeFileSync(
      join(folder, 'schemathesis', 'schemathesis.toml'),
      `[parameters]
"path.connector_id" = "${hosted.connector}"
# Readers of events may wait for a minute, each time.
"query.wait" = 0
[checks.negative_data_rejection]
# What does not fit may also be too large.
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429]
`,
    )
    await run(
      'st',
      [
        'run',
        `${hosted.server.origin}/openapi.json`,
        ...['-H', `Authorization: Bearer ${bearer}`, '--phases', 'fuzzing', '--max-examples', '25', '--seed', '1'],
        // A form cannot tell which kinds a connector has, or that two names agree; and what is deleted is gone.
        ...['--exclude-checks', 'positive_data_acceptance', '--exclude-method', 'DELETE'],
        ...['--exclude-path', '/metrics'],
      ],
      join(folder, 'schemathesis'),
    )
  })
})
