/** Addresses that lead inside, by every way in which one can reach Conex. Judged on what is really dialled. */
import assert from 'node:assert/strict'
import { connect, isIP } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { EngineSettings } from '../src/engine/settings.ts'
import { type Hosted, isFine, isProblem, startHosted } from './hosted.ts'

/** The public address at which the simulated systems seem to be. */
const outside = '93.184.216.34'

const literals = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.1.1',
  '100.64.0.1',
  '0.0.0.0',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '127.1',
  '①②⑦.0.0.1',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd12::1]',
]

/** Names, with what they resolve to. */
const names: Readonly<Record<string, readonly string[]>> = {
  'asana.example': [outside],
  'loop.example': ['127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'several.example': ['10.0.0.1', 'fe80::1'],
  localhost: ['127.0.0.1', '::1'],
}
const inward = Object.keys(names).filter((name) => name !== 'asana.example')

const targets = [
  ...[...literals, ...inward].map((host) => `https://${host}/inside`),
  // What stands before an @ is no host.
  'https://asana.example@127.0.0.1/inside',
  'https://asana.example:443@[::1]/inside',
  'https://asana.example%2f@loop.example/inside',
  'http://asana.example/inside',
  'http://127.0.0.1/inside',
  '//127.0.0.1/inside',
  'file:///etc/passwd',
  'ftp://127.0.0.1/inside',
  'data:application/json,{}',
]

describe('an address that leads inside', () => {
  let hosted: Hosted
  let port: number
  let resolved: Record<string, readonly string[]>
  const dialled: string[] = []

  /** Names are as the table says, and the outside is where the simulators listen. Nothing else is really dialled. */
  const network: EngineSettings['network'] = {
    resolve(hostname, _options, callback) {
      const found = resolved[hostname]
      if (found === undefined) return callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), [])
      callback(
        null,
        found.map((address) => ({ address, family: isIP(address) })),
      )
    },
    open: (options) => (target, callback) => {
      const dial = (address: string) => {
        dialled.push(address)
        if (address !== outside) return callback(new Error(`dialled ${address}`), null)
        const socket = connect(port, '127.0.0.1', () => callback(null, socket as never))
        socket.once('error', (error) => callback(error, null))
      }
      const host = target.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0) return dial(host)
      const { lookup } = options as { lookup: (...args: unknown[]) => void }
      lookup(host, { all: true }, (error: Error | null, addresses: { address: string }[]) =>
        error ? callback(error, null) : dial(addresses[0]!.address),
      )
    },
  }

  before(async () => {
    hosted = await startHosted({
      serve: { network },
      settings: {
        allowPrivateNetwork: false,
        baseUrls: {
          asana: 'https://asana.example/asana/api/1.0',
          gong: 'https://asana.example/gong',
        },
      },
    })
    port = Number(new URL(hosted.systems.origin).port)
  })
  beforeEach(() => {
    hosted.calm()
    resolved = { ...names }
    dialled.length = 0
  })
  after(() => hosted.close())

  const onlyOutside = (): void =>
    assert.deepEqual(
      [...new Set(dialled)].filter((one) => one !== outside),
      [],
    )
  const list = () => hosted.execute('workspaces', 'list')
  const download = () => hosted.execute('attachments', 'download', { attachment_gid: hosted.at.attachment })

  it('is not reached by the harness either: the outside answers, and nothing else does', async () => {
    isFine(await list())
    assert.deepEqual(
      [...new Set(dialled)].filter((one) => one !== outside),
      [],
    )
  })

  for (const location of targets) {
    // No header can carry other letters.
    if (/^[\x21-\x7e]+$/.test(location))
      it(`${location} is not followed as a redirect of a record or of a file`, async () => {
        hosted.fault({ type: 'redirect', location }, { path: '/workspaces', times: null })
        const answer = await list()
        isProblem(answer, 'upstream_error')
        hosted.fault({ type: 'redirect', location }, { path: '/attachments', times: null })
        isProblem(await download(), 'upstream_error')
        onlyOutside()
        assert.doesNotMatch(answer.text, /dialled|passwd:/)
      })

    it(`${location} is not fetched as the address of a file`, async () => {
      const body = { data: { gid: '1', resource_type: 'attachment', name: 'x', download_url: location } }
      hosted.fault({ type: 'body', body }, { path: '/attachments', times: null })
      isProblem(await download(), 'upstream_error')
      onlyOutside()
    })
  }

  for (const host of ['127.0.0.1', '[::ffff:10.0.0.1]', 'loop.example', 'localhost'])
    it(`https://${host} is no base address that a token answer can name`, async () => {
      const [credentials] = hosted.systems
        .describe()
        .gong!.credentials.filter((one) => Object.hasOwn(one, 'refresh_token'))
      const { access_token: _, ...grant } = credentials!
      const connector = await hosted.connect(grant, hosted.ann, 'gong')
      const body = {
        access_token: 'a',
        refresh_token: 'r',
        expires_in: 86400,
        api_base_url_for_customer: `https://${host}`,
      }
      hosted.systems.faults.add({ kind: 'gong', path: 'generate-customer-token', effect: { type: 'body', body } })
      isProblem(await hosted.execute('workspaces', 'list', {}, { connector }), 'upstream_error')
      onlyOutside()
    })

  for (const host of inward)
    it(`is not called when the name of the system itself becomes that of ${host}`, async () => {
      resolved['asana.example'] = names[host]!
      // A new connection, and with it a new look at the name.
      hosted.fault({ type: 'reset' }, { path: '/workspaces', times: null })
      const answer = await list()
      isProblem(answer, 'upstream_error')
      assert.match(answer.body.detail, /not public/)
      onlyOutside()
    })

  it('is no webhook, neither as it is written nor where its name leads', async () => {
    const token = (await hosted.server.issueToken()).token
    const path = '/v1/integrations/webhooks'
    const made: string[] = []
    for (const url of targets) {
      const answer = await hosted.call('POST', path, { token, body: { url } })
      if (inward.includes(URL.parse(url)?.hostname ?? '') && answer.status === 201) made.push(answer.body.id)
      else isProblem(answer, 'invalid_request', '/url')
    }
    assert.equal(made.length, inward.length)
    const { id } = isFine(await hosted.call('GET', `/v1/integrations/connectors/${hosted.connector}`, { token }))
    isFine(await hosted.call('PATCH', `/v1/integrations/connectors/${id}`, { token, body: { name: 'told' } }))
    await hosted.server.service.events.deliver()
    onlyOutside()
    for (const webhook of made) {
      const [delivery] = isFine(await hosted.call('GET', `${path}/${webhook}/deliveries`, { token })).deliveries
      assert.deepEqual([delivery.status, delivery.last_fault], ['waiting', 'Its address is not public, or not https.'])
    }
  })

  it('a backslash is a slash, as browsers read it, and no way to another host', async () => {
    const location = 'https://asana.example\\@127.0.0.1/inside'
    hosted.fault({ type: 'redirect', location }, { path: '/workspaces' })
    const answer = await list()
    isProblem(answer, 'upstream_invalid_response')
    assert.equal(answer.body.upstream.status, 404)
    onlyOutside()
  })

  it('is not dialled when it comes with public ones: of all answers only those are taken', async () => {
    resolved['asana.example'] = ['127.0.0.1', '::1', outside, '10.0.0.1']
    // As often as a call is repeated, so that no connection from before is left.
    hosted.fault({ type: 'reset' }, { path: '/workspaces', times: 3 })
    isFine(await list())
    assert.ok(dialled.length > 0)
    onlyOutside()
  })

  it('does not slip in between the check and the connect: a name is resolved once for both', async () => {
    const answers = [[outside], ['127.0.0.1'], ['127.0.0.1']]
    let asked = 0
    Object.defineProperty(resolved, 'asana.example', { get: () => answers[Math.min(asked++, 2)] })
    hosted.fault({ type: 'reset' }, { path: '/workspaces', times: null })
    isProblem(await list(), 'upstream_error')
    assert.ok(asked >= 1)
    onlyOutside()
  })
})
