/** How Conex fills the copies of Slack's entities. */
import {
  boolean,
  ConexError,
  days,
  get,
  id,
  identifiedBy,
  type ListOperation,
  list,
  minutes,
  nowhere,
  optional,
  type Params,
  type Parents,
  query,
  type Reader,
  type ReshapeContext,
  type Stream,
  text,
} from '../../kit/connector.ts'
import { byCursor, byNumber, isObject, slackId } from './fields.ts'
import { asMembers, memberFields } from './member-fields.ts'

const forCopy = { description: 'For the copy.', record: { id: id() } } as const

export const userStream: Stream = {
  listings: [{ list: list({ ...forCopy, path: '/users.list', recordsAt: ['members'], paging: byCursor(200) }) }],
  identity: identifiedBy('id'),
  note: 'The copy keeps deactivated accounts.',
  confirm: {
    get: get({ ...forCopy, path: '/users.info', params: { user: slackId('') }, recordsAt: ['user'] }),
    param: 'user',
    field: 'id',
  },
}

type Channel = Readonly<Record<string, unknown>>

/** Only bots must be members of a public channel to read it. */
async function withReadable(channels: readonly unknown[], { read }: Pick<Reader, 'read'>): Promise<readonly unknown[]> {
  const owner = await read({ path: '/auth.test' })
  const isBot = isObject(owner) && typeof owner.bot_id === 'string'
  return channels.map((channel) =>
    isObject(channel)
      ? { ...channel, is_readable: channel.is_member === true || (!isBot && channel.is_private === false) }
      : channel,
  )
}

const channelsOf = (types: string, readRefusal?: ListOperation['readRefusal']) =>
  list({
    ...forCopy,
    path: '/conversations.list',
    fixedQuery: { types },
    recordsAt: ['channels'],
    reshape: withReadable,
    paging: byCursor(200),
    ...(readRefusal && { readRefusal }),
  })

export const channelStream: Stream = {
  listings: [
    { list: channelsOf('public_channel') },
    {
      // Without the scope, a token sees no private channel.
      list: channelsOf('private_channel', ({ message }) =>
        message.startsWith('missing_scope') ? { answer: { channels: [] } } : null,
      ),
    },
  ],
  identity: identifiedBy('id'),
  note: 'The copy holds public and private channels, not direct messages. is_readable is added by Conex: whether the token may read the messages of the channel.',
  confirm: {
    get: get({
      ...forCopy,
      path: '/conversations.info',
      params: { channel: slackId('') },
      fixedQuery: { include_num_members: 'true' },
      recordsAt: ['channel'],
      reshape: withReadable,
    }),
    param: 'channel',
    field: 'id',
  },
}

const isChosen = ({ id, data }: { readonly id: string; readonly data: Channel }, filter: unknown): boolean =>
  !Array.isArray(filter) || filter.length === 0 || filter.includes(id) || filter.includes(`#${String(data.name)}`)

const isJoinable = ({ is_private, is_archived }: Channel): boolean => is_private !== true && is_archived !== true

const channelFields = ['name', 'is_readable', 'is_private', 'is_archived']

/** Loss of access is no deletion: what was copied of an archived channel stays, for example. */
const closed: Stream['closed'] = {
  entity: 'channels',
  field: 'channel_id',
  fields: channelFields,
  is: (parent, { channel_filter, join_channels }) =>
    !isChosen(parent, channel_filter) ||
    !(parent.data.is_readable === true || (join_channels === true && isJoinable(parent.data))),
}

const inChannel: Parents['children'] = ({ id }) => ({ eq: { channel_id: id } })

export const channelMemberStream: Stream = {
  listings: [
    {
      list: list({
        description: 'For the copy.',
        path: '/conversations.members',
        params: { channel: slackId('') },
        recordsAt: ['members'],
        record: memberFields,
        reshape: asMembers,
        paging: byCursor(999),
      }),
      over: {
        entity: 'channels',
        fields: channelFields,
        params: (channel, { channel_filter }) => (isChosen(channel, channel_filter) ? [{ channel: channel.id }] : []),
        children: inChannel,
      },
    },
  ],
  identity: identifiedBy('channel_id', 'member_id'),
}

/** The messages of a page with the channel that they are in, which Slack does not say. */
const placed = (messages: readonly unknown[], { params }: Pick<ReshapeContext, 'params'>): readonly unknown[] =>
  messages.map((message) =>
    isObject(message) ? { ...message, channel_id: params.channel, float_ts: Number(message.ts) } : message,
  )

const messageRecord = { channel_id: id(), ts: id() } as const

/** Refusals of a join that leave the channel as it is. */
const unjoinable: readonly string[] = ['upstream_refused', 'upstream_forbidden', 'record_not_found']

/** The only call that changes something in the workspace: everyone in the channel sees that the bot has joined. */
async function joining({ join, ...params }: Params, { read }: Reader): Promise<Params> {
  if (join !== true || params.cursor !== undefined) return params
  try {
    await read({ method: 'POST', path: '/conversations.join', form: { channel: String(params.channel) } })
  } catch (error) {
    if (!(error instanceof ConexError) || !unjoinable.includes(error.code)) throw error
  }
  return params
}

const history = list({
  description: 'For the copy.',
  path: '/conversations.history',
  params: { channel: slackId(''), oldest: text(), latest: text(), join: optional(boolean()) },
  send: { join: nowhere },
  fixedQuery: { inclusive: 'true' },
  prepare: joining,
  recordsAt: ['messages'],
  record: messageRecord,
  reshape: placed,
  paging: byCursor(200),
})

/** Reads one message by the id of its hits; its ts goes under these names. */
const oneMessage = (path: string, fixedQuery: Readonly<Record<string, string>>, ...names: [string, ...string[]]) => ({
  get: get({
    description: 'For the copy.',
    path,
    params: { id: text(), channel: optional(text()), ts: optional(text()) },
    send: { id: nowhere, ts: query(...names) },
    fixedQuery: { ...fixedQuery, limit: '1' },
    prepare: async ({ id: key }) => {
      const [channel, ts] = String(key).split(':')
      return { channel, ts }
    },
    recordsAt: ['messages'],
    record: messageRecord,
    reshape: ([found], context) =>
      placed(Array.isArray(found) ? found : [], context).filter((one) => isObject(one) && one.ts === context.params.ts),
  }),
  param: 'id',
})

const tsOf = (moment: number): string => (moment / 1000).toFixed(6)

/** Days of the setting, and a little more for clocks that differ. */
const lookBack = ({ lookback_window: window }: Readonly<Record<string, unknown>>): number =>
  Number(window ?? 0) * days + 10 * minutes

export const messageStream: Stream = {
  listings: [
    {
      list: history,
      over: {
        entity: 'channels',
        fields: channelFields,
        params: ({ id: channel, data }) => [{ channel, ...(data.is_readable !== true && { join: true }) }],
        children: inChannel,
      },
      windows: {
        length: 100 * days,
        history: 30 * days,
        lookBack,
        step: 1,
        params: (from, to, now) => ({ oldest: tsOf(from), latest: tsOf(to ?? now) }),
        field: 'ts',
        margin: 1,
        write: tsOf,
      },
    },
  ],
  identity: identifiedBy('channel_id', 'ts'),
  note: 'The copy holds messages from start_date on, of the channels that the token may read. Edits of messages older than lookback_window, and deletions, are seen once a week. channel_id and float_ts are added by Conex. What was copied of a channel stays when the token may no longer read it.',
  confirm: oneMessage('/conversations.history', { inclusive: 'true' }, 'oldest', 'latest'),
  closed,
  fullEvery: 7 * days,
}

/** The message itself is in channel_messages. */
const repliesAlone = (messages: readonly unknown[], context: Pick<ReshapeContext, 'params'>): readonly unknown[] =>
  placed(
    messages.filter((message) => !isObject(message) || message.ts !== context.params.ts),
    context,
  )

export const threadStream: Stream = {
  listings: [
    {
      list: list({
        description: 'For the copy.',
        path: '/conversations.replies',
        params: { channel: slackId(''), ts: text() },
        recordsAt: ['messages'],
        record: messageRecord,
        reshape: repliesAlone,
        paging: byCursor(200),
      }),
      over: {
        entity: 'channel_messages',
        where: { gt: { reply_count: 0 } },
        fields: ['channel_id', 'ts'],
        params: ({ data: { channel_id: channel, ts } }) => [{ channel, ts }],
        children: ({ id: key }) => {
          const [channel, ts] = key.split(':')
          return { and: [{ eq: { channel_id: channel } }, { eq: { thread_ts: ts } }] }
        },
        changed: { field: 'latest_reply', lookBack, write: tsOf },
      },
    },
  ],
  identity: identifiedBy('channel_id', 'ts'),
  note: 'The copy holds the replies to the messages in the copy of channel_messages; new ones to messages older than lookback_window are seen once a week.',
  confirm: oneMessage('/conversations.replies', {}, 'ts'),
  closed,
  fullEvery: 7 * days,
}

export const fileStream: Stream = {
  listings: [
    {
      list: list({ ...forCopy, path: '/files.list', recordsAt: ['files'], paging: byNumber(200, 1000, 'paging') }),
    },
  ],
  identity: identifiedBy('id'),
  confirm: {
    get: get({ ...forCopy, path: '/files.info', params: { file: slackId('') }, recordsAt: ['file'] }),
    param: 'file',
    field: 'id',
  },
}

export const userGroupStream: Stream = {
  listings: [
    {
      list: list({
        ...forCopy,
        path: '/usergroups.list',
        fixedQuery: { include_users: 'true', include_count: 'true', include_disabled: 'true' },
        recordsAt: ['usergroups'],
      }),
    },
  ],
  identity: identifiedBy('id'),
  note: 'The copy holds groups that are no longer in use, with the time of their end in date_delete.',
}
