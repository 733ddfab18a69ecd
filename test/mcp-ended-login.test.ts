/** A tool call that meets an ended login: how each client is asked to let its user sign in again, and how that ends. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  type Client,
  type ClientCapabilities,
  type ElicitRequestURLParams,
  StreamableHTTPClientTransport,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import { loadKinds } from '../src/loading/load-kinds.ts'
import { type Consenting, startConsenting } from './consenting.ts'
import { connectors, type Hosted, isFine, isProblem, startHosted } from './hosted.ts'
import { type LinkVisitor, linkVisitor } from './link-visitor.ts'
import type { Result } from './mcp.test.ts'
import { mcpClient, type Revision } from './mcp-client.ts'

type Answer = (asked: ElicitRequestURLParams) => Promise<'accept' | 'decline' | 'cancel'>

const opensLinks: ClientCapabilities = { elicitation: { form: {}, url: {} } }
const knowsForms: ClientCapabilities = { elicitation: { form: {} } }

describe('a tool call that meets an ended login', () => {
  let hosted: Hosted
  let consenting: Consenting
  let person: LinkVisitor
  let connector: string
  /** The links that clients were asked to open. */
  let asked: ElicitRequestURLParams[]

  before(async () => {
    hosted = await startHosted({ outside: await loadKinds(['./tracker'], join(import.meta.dirname, 'outside')) })
    consenting = await startConsenting(hosted)
    const { refresh_token } = hosted.credentials('oauth')
    hosted.systems.change('asana', { change: 'revoke_grant', refresh_token })
  })
  after(() => hosted.close())
  beforeEach(async () => {
    hosted.calm()
    asked = []
    person = linkVisitor(consenting)
    connector = await hosted.connect(hosted.credentials('oauth'))
  })

  async function connected(
    revision: Revision,
    capabilities: ClientCapabilities,
    { answer, query = '' }: { answer?: Answer; query?: string } = {},
  ): Promise<Client> {
    const client = mcpClient(revision, capabilities)
    if (answer !== undefined)
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push(params as ElicitRequestURLParams)
        return { action: await answer(params as ElicitRequestURLParams) }
      })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${hosted.server.origin}/mcp${query}`), {
        requestInit: { headers: { authorization: `Bearer ${hosted.ann}` } },
      }),
    )
    return client
  }

  const read = (client: Client, name = 'execute', more: object = { entity: 'workspaces', action: 'list' }) =>
    client.callTool({ name, arguments: { connector, ...more } }) as Promise<unknown> as Promise<Result>

  const wordsOf = ({ isError, content }: Result): string => {
    assert.equal(isError, true)
    return content.map(({ text }) => text).join('\n')
  }
  const isRead = ({ structuredContent, content }: Result): void =>
    assert.ok(structuredContent?.result?.length > 0, content[0]?.text)
  const linkIn = (words: string): string => /at (http\S+)/.exec(words)![1]!
  const consentsBegun = async (): Promise<number> =>
    isFine(
      await hosted.call('GET', '/v1/integrations/audit?event=consent.begun&limit=100', { token: consenting.bearer }),
    ).entries.length
  const statusOf = async (): Promise<string> =>
    isFine(await hosted.call('GET', `${connectors}/${connector}`, { token: hosted.ann })).status
  const newLink = async (): Promise<string> =>
    isFine(await hosted.call('POST', `${connectors}/${connector}/consent-links`, { token: hosted.ann })).url

  it('goes on in revision 2026-07-28 when the client has opened the link and its user has signed in', async () => {
    const client = await connected('2026-07-28', opensLinks, {
      async answer({ url }) {
        const { title, html } = await person.signIn(url)
        assert.equal(title, 'You are signed in to Asana again')
        assert.match(html, /Go back to your program/)
        return 'accept'
      },
    })
    isRead(await read(client))
    assert.equal(asked.length, 1)
    const [{ mode, message, url }] = asked as [ElicitRequestURLParams]
    assert.equal(mode, 'url')
    assert.match(message, /^Asana no longer accepts the login of the connection "/)
    assert.ok(url.startsWith(`${hosted.server.origin}/`))
    assert.equal(await statusOf(), 'active')
    await client.close()
  })

  it('waits for a user who signs in after the client has gone on', async () => {
    let signedIn: Promise<unknown> | undefined
    const client = await connected('2026-07-28', opensLinks, {
      async answer({ url }) {
        signedIn = person.leave(url).then(async (page) => {
          // The client calls again meanwhile.
          while (hosted.received().filter(({ path }) => path.endsWith('/-/oauth_token')).length < 2)
            await new Promise((resolve) => setTimeout(resolve, 5))
          await person.open(await consenting.press(page, 'allow'))
        })
        return 'accept'
      },
    })
    isRead(await read(client))
    await signedIn
    assert.equal(asked.length, 1)
    await client.close()
  })

  it('takes no for an answer', async () => {
    for (const action of ['decline', 'cancel'] as const) {
      const client = await connected('2026-07-28', opensLinks, { answer: async () => action })
      const words = wordsOf(await read(client))
      assert.match(words, /^reauthorization_required: [\s\S]*did not want to sign in now/)
      assert.doesNotMatch(words, /https?:/)
      await client.close()
    }
    assert.equal(asked.length, 2)
  })

  it('is an error with the link in revision 2025-11-25, and succeeds when it is repeated', async () => {
    const client = await connected('2025-11-25', opensLinks)
    const [one, another] = await Promise.all(
      [1, 2].map(async () => {
        const error = await read(client).then(
          () => assert.fail(),
          (reason: unknown) => reason,
        )
        assert.ok(error instanceof UrlElicitationRequiredError, String(error))
        return error.elicitations[0] as ElicitRequestURLParams & { elicitationId: string }
      }),
    )
    assert.notEqual(one!.elicitationId, another!.elicitationId)
    await person.signIn(one!.url)
    isRead(await read(client))
    await client.close()
  })

  for (const [revision, capabilities, who] of [
    ['2026-07-28', knowsForms, 'knows forms alone'],
    ['2026-07-28', {}, 'declares nothing'],
    ['2025-11-25', knowsForms, 'knows forms alone'],
    ['2025-11-25', {}, 'declares nothing'],
    ['2025-06-18', opensLinks, 'speaks of links before there were any'],
  ] as const)
    it(`is answered with the link in words to a client that ${who}, in revision ${revision}`, async () => {
      const client = await connected(revision, capabilities)
      const words = wordsOf(await read(client))
      assert.match(words, /^reauthorization_required: Asana refuses/)
      assert.match(words, /Next: ask the user to sign in to Asana again at \S+ \(within 10 minutes\)/)
      await person.signIn(linkIn(words))
      isRead(await read(client))
      await client.close()
    })

  it('is the same for every tool that asks the system', async () => {
    hosted.fault({ type: 'status', status: 401 }, { times: null })
    isProblem(await hosted.execute('workspaces', 'list', {}, { connector }), 'reauthorization_required')
    const client = await connected('2026-07-28', {})
    for (const [name, more] of [
      ['execute', { entity: 'workspaces', action: 'list' }],
      ['search', { entity: 'tasks' }],
      ['get_file', { entity: 'attachments', params: { attachment_gid: hosted.at.attachment_text } }],
    ] as const)
      assert.match(wordsOf(await read(client, name, more)), /sign in to Asana again at http/, name)
    await client.close()
    const direct = await connected('2026-07-28', {}, { query: '?tools=asana.workspaces' })
    assert.match(wordsOf(await read(direct, 'asana_workspaces_list', {})), /sign in to Asana again at http/)
    await direct.close()
  })

  it('begins no consent, however often it is repeated, until a person goes on from the page', async () => {
    const before = await consentsBegun()
    const client = await connected('2026-07-28', {})
    for (let call = 0; call < 5; call++) wordsOf(await read(client))
    const link = linkIn(wordsOf(await read(client)))
    await client.close()
    await person.open(link)
    assert.equal(await consentsBegun(), before)
    await person.leave(link)
    assert.equal(await consentsBegun(), before + 1)
  })

  describe('with a link that', () => {
    it('names nobody, and says whose login it is on the page alone', async () => {
      const link = await newLink()
      const [, payload] = new URL(link).searchParams.get('link')!.split('.')
      assert.doesNotMatch(Buffer.from(payload!, 'base64url').toString(), /ann/)
      const { html } = await person.open(link)
      assert.match(html, /<dt>Belongs to<\/dt><dd>ann<\/dd>/)
      assert.doesNotMatch(html, /<script/)
    })

    it('was used is used up, also where two consents were begun with it', async () => {
      const link = await newLink()
      const other = linkVisitor(consenting)
      const [first, second] = [await person.leave(link), await other.leave(link)]
      await person.open(await consenting.press(first, 'allow'))
      const calls = hosted.received().length
      const page = await other.open(await consenting.press(second, 'allow'))
      assert.equal(page.title, 'You are signed in to Asana again')
      // The second code was not even redeemed.
      assert.deepEqual(
        hosted
          .received()
          .slice(calls)
          .filter(({ path }) => path.endsWith('/-/oauth_token')),
        [],
      )
      assert.equal((await other.open(link)).title, 'You are signed in to Asana again')
      isFine(await hosted.execute('workspaces', 'list', {}, { connector }))
    })

    it('is refused at the system changes nothing, and may be tried again', async () => {
      const link = await newLink()
      const page = await person.signIn(link, 'deny')
      assert.equal(page.title, 'Sign in to Asana again')
      assert.match(page.html, /role="alert">You did not allow access at Asana\. Nothing has changed/)
      hosted.fault({ type: 'status', status: 500 }, { path: '/-/oauth_token', times: null })
      const failed = await person.signIn(link)
      assert.match(failed.html, /role="alert">This did not work \(upstream_error\), and nothing has changed/)
      hosted.calm()
      assert.equal((await person.signIn(link)).title, 'You are signed in to Asana again')
    })

    it('shows nothing that another has written into its address', async () => {
      const { html } = await person.open(`${await newLink()}&error=call+555-0100&error_description=now`)
      assert.doesNotMatch(html, /555|now</)
    })

    it('has expired, was changed, or is of a connector that is gone leads nowhere', async () => {
      const link = await newLink()
      const changed = `${link.slice(0, -4)}AAAA`
      for (const [address, words] of [
        [changed, /expired or is not complete; repeat in your program/],
        [link.split('?')[0]!, /expired or is not complete/],
        [`${link.split('?')[0]}?link=${hosted.ann}`, /expired or is not complete/],
      ] as const) {
        const { status, html } = await person.open(address)
        assert.equal(status, 404)
        assert.match(html, words)
        assert.match(html, /<h1 class="failed">You cannot sign in with this link<\/h1>/)
      }
      hosted.clock.advance(11 * 60_000)
      assert.equal((await person.open(link)).status, 404)
      hosted.clock.advance(-11 * 60_000)
      await hosted.call('DELETE', `${connectors}/${connector}`, { token: hosted.ann })
      const gone = await person.open(link)
      assert.equal(gone.status, 404)
      assert.match(gone.html, /has been deleted/)
    })

    it('another person opens cannot be ended by a third one, nor sent from a page of another site', async () => {
      const link = await newLink()
      const consentPage = await person.leave(link)
      // Whoever is given the address of the consent page itself has never seen whose login it is.
      const back = await consenting.press(consentPage, 'allow')
      const { status, html } = await linkVisitor(consenting).open(back)
      assert.equal(status, 404)
      assert.match(html, /begun in another browser/)
      assert.equal(await statusOf(), 'active')
      isProblem(await hosted.execute('workspaces', 'list', {}, { connector }), 'reauthorization_required')
      // It is still good in the browser that began it.
      assert.equal((await person.open(back)).title, 'You are signed in to Asana again')
      const address = new URL(link)
      const sent = await fetch(address.origin + address.pathname, {
        method: 'POST',
        body: new URLSearchParams({ link: address.searchParams.get('link')! }),
        headers: { 'sec-fetch-site': 'cross-site' },
        redirect: 'manual',
      })
      assert.equal(sent.status, 403)
    })
  })

  it('gives no link for a connector of somebody else', async () => {
    const { token } = await hosted.server.issueToken('bob')
    isProblem(await hosted.call('POST', `${connectors}/${connector}/consent-links`, { token }), 'not_found')
  })

  it('says who has to do what where there is no consent', async (t) => {
    const client = await connected('2026-07-28', opensLinks, { answer: async () => 'accept' })
    connector = await hosted.connect({ token: 'none' }, hosted.ann, 'tracker')
    const words = wordsOf(await read(client, 'execute', { entity: 'issues', action: 'list' }))
    assert.match(words, /is tracker, which has no consent page\. Send new credentials with PATCH/)
    assert.ok(words.includes(`conex connectors update ${connector} --credentials`))
    assert.deepEqual(asked, [])
    await client.close()

    const own = await startHosted({ settings: { applications: {} } })
    t.after(() => own.close())
    const id = await own.connect({ token: 'none' })
    const refused = await own.call('POST', `${connectors}/${id}/consent-links`, { token: own.ann })
    isProblem(refused, 'invalid_request')
    assert.match(refused.body.detail, /the operator must set CONEX_ASANA_OAUTH_CLIENT_ID/)
  })
})
