/** Secrets as people paste them: every entry point takes the same ones, trims the same, and shows none. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { ConexError, conex, connect } from '../src/index.ts'
import { conexProcess } from './command.ts'
import { conex as run } from './conex.ts'
import { type Hosted, startHosted } from './hosted.ts'

let hosted: Hosted
let access: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string }
let folder: string
before(async () => {
  hosted = await startHosted()
  const { id, secret } = hosted.server.madeClient!
  access = { baseUrl: hosted.server.origin, clientId: id, clientSecret: secret }
  folder = mkdtempSync(join(tmpdir(), 'conex-pasted-'))
})
after(async () => {
  rmSync(folder, { recursive: true })
  await hosted.close()
})

const local = (token: string) => {
  const { base_url: baseUrl } = hosted.systems.describe().asana!
  return connect('asana', { credentials: { token }, baseUrl, allowPrivateNetwork: true })
}

/** The error, all that can be printed of which is free of the secret. */
async function withoutSecret(work: () => unknown, secret = 'SECRET'): Promise<ConexError> {
  try {
    await work()
  } catch (error) {
    assert.ok(error instanceof ConexError, inspect(error))
    const seen = [
      inspect(error, { depth: null, showHidden: true }),
      error.stack,
      JSON.stringify(error),
      String(error.cause),
    ]
    assert.ok(!seen.join().includes(secret), seen.join())
    return error
  }
  throw new assert.AssertionError({ message: 'nothing was refused' })
}

describe('credentials with white space around them', () => {
  it('work at every door', async () => {
    const { token } = hosted.credentials('one') as { token: string }
    const pasted = ` ${token}\r\n`
    const connector = await hosted.connect({ token: pasted })
    assert.equal((await hosted.execute('workspaces', 'list', {}, { connector })).status, 200)
    const { status } = await hosted.call('PATCH', `/v1/integrations/connectors/${connector}`, {
      token: hosted.ann,
      body: { credentials: { token: `${token}\n` } },
    })
    assert.equal(status, 200)
    assert.equal((await hosted.execute('workspaces', 'list', {}, { connector })).status, 200)
    const asana = local(pasted)
    assert.ok((await asana.workspaces.list()).result.length > 0)
    await asana.close()
    const client = conex({ ...access, clientSecret: `${access.clientSecret}\n` })
    assert.ok(Array.isArray((await client.connectors.list()).connectors))
    const { token: scoped } = await client.tokens.scoped('ann')
    assert.ok(
      (await connect('asana', { baseUrl: access.baseUrl, token: `${scoped}\n`, connectorId: connector }).check())
        .status === 'healthy',
    )
  })
})

describe('credentials that no call can use', () => {
  for (const pasted of ['Bearer SECRET', '<paste SECRET here>', 'SEC RET', 'SECRET\nSECRET', '"SECRET"'])
    it(`are refused everywhere before anything is sent or stored: ${JSON.stringify(pasted)}`, async () => {
      const before = await conex(access).connectors.list({ external_user_id: 'ann' })
      const { status, body, text } = await hosted.call('POST', '/v1/integrations/connectors', {
        token: hosted.ann,
        body: {
          external_user_id: 'ann',
          connector_type: 'asana',
          name: pasted.slice(0, 3),
          credentials: { token: pasted },
        },
      })
      assert.deepEqual([status, body.code, body.errors[0].path], [422, 'invalid_credentials', '/credentials/token'])
      assert.ok(!text.includes('SEC'))
      const change = await hosted.call('PATCH', `/v1/integrations/connectors/${hosted.connector}`, {
        token: hosted.ann,
        body: { credentials: { token: pasted } },
      })
      assert.equal(change.body.code, 'invalid_credentials')
      assert.deepEqual(await conex(access).connectors.list({ external_user_id: 'ann' }), before)
      hosted.calm()
      const { code, issues } = await withoutSecret(() => local(pasted).workspaces.list(), 'SEC')
      assert.deepEqual([code, issues![0]!.path], ['invalid_credentials', '/credentials/token'])
      assert.deepEqual(hosted.received(), [])

      const file = join(folder, 'asana.json')
      writeFileSync(file, JSON.stringify({ token: pasted }))
      const env = {
        CONEX_URL: access.baseUrl,
        CONEX_CLIENT_ID: access.clientId,
        CONEX_CLIENT_SECRET: access.clientSecret,
      }
      for (const command of [
        ['connectors', 'create', 'asana', '--user', 'ann', '--name', 'x', '--credentials', file],
        ['execute', 'asana', 'workspaces', 'list', '--credentials', file],
      ]) {
        const { code: exit, stderr } = await run(command, { env })
        assert.equal(exit, 3, stderr)
        assert.match(stderr, /invalid_credentials/)
        assert.ok(!stderr.includes('SEC'), stderr)
      }
    })

  it('are refused as the secret of a client or as a token', async () => {
    const { baseUrl, clientId } = access
    for (const pasted of ['SECRET\nSECRET', 'Bearer SECRET', '<SECRET>', 'SECRET\u0000', 'SECRET é']) {
      await withoutSecret(() => conex({ baseUrl, clientId, clientSecret: pasted }))
      await withoutSecret(() => connect('asana', { baseUrl, token: pasted }))
      await withoutSecret(() => connect('asana', { baseUrl, token: async () => pasted }).check())
      const { code, stderr } = await run(['connectors', 'list'], {
        env: { CONEX_URL: baseUrl, CONEX_CLIENT_ID: clientId, CONEX_CLIENT_SECRET: pasted.replaceAll('\0', '\n1') },
      })
      assert.equal(code, 2, stderr)
      assert.ok(!stderr.includes('SECRET') || /CONEX_CLIENT_SECRET/.test(stderr))
      assert.ok(!stderr.replaceAll('CONEX_CLIENT_SECRET', '').includes('SECRET'), stderr)
    }
  })
})

describe('an address that could carry a secret', () => {
  const addresses = [
    'http://user:SECRET@127.0.0.1:1',
    'http://SECRET@127.0.0.1:1',
    'http://127.0.0.1:1/?key=SECRET',
    'http://127.0.0.1:1/#SECRET',
    'SECRET',
    'ftp://SECRET.example',
  ]

  it('is refused at once by the library, in both modes', async () => {
    for (const baseUrl of addresses) {
      const { message } = await withoutSecret(() => conex({ ...access, baseUrl }))
      assert.match(message, /^baseUrl must be an/)
      await withoutSecret(() => connect('asana', { baseUrl, token: 'a' }))
      await withoutSecret(() => connect('asana', { baseUrl, credentials: { token: 'a' } }))
    }
  })

  it('is refused by the command line, and written into no profile', async () => {
    const env = { XDG_CONFIG_HOME: folder }
    for (const url of addresses) {
      for (const command of [
        ['profile', 'set', '--url', url, '--client-id', 'a', '--client-secret', 'b'],
        ['connectors', 'list', '--url', url, '--client-id', 'a', '--client-secret', 'b'],
        ['execute', 'asana', 'workspaces', 'list', '--credential', 'token=a', '--base-url', url],
      ]) {
        const { code, stderr } = await run(command, { env })
        assert.equal(code, 2, stderr)
        assert.ok(!stderr.includes('SECRET'), stderr)
      }
      assert.match((await run(['profile', 'show'], { env })).stderr, /There is no profile/)
    }
  })
})

describe('what can be printed of a client', () => {
  it('shows no secret: objects, errors of a service that is not there, and answers that are no JSON', async (t) => {
    const clientSecret = 'SECRET-of-a-client'
    const server = createServer((_, response) => response.end('{"access_token":SECRET-of-a-token'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    for (const baseUrl of ['http://127.0.0.1:1', `http://127.0.0.1:${port}`]) {
      const client = conex({ baseUrl, clientId: 'a', clientSecret })
      const asana = connect('asana', { baseUrl, clientId: 'a', clientSecret, connectorId: 'b' })
      const here = local('SECRET-of-a-person')
      for (const object of [client, asana, client.connectors, asana.tasks, here, here.tasks])
        assert.ok(
          !`${inspect(object, { depth: null, showHidden: true, showProxy: true })}${JSON.stringify(object)}`.includes(
            'SECRET',
          ),
        )
      await withoutSecret(() => client.connectors.list())
      await withoutSecret(() => asana.check())
      await here.close()
    }
  })
})

describe('a database file that cannot be read', () => {
  it('is told without what is in it', async () => {
    const file = join(folder, 'conex.db')
    const env = { CONEX_DATABASE_URL: `sqlite:${file}`, CONEX_PORT: '0' }
    assert.equal((await run(['organizations', 'create', 'One'], { env })).code, 0)
    const { default: Database } = await import('better-sqlite3')
    const database = new Database(file)
    database.unsafeMode(true)
    database.pragma('writable_schema = on')
    database.exec("update sqlite_schema set sql = 'create \u0001SECRET \u00ff', name = 'SECRET' where name = 'clients'")
    database.close()
    for (const command of [['clients', 'list'], ['serve']]) {
      const { code, stderr, stdout } = await conexProcess(command, { env })
      assert.equal(code, 1, stderr)
      assert.match(stderr, /The database cannot be opened: malformed database schema\. Look/)
      assert.ok(!(stderr + stdout).includes('SECRET'), stderr)
    }
  })
})
