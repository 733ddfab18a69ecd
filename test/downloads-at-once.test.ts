/** Downloads that nobody reads to their end: they keep their own connections busy, and those of nobody else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isFine, isProblem, startHosted, until } from './hosted.ts'

describe('slow downloads', () => {
  it('of one end user hold up no list, and no download of another one', async (t) => {
    // Those that nobody reads keep their places for as long as the test takes.
    const hosted = await startHosted({ settings: { downloadIdleSeconds: 600 } })
    t.after(() => hosted.close())
    const gone = new AbortController()
    t.after(() => gone.abort())
    const large = { attachment_gid: hosted.at.attachment_1gib! }
    // Kept, because an answer that is no longer held counts as given up.
    const begun: Response[] = []
    for (let count = 0; count < 64; count++)
      hosted.stream('attachments', large, { signal: gone.signal }).then(
        (response) => begun.push(response),
        () => {},
      )
    // As many as may run at once are on their way, and nobody reads them.
    await until(() => begun.length === 16)
    const bob = (await hosted.server.issueToken('bob')).token
    const connector = await hosted.connect(hosted.credentials('one'), bob)
    isFine(await hosted.execute('workspaces', 'list', {}, { connector, token: bob }))
    isFine(await hosted.execute('workspaces', 'list'))
    const params = { attachment_gid: hosted.at.attachment_text }
    const file = await hosted.execute('attachments', 'download', params, { connector, token: bob })
    assert.equal(file.status, 200)
    assert.equal(hosted.received().filter(({ path }) => path.includes(`/${large.attachment_gid}/`)).length, 16)
  })

  for (const [name, settings] of [
    ['connector', { connectorDownloadsAtOnce: 2 }],
    ['end user', { endUserDownloadsAtOnce: 2 }],
  ] as const)
    it(`of one ${name} are so many at once: more of them wait, and are told to come back when that lasts`, async (t) => {
      // A download waits for its place for half of that.
      const hosted = await startHosted({ settings: { upstreamTimeoutSeconds: 10, ...settings } })
      t.after(() => hosted.close())
      const large = { attachment_gid: hosted.at.attachment_1gib! }
      const [first, second] = await Promise.all([
        hosted.stream('attachments', large),
        hosted.stream('attachments', large),
      ])
      const params = { attachment_gid: hosted.at.attachment_text }
      const other = await hosted.connect(hosted.credentials('one'))
      const [refused, ofOther] = await Promise.all([
        hosted.execute('attachments', 'download', params),
        hosted.execute('attachments', 'download', params, { connector: other }),
      ])
      isProblem(refused, 'rate_limited')
      assert.equal(refused.headers.get('retry-after'), '5')
      assert.equal(ofOther.status, name === 'connector' ? 200 : 429)
      const waiting = hosted.execute('attachments', 'download', params)
      await first.body!.cancel()
      assert.equal((await waiting).status, 200)
      // What fails on its way leaves its place as well.
      for (let count = 0; count < 3; count++) {
        hosted.fault({ type: 'status', status: 404 }, { host: 'files' })
        isProblem(await hosted.execute('attachments', 'download', params), 'file_unavailable')
      }
      assert.equal((await hosted.execute('attachments', 'download', params)).status, 200)
      await second.body!.cancel()
    })
})
