/** The copy of a Slack workspace: what a token may read, and what people do to messages. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { isFine, startHosted } from '../hosted.ts'
import { type Synced, syncedOn } from './synced.ts'

const day = 86_400_000
const usual = { start_date: '2026-01-01T00:00:00Z', lookback_window: 7, join_channels: false }

interface On {
  readonly synced: Synced
  readonly at: Readonly<Record<string, string>>
  change(name: string, more?: object): Record<string, unknown>
}

async function start(t: TestContext, as: 'bot' | 'user', config: object = {}): Promise<On> {
  const hosted = await startHosted({ simulators: { scale: 60 } })
  t.after(() => hosted.close())
  const [user, bot] = hosted.systems.describe().slack!.credentials
  const credentials = as === 'bot' ? bot! : user!
  const made = await hosted.call('POST', '/v1/integrations/connectors', {
    token: hosted.ann,
    body: { connector_type: 'slack', name: 'Work', credentials, replication_config: { ...usual, ...config } },
  })
  assert.equal(made.status, 201, made.text)
  const synced = syncedOn(hosted, 'slack', made.body.id, credentials)
  return {
    synced,
    at: hosted.systems.landmarks('slack'),
    change: (name, more = {}) => hosted.systems.change('slack', { change: name, ...more }),
  }
}

const channelsIn = async (synced: Synced, entity: string): Promise<ReadonlySet<string>> =>
  new Set([...(await synced.copy(entity)).values()].map(({ channel_id }) => channel_id))

const isComplete = (state: { entities: { complete: boolean; last_error: unknown; skipped: unknown[] }[] }): void => {
  for (const { complete, last_error, skipped } of state.entities)
    assert.deepEqual([complete, last_error, skipped], [true, null, []])
}

describe('a copy of Slack', () => {
  it('holds for a bot the messages of its channels alone, and is complete', async (t) => {
    const { synced, at } = await start(t, 'bot')
    isComplete(await synced.sync())
    const read = await channelsIn(synced, 'channel_messages')
    assert.deepEqual(
      [at.general, at.launch, at.leads, at.archived, at.quiet, at.board, at.closed].map((id) => read.has(id!)),
      [true, true, true, true, false, false, false],
    )
    const channels = await synced.copy('channels')
    assert.deepEqual(
      [at.quiet, at.launch, at.board].map((id) => channels.get(id!)?.is_readable),
      [false, true, undefined],
    )
    const message = (await synced.copy('channel_messages')).get(`${at.launch}:${at.parent}`)
    assert.deepEqual([message.reply_count, message.float_ts], [2, 1_780_300_800.0001])
    const reply = (await synced.copy('threads')).get(`${at.launch}:${at.firstReply}`)
    assert.deepEqual([reply.thread_ts, reply.channel_id], [at.parent, at.launch])
    assert.ok(![...(await synced.copy('threads')).keys()].includes(`${at.launch}:${at.parent}`))
  })

  it('holds for a person what every public channel has', async (t) => {
    const { synced, at } = await start(t, 'user')
    isComplete(await synced.sync())
    const read = await channelsIn(synced, 'channel_messages')
    for (const id of [at.quiet, at.board, at.closed]) assert.ok(read.has(id!))
  })

  it('sees edits, new replies and deletions', async (t) => {
    const { synced, at, change } = await start(t, 'bot')
    const channel = at.launch
    const one = change('write', { channel, text: 'First' }).ts as string
    const other = change('write', { channel, text: 'Second' }).ts as string
    const below = change('write', { channel, text: 'Below', thread_ts: one }).ts as string
    await synced.sync()
    change('edit_message', { channel, ts: one, text: 'First, edited' })
    const late = change('write', { channel, text: 'Late', thread_ts: one }).ts as string
    change('delete_message', { channel, ts: other })
    change('delete_message', { channel, ts: below })
    synced.hosted.clock.advance(60_000)
    await synced.sync()
    const texts = async (entity: string, ts: string) => (await synced.copy(entity)).get(`${channel}:${ts}`)?.text
    assert.equal(await texts('channel_messages', one), 'First, edited')
    assert.equal(await texts('threads', late), 'Late')
    isComplete(await synced.sync({ full: true }))
    assert.deepEqual([await texts('channel_messages', other), await texts('threads', below)], [undefined, undefined])
    change('delete_message', { channel, ts: one })
    await synced.sync({ full: true })
    assert.equal((await synced.copy('channel_messages')).get(`${channel}:${one}`).subtype, 'tombstone')
  })

  it('keeps what it has of a channel that the bot has been thrown out of', async (t) => {
    const { synced, at, change } = await start(t, 'bot')
    await synced.sync()
    const held = async (entity: string) =>
      [...(await synced.copy(entity)).values()].filter(({ channel_id }) => channel_id === at.launch).length
    const before = [await held('channel_messages'), await held('threads')]
    change('archive_channel', { channel: at.launch, eject: true })
    for (let pass = 0; pass < 3; pass++) isComplete(await synced.sync({ full: true }))
    assert.deepEqual([await held('channel_messages'), await held('threads')], before)
    assert.ok(before.every((count) => count > 0))
  })

  it('keeps messages of one moment apart by channel, and every digit of their ts', async (t) => {
    const { synced, at, change } = await start(t, 'bot')
    const second = Math.floor(synced.hosted.clock.now() / 1000) - 3600
    // As numbers, the first two would be one.
    const written = [`${second}.000100`, `${second}.000101`, `${second}.100000`]
    for (const channel of [at.launch, at.general, at.leads])
      for (const ts of written) change('write', { channel, ts, text: `${ts} in ${channel}` })
    await synced.sync()
    const messages = await synced.copy('channel_messages')
    for (const channel of [at.launch, at.general, at.leads])
      for (const ts of written) {
        const found = messages.get(`${channel}:${ts}`)
        assert.deepEqual([found.ts, found.channel_id, found.text], [ts, channel, `${ts} in ${channel}`])
      }
    const { body } = await synced.search('channel_messages', { query: { filter: { eq: { ts: written[2] } } } })
    assert.equal(body.result.hits.length, 3)
  })

  for (const [lookback_window, isSeen] of [
    [7, false],
    [30, true],
    [0, false],
  ] as const)
    it(`${isSeen ? 'sees' : 'leaves to the full pass'} what happens to a message of 20 days ago, looking back ${lookback_window} days`, async (t) => {
      const { synced, at, change } = await start(t, 'bot', { lookback_window })
      const channel = at.launch
      const ago = (days: number, digits: string) =>
        `${Math.floor((synced.hosted.clock.now() - days * day) / 1000)}.${digits}`
      const [old, parent] = [ago(20, '000001'), ago(20, '000002')]
      for (const ts of [old, parent]) change('write', { channel, ts, text: 'As it was' })
      change('write', { channel, ts: ago(19, '000003'), thread_ts: parent, text: 'The first reply' })
      await synced.sync()
      synced.hosted.clock.advance(3_600_000)
      change('edit_message', { channel, ts: old, text: 'Edited' })
      const late = change('write', { channel, thread_ts: parent, text: 'A late reply' }).ts as string
      const fresh = change('write', { channel, text: 'Today' }).ts as string
      synced.hosted.clock.advance(60_000)
      synced.hosted.calm()
      await synced.sync()
      const text = async (entity: string, ts: string) => (await synced.copy(entity)).get(`${channel}:${ts}`)?.text
      assert.equal(await text('channel_messages', fresh), 'Today')
      assert.equal(await text('channel_messages', old), isSeen ? 'Edited' : 'As it was')
      assert.equal(await text('threads', late), isSeen ? 'A late reply' : undefined)
      const asked = synced.hosted.received().filter(({ path }) => path.endsWith('/conversations.history'))
      const oldest = Math.min(...asked.map(({ query }) => Number(new URLSearchParams(query).get('oldest'))))
      const looked = (synced.hosted.clock.now() / 1000 - oldest) / 86_400
      assert.ok(looked > lookback_window && looked < lookback_window + 0.1, `${looked} days`)
      // What was looked for too late comes with the weekly pass over everything.
      await synced.sync({ full: true })
      assert.deepEqual([await text('channel_messages', old), await text('threads', late)], ['Edited', 'A late reply'])
    })

  it('loses a private channel with its messages when the bot is taken out of it, and no other', async (t) => {
    const { synced, at, change } = await start(t, 'bot')
    const places = ['channel_messages', 'threads', 'channel_members']
    change('write', { channel: leads, thread_ts: change('write', { channel: leads, text: 'Ours' }).ts, text: 'Below' })
    await synced.sync()
    for (const entity of places) assert.ok((await channelsIn(synced, entity)).has(leads), entity)
    change('edit', { in: 'channels', id: leads, fields: { members: ['U0A1B2C3E'] } })
    for (let pass = 0; pass < 2; pass++) isComplete(await synced.sync({ full: true }))
    assert.equal((await synced.copy('channels')).has(leads), false)
    for (const entity of places) {
      const left = await channelsIn(synced, entity)
      assert.deepEqual([left.has(leads), left.has(at.launch!)], [false, true], entity)
    }
  })

  it('begins at start_date, which sync.start_date moves', async (t) => {
    const from = new Date(Date.now() - 20 * day).toISOString().replace(/\.\d+Z/, 'Z')
    const { synced } = await start(t, 'bot', { start_date: from })
    const oldest = async () =>
      Math.min(...[...(await synced.copy('channel_messages')).values()].map(({ float_ts }) => float_ts * 1000))
    await synced.sync()
    const first = await oldest()
    assert.ok(first >= Date.parse(from))
    isFine(await synced.call('PATCH', { sync: { start_date: '2026-01-01T00:00:00Z' } }))
    await synced.sync()
    assert.ok((await oldest()) < first)
  })

  it('has nothing of messages before a start_date that is yet to come', async (t) => {
    const { synced } = await start(t, 'bot', { start_date: '2999-01-01T00:00:00Z' })
    isComplete(await synced.sync())
    assert.deepEqual([(await synced.copy('channel_messages')).size, (await synced.copy('threads')).size], [0, 0])
  })

  it('holds the chosen channels alone', async (t) => {
    const { synced, at } = await start(t, 'bot', { channel_filter: ['#launch', leads] })
    isComplete(await synced.sync())
    for (const entity of ['channel_messages', 'channel_members'])
      assert.deepEqual([...(await channelsIn(synced, entity))].toSorted(), [at.launch, at.leads], entity)
    assert.deepEqual(
      [...(await channelsIn(synced, 'threads'))].filter((id) => id !== at.launch && id !== at.leads),
      [],
    )
    assert.ok((await synced.copy('channels')).size > 5)
  })

  it('joins public channels where it is told to, and never a person', async (t) => {
    const bot = await start(t, 'bot', { join_channels: true })
    isComplete(await bot.synced.sync())
    assert.ok((await channelsIn(bot.synced, 'channel_messages')).has(bot.at.quiet!))
    assert.ok(!(await channelsIn(bot.synced, 'channel_messages')).has(bot.at.closed!))
    const joins = ({ hosted }: Synced) => hosted.received().filter(({ path }) => path.endsWith('conversations.join'))
    const made = joins(bot.synced).length
    assert.ok(made > 0)
    isComplete(await bot.synced.sync())
    assert.equal(joins(bot.synced).length, made)
    const user = await start(t, 'user', { join_channels: true })
    await user.synced.sync()
    assert.equal(joins(user.synced).length, 0)
  })

  it('reads everything though pages are short and the token lacks the scope of private channels', async (t) => {
    const { synced, at, change } = await start(t, 'bot')
    change('settings', { short_pages: true, without_scopes: ['groups:read', 'groups:history'] })
    isComplete(await synced.sync())
    assert.equal((await synced.copy('channels')).has(at.leads!), false)
    assert.ok((await channelsIn(synced, 'channel_messages')).has(at.launch!))
  })
})

/** The private channel of the bot. */
const leads = 'C0A1B2C04'
