import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import type { AuthMethod } from '../src/catalog/authorization.ts'
import { catalog } from '../src/connectors/index.ts'
import type { Effect } from '../src/simulator/fault-effects.ts'
import { callbackPath, consentKinds, startConsenting } from './consenting.ts'
import { type Answer, connectors, type Hosted, keptIn, startHosted } from './hosted.ts'

/** Text with letters that each way of writing spells differently. */
const marked = (name: string): string => `canary+${name}/of=mine&91827364%5`

const canaries = {
  token: marked('personal'),
  refresh_token: marked('refresh'),
  access_token: marked('access'),
  client_id: marked('application'),
  client_secret: marked('secret'),
}

const application = { clientId: marked('platform-id'), clientSecret: marked('platform-secret') }

/** The ways in which a secret may be written. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // Base64 of the same text differs with what stands before it.
  const shifted = [0, 1, 2].map((by) =>
    Buffer.concat([Buffer.alloc(by), bytes])
      .toString('base64')
      .slice(4, -4),
  )
  return [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).replace(/%../g, (written) => written.toLowerCase()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('base64url').slice(0, -3),
    ...shifted,
  ]
}

describe('secrets', () => {
  let hosted: Hosted
  const answers: Answer[] = []
  const clientSecret = marked('first-client-1234567890')

  before(async () => {
    hosted = await startHosted({
      settings: {
        logLevel: 'debug',
        upstreamTimeoutSeconds: 0.5,
        clientId: 'first',
        clientSecret,
        applications: { asana: application },
      },
    })
  })
  after(() => hosted.close())

  const keep = async (answer: Promise<Answer>): Promise<Answer> => {
    answers.push(await answer)
    return answers.at(-1)!
  }

  const echo = (secret: string): string =>
    [
      secret,
      `Bearer ${secret}`,
      encodeURIComponent(secret),
      encodeURIComponent(secret).replace(/%../g, (written) => written.toLowerCase()),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ].join(' and ')

  const echoes = (secret: string): Effect[] => [
    ...[200, 400, 403, 500].map(
      (status): Effect => ({ type: 'body', status, body: { errors: [{ message: echo(secret), phrase: secret }] } }),
    ),
    { type: 'html', status: 500, body: echo(secret) },
    { type: 'body', body: 'nonsense', headers: { 'content-type': `text/plain; x=${secret}` } },
  ]

  const failures: readonly Effect[] = [
    ...[400, 401, 402, 403, 404, 429, 500, 502].map((status): Effect => ({ type: 'status', status })),
    { type: 'body', body: '{"data":[{"gid":"1","name":' },
    { type: 'body', body: '{}' },
    { type: 'redirect', location: 'http://127.0.0.1:1/gone' },
    { type: 'redirect', location: 'ftp://127.0.0.1/' },
    { type: 'reset' },
    { type: 'cut' },
    { type: 'never' },
  ]

  it('stay out of answers, logs and the database whatever goes wrong', async () => {
    const { token, ...grant } = canaries
    const own = await hosted.connect({ token })
    const granted = await hosted.connect(grant)
    const { client_id: _, client_secret: __, ...bare } = grant
    const platform = await hosted.connect(bare)
    const run = (connector: string) => keep(hosted.execute('tasks', 'list', { project: '1' }, { connector }))
    for (const [connector, secrets] of [
      [own, { token }],
      [granted, grant],
      [platform, bare],
    ] as const)
      for (const effect of [...failures, ...Object.values(secrets).flatMap(echoes)]) {
        hosted.calm()
        hosted.fault(effect, { times: null })
        await run(connector)
      }
    for (const [connector, secrets] of [
      [granted, grant],
      [platform, { ...bare, ...application }],
    ] as const)
      for (const secret of Object.values(secrets))
        for (const status of [400, 401, 500]) {
          const told = { error: `bad ${secret}`, error_description: `${echo(secret)} is not known`, error_uri: secret }
          hosted.calm()
          hosted.fault({ type: 'status', status: 401 }, { path: '/tasks', times: null })
          hosted.fault({ type: 'body', status, body: told }, { path: '/-/oauth_token', times: null })
          await run(connector)
        }
    hosted.calm()
    for (const connector of [own, granted, platform]) {
      const path = `${connectors}/${connector}`
      await keep(hosted.call('POST', `${path}/check`, { token: hosted.ann }))
      await keep(hosted.call('GET', path, { token: hosted.ann }))
      await keep(hosted.call('PATCH', path, { token: hosted.ann, body: { credentials: { ...canaries } } }))
      await keep(hosted.call('PATCH', path, { token: hosted.ann, body: { credentials: { token, tokne: token } } }))
      await keep(hosted.call('PATCH', path, { token: hosted.ann, body: { credentials: { token: [token] } } }))
    }
    const body = { connector_type: 'asana', name: 'twice', credentials: { token } }
    const headers = { 'idempotency-key': 'the-same' }
    for (let time = 0; time < 2; time++)
      await keep(hosted.call('POST', connectors, { token: hosted.ann, body, headers }))
    await keep(hosted.call('POST', connectors, { token: hosted.ann, body }))
    await keep(hosted.call('POST', connectors, { token: hosted.ann, body: `{"credentials":{"token":"${token}"` }))
    await keep(hosted.call('POST', connectors, { token: hosted.ann, body: { ...body, surplus: token } }))
    await keep(hosted.call('GET', connectors, { token: hosted.ann }))
    await keep(hosted.call('GET', `/nowhere?access_token=${encodeURIComponent(token)}`))
    await keep(hosted.call('GET', `${connectors}?cursor=${encodeURIComponent(token)}`, { token: hosted.ann }))
    await keep(hosted.call('GET', connectors, { token }))
    await keep(hosted.call('GET', '/metrics'))
    for (const client_secret of [clientSecret, canaries.token])
      await hosted.call('POST', '/api/v1/account/applications/token', { body: { client_id: 'first', client_secret } })

    const kept = keptIn(hosted.folder)
    const told = answers.map(({ text, headers }) => `${text}\n${[...headers].join('\n')}`).join('\n')
    // Without echoes that arrived and were made unreadable, nothing would have been put to the test.
    assert.ok(answers.filter(({ text }) => text.includes('•••')).length > 40)
    const secrets = [...Object.values(canaries), ...Object.values(application), clientSecret]
    for (const secret of secrets)
      for (const form of forms(secret)) {
        assert.ok(!told.includes(form), `an answer holds ${form}: ${around(told, form)}`)
        assert.ok(!hosted.log().includes(form), `the log holds ${form}: ${around(hosted.log(), form)}`)
        assert.ok(!kept.includes(form), `the database holds ${form}`)
      }
    assert.ok(!hosted.log().includes(hosted.ann), 'the log holds a token of a caller')
    assert.ok(!kept.includes(hosted.ann), 'the database holds a token of a caller')
    assert.ok(!answers.some(({ status }) => status === 500))
    assert.doesNotMatch(told, /canary/)
    assert.doesNotMatch(hosted.log(), /canary/)
  })

  it('signed addresses of files are told only where they are asked for', async () => {
    const params = { attachment_gid: hosted.at.attachment }
    for (const effect of [{ type: 'status', status: 500 }, { type: 'reset' }, { type: 'html', status: 403 }] as const) {
      hosted.calm()
      hosted.fault(effect, { host: 'files', times: null })
      const answer = await hosted.execute('attachments', 'download', params)
      assert.equal(answer.status, 502)
      assert.doesNotMatch(answer.text, /X-Amz|assets/)
    }
    hosted.calm()
    await hosted.execute('attachments', 'download', params)
    assert.doesNotMatch(hosted.log(), /X-Amz|\/assets\//)
  })
})

describe('secrets of every kind', () => {
  let hosted: Hosted
  const answers: string[] = []
  const secrets: string[] = []

  before(async () => {
    hosted = await startHosted({ settings: { upstreamTimeoutSeconds: 0.5 } })
  })
  after(() => hosted.close())

  const keep = async (asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked
    answers.push(`${answer.text}\n${[...answer.headers].join('\n')}`)
    return answer
  }
  const secret = (name: string): string => {
    secrets.push(marked(name))
    return secrets.at(-1)!
  }
  const nowhereIn = (place: string, text: string | Buffer): void => {
    for (const one of secrets) for (const form of forms(one)) assert.ok(!text.includes(form), `${place} holds ${form}`)
  }

  const failures: readonly Effect[] = [
    ...[400, 401, 403, 429, 500].map((status): Effect => ({ type: 'status', status })),
    { type: 'body', body: '{"cut":' },
    { type: 'html', status: 502 },
    { type: 'reset' },
    { type: 'never' },
  ]

  for (const [kind, { authMethods, replicationConfig }] of Object.entries(catalog))
    for (const { name, credentials } of authMethods as readonly AuthMethod[])
      it(`${kind} ${name}: no field is found in an answer, a log line, the audit log or the database`, async () => {
        const fields = Object.keys(credentials.properties)
        const given = Object.fromEntries(fields.map((field) => [field, secret(`${kind}-${name}-${field}`)]))
        const body = {
          connector_type: kind,
          name,
          credentials: given,
          ...(replicationConfig !== null && {
            replication_config: { start_date: '2025-01-01T00:00:00Z', lookback_window: 1, join_channels: false },
          }),
        }
        const token = hosted.ann
        const made = await keep(hosted.call('POST', connectors, { token, body }))
        assert.equal(made.status, 201, made.text)
        const path = `${connectors}/${made.body.id}`
        // Wherever a kind reads what a system complains of, its code included.
        const echoes = Object.values(given).flatMap((one) =>
          [200, 400].map((status): Effect => {
            return { type: 'body', status, body: { ok: false, error: one, category: one, message: one, errors: [one] } }
          }),
        )
        for (const effect of [...failures, ...echoes]) {
          hosted.calm()
          hosted.systems.faults.add({ kind, effect, times: null })
          await keep(hosted.call('POST', `${path}/check`, { token }))
        }
        hosted.calm()
        await keep(hosted.call('GET', path, { token }))
        await keep(
          hosted.call('PATCH', path, { token, body: { credentials: { ...given, surplus: given[fields[0]!] } } }),
        )
        await keep(hosted.call('POST', connectors, { token, body }))
        await keep(hosted.call('DELETE', path, { token }))
      })

  it('codes, states and secret_ids of consents are found nowhere either', async () => {
    const consenting = await startConsenting(hosted)
    for (const kind of Object.keys(consentKinds)) {
      const asked = { connector_type: kind }
      const begun = new URL(await consenting.consentUrl(asked))
      const state = begun.searchParams.get('state')!
      const code = secret(`${kind}-code`)
      const callback = `${hosted.server.origin}${callbackPath}?${new URLSearchParams({ state, code })}`
      const back = new URL((await consenting.visit(callback)).headers.get('location')!)
      assert.equal(back.searchParams.get('secret_id'), null)
      assert.doesNotMatch(decodeURIComponent(back.search), /canary/)
      const good = await consenting.secretId(asked)
      secrets.push(state, good)
      await keep(consenting.create({ ...asked, server_side_oauth_secret_id: good, ...consentKinds[kind] }))
      await keep(consenting.create({ ...asked, server_side_oauth_secret_id: good, ...consentKinds[kind] }))
    }
    const { token } = await hosted.server.issueToken()
    const audit = await keep(hosted.call('GET', '/v1/integrations/audit?limit=1000', { token }))
    assert.ok(audit.body.entries.length > 30)
    await keep(hosted.call('GET', '/metrics'))
    nowhereIn('an answer', answers.join('\n'))
    nowhereIn('the log', hosted.log())
    nowhereIn('the database', keptIn(hosted.folder))
    // What the systems themselves gave out is in the database sealed, and nowhere else.
    const issued = hosted.received().flatMap(({ headers }) =>
      String(headers.authorization ?? '')
        .split(' ')
        .slice(1),
    )
    for (const one of issued) {
      assert.ok(!hosted.log().includes(one))
      assert.ok(!keptIn(hosted.folder).includes(one))
    }
  })

  it('an error that nobody caught ends the server without telling what it carries', async () => {
    const carried = secret('crash')
    const program = `
      const { dieQuietly } = await import(${JSON.stringify(new URL('../src/cli/crash.ts', import.meta.url).href)})
      dieQuietly()
      const headers = { authorization: process.env.CARRIED }
      setImmediate(() => { throw Object.assign(new TypeError('broken'), { request: { headers }, config: { headers } }) })`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { env: { CARRIED: carried } })
    let told = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (told += String(chunk)))
    const [code] = await once(child, 'close')
    assert.equal(code, 1)
    assert.match(told, /"message":"broken"/)
    for (const form of forms(carried)) assert.ok(!told.includes(form))
  })
})

const around = (text: string, form: string): string => {
  const at = text.indexOf(form)
  return text.slice(Math.max(0, at - 200), at + 200)
}
