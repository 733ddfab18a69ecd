import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { WebClient } from '@slack/web-api'
import { startSimulators } from '../../../simulator/simulators.ts'
import { slackSimulator } from './simulator.ts'

const now = Date.UTC(2026, 5, 15, 20)
const simulators = await startSimulators([slackSimulator], { now: () => now, scale: 600, callsPerMinute: null })
after(() => simulators.close())
const { base_url: baseUrl, credentials } = simulators.describe().slack!
const at = simulators.landmarks('slack')

/** The official client, pointed at the simulator. */
const clientOf = (token: string) =>
  new WebClient(token, { slackApiUrl: `${baseUrl}/`, retryConfig: { retries: 0 }, allowAbsoluteUrls: false })
const bot = clientOf(credentials[1]!.access_token!)
const user = clientOf(credentials[0]!.api_token!)

const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: { data?: { error?: string } }) => error.data?.error ?? String(error),
  )

const change = (name: string, more: object = {}) => simulators.change('slack', { change: name, ...more })

// biome-ignore lint/suspicious/noExplicitAny: answers are what these tests look into
type Any = any

/** All records of a method that the client pages by itself. */
async function all(client: WebClient, method: string, key: string, args: object = {}, limit = 7): Promise<Any[]> {
  const found: Any[] = []
  for await (const page of client.paginate(method, { limit, ...args })) found.push(...((page as Any)[key] ?? []))
  return found
}

const channel = at.launch!
const lists: Readonly<Record<string, () => Promise<Any[]>>> = {
  people: () => all(bot, 'users.list', 'members'),
  conversations: () => all(bot, 'conversations.list', 'channels', { types: 'public_channel,private_channel,mpim,im' }),
  'conversations of a person': () => all(user, 'users.conversations', 'channels', { user: at.user }),
  'messages of a channel': () => all(bot, 'conversations.history', 'messages', { channel }),
  'replies of a thread': () => all(bot, 'conversations.replies', 'messages', { channel, ts: at.parent }, 2),
  'items with reactions': () => all(user, 'reactions.list', 'items', {}, 2),
}

for (const [what, read] of Object.entries(lists))
  it(`the official client lists ${what} to the end`, async () => {
    const found = await read()
    assert.ok(found.length > 2)
    const ids = found.map(({ id, ts, message }) => id ?? ts ?? message.ts + message.text)
    assert.equal(new Set(ids).size, ids.length)
  })

const reads: Readonly<Record<string, () => Promise<Any>>> = {
  'a person': async () => (await bot.users.info({ user: at.user! })).user!.profile!.email,
  'a person by email': async () => (await bot.users.lookupByEmail({ email: 'ana@northwind-camping.example' })).user!.id,
  'a profile': async () => (await bot.users.profile.get({ user: at.user! })).profile!.real_name,
  presence: async () => (await bot.users.getPresence({ user: at.user! })).presence,
  'a channel': async () => (await bot.conversations.info({ channel })).channel!.name,
  members: async () => (await bot.conversations.members({ channel })).members![0],
  permalink: async () => (await bot.chat.getPermalink({ channel, message_ts: at.parent! })).permalink,
  'found messages': async () => (await user.search.messages({ query: 'ship' })).messages!.matches![0]!.permalink,
  'found files': async () => (await user.search.files({ query: 'shell' })).files!.matches![0]!.id,
  'all files': async () => (await bot.files.list({})).files![0]!.name,
  'a file': async () => (await bot.files.info({ file: at.file_pdf! })).file!.url_private_download,
  'user groups': async () => (await bot.usergroups.list({ include_users: true })).usergroups![0]!.users![0],
  'members of a group': async () => (await bot.usergroups.users.list({ usergroup: at.usergroup! })).users![0],
  pins: async () => ((await bot.pins.list({ channel })).items![0] as Any).message.text,
  bookmarks: async () => (await bot.bookmarks.list({ channel_id: channel })).bookmarks![0]!.title,
  reactions: async () =>
    ((await bot.reactions.get({ channel, timestamp: at.parent! })) as Any).message.reactions[0].name,
  emoji: async () => (await bot.emoji.list()).emoji!.tent,
  'the workspace': async () => (await bot.team.info()).team!.name,
  'profile fields': async () => (await bot.team.profile.get()).profile!.fields![0]!.label,
  'a bot': async () => (await bot.bots.info({ bot: at.bot! })).bot!.name,
}

for (const [what, read] of Object.entries(reads))
  it(`the official client reads ${what}`, async () => assert.match(String(await read()), /^.+$/))

describe('what a token may see', () => {
  const history = (client: WebClient, id: string | undefined) => errorOf(client.conversations.history({ channel: id! }))

  it('depends on its kind and its membership', async () => {
    assert.deepEqual(
      await Promise.all(
        [at.launch, at.quiet, at.board, at.archived, at.closed, 'C0NONE'].map((id) => history(bot, id)),
      ),
      ['none', 'not_in_channel', 'channel_not_found', 'none', 'not_in_channel', 'channel_not_found'],
    )
    assert.deepEqual(await Promise.all([at.quiet, at.board, at.closed].map((id) => history(user, id))), [
      'none',
      'none',
      'none',
    ])
    assert.equal(await errorOf(bot.search.messages({ query: 'ship' })), 'not_allowed_token_type')
    assert.equal(await errorOf(bot.files.info({ file: at.file_secret! })), 'file_not_found')
    assert.equal((await user.files.info({ file: at.file_secret! })).ok, true)
  })

  it('depends on its scopes: for each sort of conversation, and for addresses', async () => {
    change('settings', { without_scopes: ['groups:read', 'groups:history', 'users:read.email'] })
    await assert.rejects(
      bot.conversations.list({ types: 'public_channel,private_channel' }),
      ({ data }: Any) => data.error === 'missing_scope' && data.needed === 'groups:read',
    )
    assert.equal(await history(bot, at.leads), 'missing_scope')
    assert.equal((await bot.users.info({ user: at.user! })).user!.profile!.email, undefined)
    change('settings', { without_scopes: [] })
  })

  it('joining a public channel opens it to a bot, once and for all', async () => {
    assert.equal(await errorOf(bot.conversations.join({ channel: at.archived! })), 'is_archived')
    assert.equal(await errorOf(bot.conversations.join({ channel: at.leads! })), 'method_not_supported_for_channel_type')
    const joined = await bot.conversations.join({ channel: at.quiet! })
    assert.equal(joined.channel!.is_member, true)
    assert.deepEqual((await bot.conversations.join({ channel: at.quiet! })).response_metadata!.warnings, [
      'already_in_channel',
    ])
    assert.equal(await history(bot, at.quiet), 'none')
  })
})

describe('messages', () => {
  const texts = async (args: object) =>
    ((await bot.conversations.history({ channel, ...args })).messages ?? []).map(({ text }) => text)

  it('come newest first, between bounds that are exclusive unless told otherwise', async () => {
    const { messages = [] } = await bot.conversations.history({ channel, limit: 999 })
    const order = messages.map(({ ts }) => ts!)
    assert.deepEqual(order, order.toSorted().toReversed())
    const bounds = { oldest: at.plain, latest: at.parent }
    assert.deepEqual(await texts(bounds), [])
    assert.equal((await texts({ ...bounds, inclusive: true })).length, 2)
    assert.equal(await errorOf(texts({ oldest: 'yesterday' })), 'invalid_ts_oldest')
  })

  it('with replies tell of them; the thread has them all, its parent on the first page', async () => {
    const [parent] = (await bot.conversations.history({ channel, latest: at.parent!, limit: 1, inclusive: true }))
      .messages!
    assert.deepEqual(
      [parent!.thread_ts, parent!.reply_count, parent!.latest_reply],
      [at.parent, 2, '1780302000.000400'],
    )
    const page = await bot.conversations.replies({ channel, ts: at.parent!, limit: 2 })
    assert.deepEqual(
      page.messages!.map(({ ts }) => ts),
      [at.parent, at.firstReply],
    )
    const cursor = page.response_metadata!.next_cursor!
    const rest = await bot.conversations.replies({ channel, ts: at.parent!, limit: 2, cursor })
    assert.deepEqual(
      rest.messages!.map(({ ts, thread_ts }) => [ts, thread_ts]),
      [['1780302000.000400', at.parent]],
    )
    const alone = await bot.conversations.replies({ channel, ts: at.firstReply! })
    assert.equal(alone.messages!.length, 1)
    assert.equal(await errorOf(bot.conversations.replies({ channel, ts: '1.000000' })), 'thread_not_found')
  })

  it('are written, edited and deleted; what has replies leaves a tombstone', async () => {
    const { ts } = change('write', { channel, text: 'Meanwhile' }) as { ts: string }
    change('write', { channel, text: 'Below', thread_ts: ts })
    change('edit_message', { channel, ts, text: 'Meanwhile, edited' })
    const read = async () => (await bot.conversations.replies({ channel, ts })).messages![0] as Any
    assert.deepEqual([(await read()).text, typeof (await read()).edited.ts], ['Meanwhile, edited', 'string'])
    change('delete_message', { channel, ts })
    assert.equal((await read()).subtype, 'tombstone')
    const alone = change('write', { channel, text: 'Alone' }) as { ts: string }
    change('delete_message', { channel, ts: alone.ts })
    assert.equal(await errorOf(bot.conversations.replies({ channel, ts: alone.ts })), 'thread_not_found')
  })

  it('of one moment can stand in several channels', async () => {
    const { messages = [] } = await bot.conversations.history({ channel, limit: 999 })
    const other = (await bot.conversations.history({ channel: at.general!, limit: 999 })).messages ?? []
    const seconds = new Set(messages.map(({ ts }) => ts!.split('.')[0]))
    assert.ok(other.some(({ ts }) => seconds.has(ts!.split('.')[0])))
  })
})

describe('pages', () => {
  it('go on with a cursor of the same method and arguments only', async () => {
    const { response_metadata } = await bot.users.list({ limit: 3 })
    const cursor = response_metadata!.next_cursor!
    assert.equal((await bot.users.list({ limit: 3, cursor })).members!.length, 3)
    assert.equal(await errorOf(bot.conversations.list({ limit: 3, cursor })), 'invalid_cursor')
    assert.equal(await errorOf(bot.users.list({ cursor: 'x' })), 'invalid_cursor')
    for (const limit of [0, -1, 1000]) assert.equal(await errorOf(bot.users.list({ limit })), 'invalid_limit')
  })

  it('can be short or empty, with more to come', async () => {
    change('settings', { short_pages: true })
    const usual = (await bot.users.list({ limit: 999 })).members!.length
    assert.equal((await all(bot, 'users.list', 'members', {}, 6)).length, usual)
    change('settings', { short_pages: false })
    const pages: number[] = []
    for await (const page of bot.paginate('conversations.list', { limit: 1, exclude_archived: true }))
      pages.push((page as Any).channels.length)
    assert.ok(pages.includes(0) && pages.at(-1) !== undefined)
  })

  it('of files tell their number', async () => {
    const { paging, files } = (await bot.files.list({ count: 2, page: 2 })) as Any
    assert.deepEqual([files.length, paging.page, paging.count, paging.pages], [2, 2, 2, Math.ceil(paging.total / 2)])
    assert.equal(await errorOf(bot.files.list({ types: 'nothing' })), 'unknown_type')
  })
})

describe('limits', () => {
  it('count each method by itself, at its tier; a restricted application gets one history a minute', async (t) => {
    let clock = now
    const limited = await startSimulators([slackSimulator], { now: () => clock, scale: 600 })
    t.after(() => limited.close())
    const { base_url, credentials: own } = limited.describe().slack!
    const call = async (path: string) => {
      const headers = { authorization: `Bearer ${own[1]!.access_token}` }
      const response = await fetch(`${base_url}/${path}`, { headers })
      return {
        status: response.status,
        wait: response.headers.get('retry-after'),
        body: (await response.json()) as Any,
      }
    }
    for (let i = 0; i < 20; i++) assert.equal((await call('users.list')).status, 200)
    const over = await call('users.list')
    assert.deepEqual([over.status, over.wait, over.body], [429, '60', { ok: false, error: 'ratelimited' }])
    assert.equal((await call('conversations.list')).status, 200)
    clock += 61_000
    assert.equal((await call('users.list')).status, 200)
    limited.change('slack', { change: 'settings', restricted: true })
    const history = `conversations.history?channel=${at.general}&limit=200`
    assert.equal((await call(history)).body.messages.length, 15)
    assert.equal((await call(history)).status, 429)
  })
})

describe('the file host', () => {
  const download = async (token: string | null, path?: string) => {
    const { file } = await user.files.info({ file: path ?? at.file_pdf! })
    return fetch(file!.url_private_download!, { headers: token === null ? {} : { authorization: `Bearer ${token}` } })
  }

  it('gives a file to a token that sees it, and a sign-in page under status 200 to all others', async () => {
    const given = await download(credentials[1]!.access_token!)
    assert.equal(given.headers.get('content-type'), 'application/pdf')
    assert.equal((await given.arrayBuffer()).byteLength, 482_113)
    const nobody = await download(null)
    assert.deepEqual([nobody.status, nobody.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    assert.equal((await download(credentials[1]!.access_token!, at.file_secret)).status, 404)
  })

  it('keeps no file that is deleted, hidden or external', async () => {
    assert.equal(await errorOf(user.files.info({ file: at.file_deleted! })), 'file_deleted')
    const { file: hidden } = await user.files.info({ file: at.file_hidden! })
    assert.deepEqual([hidden!.mode, hidden!.url_private], ['hidden_by_limit', undefined])
    const { file: external } = await user.files.info({ file: at.file_external! })
    assert.deepEqual([external!.is_external, external!.url_private_download], [true, undefined])
  })
})
