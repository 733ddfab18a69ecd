/** Everything that stands in a fenced block of a document works as it stands there; only whose ids and addresses they are differs. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { catalog } from '../src/connectors/index.ts'
import { signedHeaders } from '../src/events/signature.ts'
import { conex } from '../src/index.ts'
import { configuredKinds } from '../src/loading/configured.ts'
import { makeKey, parseKeys } from '../src/server/keys.ts'
import { startPostgres } from '../src/store/postgres/server.suite.ts'
import { endAll, main, startConex } from './command.ts'
import { startConsenting } from './consenting.ts'
import { fits } from './documented.ts'
import { isFine } from './hosted.ts'
import { blocksOf, commandsOf, openShell, pages, type Shell } from './snippets.ts'
import { type Synced, startSynced } from './sync/synced.ts'
import { inTerminal } from './terminal.ts'

const root = join(import.meta.dirname, '..')
const read = (page: string): string => readFileSync(join(root, page), 'utf8')

/** Pages whose blocks are run by a test of their own. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/search.md': 'test/search-docs.test.ts',
  'docs/write-a-connector-example.md': 'test/long/docs-example.long.ts',
  'docs/write-a-connector.md': 'test/write-a-connector.test.ts',
  'examples/README.md': 'test/examples.test.ts',
}
/** Pages whose blocks are run here. */
const here = new Set<string>()
/** The blocks of a page in a language; the page has no others than those that are asked for. */
function blocks(page: string, language: string): string[] {
  here.add(`${page} ${language}`)
  const found = blocksOf(page, language)
  assert.ok(found.length > 0, `${page} has no ${language}`)
  return found
}

describe('what the documents show', () => {
  let on: Synced
  let folder: string
  let shell: Shell
  let printed: Readonly<Record<string, string>>
  let environment: Record<string, string>
  let token: string

  before(async () => {
    on = await startSynced('asana', { settings: { rawRequests: true } })
    await on.sync()
    const { hosted, id } = on
    const { origin, madeClient } = hosted.server
    token = (await hosted.server.issueToken()).token
    folder = mkdtempSync(join(tmpdir(), 'conex-snippets-'))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/conex'))
    mkdirSync(join(folder, '.config/fish/completions'), { recursive: true })
    writeFileSync(join(folder, 'asana.json'), JSON.stringify(hosted.credentials('one')))
    writeFileSync(join(folder, 'condition.json'), '{"eq": {"completed": false}}')
    const system = hosted.systems.describe().asana!.base_url
    environment = {
      CONEX_DATABASE_URL: `sqlite:${join(hosted.folder, 'conex.db')}`,
      CONEX_URL: origin,
      CONEX_CLIENT_ID: madeClient!.id,
      CONEX_CLIENT_SECRET: madeClient!.secret,
      CLIENT_ID: madeClient!.id,
      CLIENT_SECRET: madeClient!.secret,
      ASANA_TOKEN: hosted.credentials('one').token!,
      CONNECTOR_ID: id,
      CONEX_TOKEN: token,
    }
    const simulated = `--base-url ${system} --allow-private-network`
    shell = openShell(
      folder,
      {
        // Local calls go to the simulated system.
        conex: `case "$1 $*" in "execute "*asana.json*) set -- "$@" ${simulated} ;; esac\nexec '${process.execPath}' '${main}' "$@"`,
        // Other tests run what npm runs here, and no test runs containers: what is checked is what is typed.
        npm: `case "$*" in ci|start|test) ;; *) exit 1 ;; esac`,
        docker: `case "$1" in
          build|compose) [ "$*" != "compose logs" ] || echo '{"client_id":"a","client_secret":"b"}'; exit ;;
          run) while [ "$1" != conex ]; do shift; done; shift; [ $# = 0 ] || exec conex "$@" ;;
          *) exit 1 ;;
        esac`,
      },
      environment,
    )
    printed = {
      'localhost:8080': new URL(origin).host,
      'https://conex.example.com': origin,
      '1208812345678901': hosted.at.project!,
      '1209876543210987': hosted.at.attachment_text!,
      'attachment_gid=1209 ': `attachment_gid=${hosted.at.attachment_text} `,
      '0198c5d2-8f3a-7c1e-9f6b-2d4a8e5b7c90': id,
    }
  })
  after(async () => {
    endAll()
    await on?.close()
    rmSync(folder, { recursive: true })
  })

  /** With the ids and addresses of what runs here in place of those that are printed. */
  const mine = (text: string): string =>
    Object.entries(printed).reduce((before, [theirs, ours]) => before.replaceAll(theirs, ours), text)

  const commands = (page: string): string[] => blocks(page, 'sh').flatMap(commandsOf).map(mine)

  it('README.md, in a shell', async () => {
    for (const command of commands('README.md')) {
      const said = await shell.run(command)
      if (command.startsWith('curl')) assert.doesNotMatch(said, /urn:conex:error/, said)
    }
  })

  it('README.md, as answers', async () => {
    const [listed, refused] = blocks('README.md', 'json').map((block) => JSON.parse(block))
    const { result, connector_metadata } = isFine(await on.hosted.execute('workspaces', 'list'))
    assert.deepEqual(Object.keys(listed.result[0]).sort(), Object.keys(result[0]).sort())
    assert.deepEqual(listed.connector_metadata, connector_metadata)
    const { body } = await on.hosted.execute('tasks', 'list', { asignee: 'me' })
    const [{ path, message }] = body.errors
    const told = { ...body, errors: [{ path, message }] }
    for (const [field, value] of Object.entries(refused)) assert.deepEqual(told[field], value, field)
  })

  it('docs/sql.md, as a body', async () => {
    for (const block of blocks('docs/sql.md', 'json')) {
      const { entity, action, params } = JSON.parse(block)
      const { result } = isFine(await on.hosted.execute(entity, action, params, { connector: on.id, token }))
      assert.ok(result.data.length > 0)
    }
  })

  it('docs/command-line.md, in a shell', async () => {
    for (const command of commands('docs/command-line.md')) {
      const [line] = command.split(/\s+#/) as [string]
      const args = line.split(' ').slice(1)
      if (/asks for the secret/.test(command)) {
        const typing = [{ after: /Secret of the client .*: /, keys: 'typed-in\r' }]
        assert.equal((await inTerminal(args, { cwd: folder, env: { HOME: folder } }, { typing })).code, 0)
      } else if (args[0] === 'consent') {
        // It waits for a browser; that one comes back is tested elsewhere.
        const running = startConex(args, { env: environment })
        await running.printed(/https?:\/\/\S+/)
        await running.stop()
      } else if (args.includes('--follow')) {
        // It goes on until it is ended.
        const running = startConex(args, { env: environment })
        let isTold = false
        const told = running.printed(/connector\.updated/).then(() => (isTold = true))
        for (let round = 1; !isTold; round++) {
          await on.call('PATCH', { name: `Round ${round}` })
          await Promise.race([told, setTimeout(200)])
        }
        await running.stop()
      } else if (/completion/.test(line)) {
        // What zsh brings for it.
        await shell.run(`compdef() { :; }; funcstack=(none); ${line}`)
      } else await shell.run(command)
    }
    assert.equal((await on.call('GET')).status, 404)
  })

  it('docs/consent.md, in a shell and as a body', async () => {
    const [command] = commands('docs/consent.md')
    assert.match(JSON.parse(await shell.run(command!)).consent_url, /^http/)
    const connector = await on.hosted.connect(on.hosted.credentials('one'), on.hosted.ann)
    for (const block of blocks('docs/consent.md', 'json')) {
      const body = JSON.parse(block.replace('"…"', JSON.stringify(connector)))
      isFine(await on.hosted.call('POST', '/v1/integrations/connectors/oauth/initiate', { token, body }))
    }
  })

  it('docs/agents.md, in a shell and as the settings of a program', async () => {
    for (const command of commands('docs/agents.md')) assert.match(await shell.run(command), /"result":.*asana/)
    const [{ mcpServers }] = blocks('docs/agents.md', 'json').map((block) => JSON.parse(block))
    const { command, args, env } = mcpServers.conex
    assert.deepEqual([command, ...args.slice(0, 4)], ['npx', '-y', '-p', 'conex-server', 'conex'])
    for (const name of Object.keys(env)) assert.ok(Object.hasOwn(environment, name), name)
    // It ends when nothing more is said to it.
    await shell.run(`conex ${args.slice(4).join(' ')}`)
    // By its id, since other pages have made more connectors of the kind.
    const connector = await on.hosted.connect(on.hosted.credentials('one'), on.hosted.ann)
    const call = { name: 'execute', arguments: { connector, entity: 'task', action: 'list' } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
    const headers = { accept: 'application/json, text/event-stream' }
    const { text } = await on.hosted.call('POST', '/mcp', { token, body, headers })
    for (const block of blocks('docs/agents.md', 'text'))
      assert.ok(text.includes(JSON.stringify(block.trimEnd().replace('"asana"', `"${connector}"`)).slice(1, -1)), text)
  })

  it('docs/containers.md, in a shell, with Docker played by a script', async () => {
    for (const command of commands('docs/containers.md')) await shell.run(command)
    const settings = Object.fromEntries(
      readFileSync(join(folder, '.env'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)]),
    )
    assert.match(settings.POSTGRES_PASSWORD!, /^[0-9a-f]{48}$/)
    for (const name of ['CONEX_ENCRYPTION_KEYS', 'CONEX_TOKEN_KEYS']) assert.equal(parseKeys(settings[name]!).length, 1)
  })

  it('docs/scale.md, in a shell', async (t) => {
    const postgres = await startPostgres()
    t.after(() => postgres.stop())
    const url = await postgres.freshDatabase()
    const [block] = blocks('docs/scale.md', 'sh')
    const text = block!.replace(/'postgres:[^']*'/, `'${url}'`).replace(/KEYS='…'/g, () => `KEYS='${makeKey()}'`)
    const exports = commandsOf(text)
    assert.equal(exports.pop(), 'conex serve')
    const env = Object.fromEntries(
      exports
        .flatMap((line) => [...line.matchAll(/(\w+)=(?:'([^']*)'|(\S+))/g)])
        .map(([, name, quoted, bare]) => [name!, (quoted ?? bare)!]),
    )
    const running = startConex(['serve'], { cwd: folder, env: { ...env, CONEX_PORT: '0' } })
    await running.printed(/"listening"/)
    await running.stop()
  })

  for (const kind of Object.keys(catalog))
    it(`docs/connectors/${kind}.md, as requests`, () => {
      for (const block of blocks(`docs/connectors/${kind}.md`, 'json')) {
        const request = JSON.parse(block)
        fits(`/components/schemas/${kind}.${request.entity}.${request.action}`, request)
      }
    })

  /** Runs TypeScript as a program of somebody who has installed the package; gives the last line that it prints. */
  async function run(name: string, text: string): Promise<string> {
    writeFileSync(join(folder, `${name}.ts`), text)
    const printed = await shell.run(`node --conditions=conex-source ${name}.ts`)
    return printed.trim().split('\n').at(-1)!
  }

  it('docs/events.md, as an event and as programs', async () => {
    const { origin, madeClient } = on.hosted.server
    const [shown] = blocks('docs/events.md', 'json').map((block) => JSON.parse(block))
    const path = '/v1/integrations/events?type=connector.deleted&limit=1'
    const { events } = isFine(await on.hosted.call('GET', path, { token }))
    assert.deepEqual(Object.keys(shown), Object.keys(events[0]))
    assert.deepEqual(Object.keys(shown.data), Object.keys(events[0].data))

    symlinkSync(join(root, 'node_modules/standardwebhooks'), join(folder, 'node_modules/standardwebhooks'))
    const client = { baseUrl: origin, clientId: madeClient!.id, clientSecret: madeClient!.secret }
    const known = Object.entries(client).map(([name, value]) => `const ${name} = ${JSON.stringify(value)}`)
    const [reading, creating] = blocks('docs/events.md', 'ts')
    const [verifying] = blocks('docs/events.md', 'js')
    const read = [
      ...known,
      'const lastCursor = undefined, askForConsent = () => {}',
      'const keep = (cursor: string) => { console.log(typeof cursor); process.exit() }',
      reading,
    ]
    assert.equal(await run('reading-events', read.join('\n')), 'string')
    const created = [
      ...known,
      "import { conex } from 'conex'",
      'const service = conex({ baseUrl, clientId, clientSecret })',
      creating,
      'console.log(secret)',
    ]
    const secret = await run('creating-a-webhook', created.join('\n'))
    const body = JSON.stringify(events[0])
    const headers = signedHeaders(events[0].id, body, { secret }, Date.now())
    const message = Object.entries({ secret, body, headers })
    const verified = [
      ...message.map(([name, value]) => `const ${name} = ${JSON.stringify(value)}`),
      verifying,
      'console.log(event.id)',
    ]
    assert.equal(await run('verifying-an-event', verified.join('\n')), events[0].id)
  })

  it('README.md and docs/client.md, as programs', async () => {
    const { hosted } = on
    // One has the connector of the pages' programs, another that of the page in a browser.
    const id = await hosted.connect(hosted.credentials('one'), (await hosted.server.issueToken('eve')).token)
    const scoped = (await hosted.server.issueToken('mia')).token
    await hosted.connect(hosted.credentials('one'), scoped)
    const { origin, madeClient } = hosted.server
    const { sync } = conex({ baseUrl: origin, token })
    await sync.start(id)
    await sync.wait(id)
    const local = { baseUrl: hosted.systems.describe().asana!.base_url, allowPrivateNetwork: true }
    const known: Readonly<Record<string, unknown>> = {
      baseUrl: origin,
      clientId: madeClient!.id,
      clientSecret: madeClient!.secret,
      token: hosted.credentials('one').token,
      project: hosted.at.project,
      task_gid: hosted.at.task_with_attachments,
      attachment_gid: hosted.at.attachment_text,
      redirect_url: 'https://app.example/connected',
    }
    const values = {
      ...known,
      secretId: await (await startConsenting(hosted)).secretId({ connector_type: 'asana', external_user_id: 'eve' }),
    }
    const texts = [...blocks('README.md', 'ts'), ...blocks('docs/client.md', 'ts')]
    for (const [at, block] of texts.entries()) {
      const text = mine(block)
        .replace("'https://conex.example'", 'baseUrl')
        .replaceAll(/(?<=connect\('asana', \{ )(?=credentials)/g, () => `...${JSON.stringify(local)}, `)
        .replaceAll("'ada'", "'eve'")
        .replace('process.env.ASANA_TOKEN!', JSON.stringify(known.token))
      const declared = new Set([...text.matchAll(/const (\w+)/g)].map(([, name]) => name!))
      // What the page has from its earlier blocks, or leaves to the reader.
      const before = [
        ...Object.entries(values).map(([name, value]) => `const ${name} = ${JSON.stringify(value)}`),
        'const keep = () => {}, show = (..._: unknown[]) => {}',
        // A page lies on the program's own server, which gives it a token of its user.
        `const ask = globalThis.fetch
globalThis.fetch = (url, ...rest) => url === '/conex-token' ? Promise.resolve(new Response('${scoped}')) : ask(url, ...rest)`,
        ...(declared.has('asana')
          ? []
          : [
              "import { connect as connectBefore } from 'conex'",
              `const asana = connectBefore('asana', { baseUrl, clientId, clientSecret, scope: 'raw_requests', connectorId: ${JSON.stringify(id)} })`,
            ]),
        ...(declared.has('service')
          ? []
          : [
              "import { conex as conexBefore } from 'conex'",
              'const service = conexBefore({ baseUrl, clientId, clientSecret })',
            ]),
        ...(/import .*\bconnect\b/.test(text) ? [] : ["import { connect } from 'conex'"]),
      ]
      const after = declared.has('made') ? 'console.log(made.length)' : 'console.log((await asana.check()).status)'
      const told = await run(`program-${at}`, [...before, text, after].join('\n'))
      assert.equal(told, declared.has('made') ? '6' : 'healthy', block)
    }
  })

  it('docs/connector-reference.md, as parts of a connector', async () => {
    const [config, list, sync] = blocks('docs/connector-reference.md', 'ts') as [string, string, string]
    writeFileSync(join(folder, 'conex.config.ts'), config)
    assert.deepEqual(await configuredKinds({}, folder), ['./connectors/tracker', '@acme/conex-notion'])
    rmSync(join(folder, 'conex.config.ts'))
    const kit = JSON.stringify(pathToFileURL(join(root, 'src/kit/connector.ts')).href)
    const told = await run(
      'parts',
      `import { cursorPaging, date, id, identifiedBy, list, nullable, optional, text } from ${kit}
const gid = (description: string) => id(description)
const pages = cursorPaging({ param: 'offset', next: ['next_page', 'offset'] })
const listProjects = ${list}
const stream = { ${sync} }
console.log(listProjects.path, stream.sync.listings.length, typeof stream.sync.identity)`,
    )
    assert.equal(told, '/projects/{project_gid}/tasks 1 function')
  })

  it('leaves out no block of any page', () => {
    const languages = (page: string): Set<string> =>
      new Set([...read(page).matchAll(/^ *```(\w+)/gm)].map(([, language]) => language!))
    const left = pages
      .filter((page) => elsewhere[page] === undefined)
      .flatMap((page) => [...languages(page)].map((language) => `${page} ${language}`))
      .filter((one) => !here.has(one))
    assert.deepEqual(left, [], 'a block that no test runs')
    for (const [page, test] of Object.entries(elsewhere)) assert.ok(read(test).includes(page.split('/').at(-1)!), test)
    // A block without a language would be passed over.
    for (const page of pages) assert.equal(read(page).match(/^ *```/gm)?.length ?? 0, 2 * blocksOf(page).length, page)
  })
})
