/** All that a simulated Slack shows a token. */
import { type Any, ask, byId, type Truth } from './ask.ts'

export async function slackTruth(base: string, token: string, startDate: string): Promise<Truth> {
  const read = async (method: string, query: Readonly<Record<string, string>> = {}): Promise<Any> => {
    const answer = await ask(`${base}/${method}?${new URLSearchParams(query)}`, `Bearer ${token}`)
    if (answer.ok) return answer
    throw new Error(`${method} ${JSON.stringify(query)}: ${answer.error}`)
  }
  async function list(method: string, at: string, query: Readonly<Record<string, string>> = {}): Promise<Any[]> {
    const found: Any[] = []
    for (let cursor = ''; ; ) {
      const answer = await read(method, { limit: '170', ...query, ...(cursor !== '' && { cursor }) })
      found.push(...answer[at])
      cursor = answer.response_metadata?.next_cursor ?? ''
      if (cursor === '') return found
    }
  }

  const { bot_id: bot } = await read('auth.test')
  const types = 'public_channel,private_channel'
  const channels = (await list('conversations.list', 'channels', { types })).map((channel) => ({
    ...channel,
    // A person reads every public channel, a bot those that it is in.
    is_readable: channel.is_member || (bot === undefined && !channel.is_private),
  }))
  const members: Any[] = []
  const messages: Any[] = []
  const replies: Any[] = []
  for (const { id: channel, is_readable: isReadable } of channels) {
    const ids = await list('conversations.members', 'members', { channel })
    members.push(...ids.map((member_id) => ({ channel_id: channel, member_id })))
    if (!isReadable) continue
    const placed = (message: Any) => ({ ...message, channel_id: channel, float_ts: Number(message.ts) })
    const oldest = String(Date.parse(startDate) / 1000)
    const history = await list('conversations.history', 'messages', { channel, oldest, inclusive: 'true' })
    messages.push(...history.map(placed))
    for (const { ts, reply_count: count } of history)
      if (count > 0) {
        const thread = await list('conversations.replies', 'messages', { channel, ts })
        replies.push(...thread.filter((one) => one.ts !== ts).map(placed))
      }
  }

  const files: Any[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await read('files.list', { count: '170', page: String(page) })
    files.push(...answer.files)
    pages = answer.paging.pages
  }
  const whole = { include_users: 'true', include_count: 'true', include_disabled: 'true' }
  const ofMessage = ({ channel_id, ts }: Any): string => `${channel_id}:${ts}`
  return {
    users: byId(await list('users.list', 'members'), ({ id }) => id),
    channels: byId(channels, ({ id }) => id),
    channel_members: byId(members, ({ channel_id, member_id }) => `${channel_id}:${member_id}`),
    channel_messages: byId(messages, ofMessage),
    threads: byId(replies, ofMessage),
    files: byId(files, ({ id }) => id),
    usergroups: byId((await read('usergroups.list', whole)).usergroups, ({ id }) => id),
  }
}
