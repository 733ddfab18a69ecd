/** Messages and threads, their addresses and their reactions, and Slack's own search for messages. */
import {
  array,
  boolean,
  entity,
  exactlyOneOf,
  get,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  objectOf,
  oneOf,
  optional,
  query,
  text,
} from '../../kit/connector.ts'
import { byCursor, byNumber, historyPages, isObject, messageTs, moment, scopesFor, slackId, teamId } from './fields.ts'
import { messageFields } from './message-fields.ts'
import { messageSearchFields, threadSearch } from './searchable.ts'
import { messageStream, threadStream } from './streams.ts'

const channel = slackId('The conversation.')

const within = {
  channel,
  oldest: optional(moment('Only messages after this moment; with inclusive, also one at it.')),
  latest: optional(moment('Only messages before this moment; now by default.')),
  inclusive: optional(boolean('Whether messages at the moments of oldest and latest count.')),
  include_all_metadata: optional(boolean('Adds what applications put beside messages.')),
}

export const channelMessages = entity({
  description: 'Messages of a conversation, without the replies in its threads.',
  list: list({
    description: 'List the messages of a conversation, newest first.',
    path: '/conversations.history',
    params: within,
    recordsAt: ['messages'],
    record: messageFields,
    paging: historyPages,
    scopes: scopesFor('history'),
  }),
  get: get({
    description: 'Get one message of a conversation. It finds no replies; threads list does.',
    path: '/conversations.history',
    params: { channel, ts: messageTs('The message.') },
    // The history of one moment.
    send: { ts: query('oldest', 'latest') },
    fixedQuery: { inclusive: 'true', limit: '1' },
    recordsAt: ['messages'],
    record: messageFields,
    reshape: ([found], { params }) =>
      Array.isArray(found) ? found.filter((message) => isObject(message) && message.ts === params.ts) : [],
    scopes: scopesFor('history'),
  }),
  searchable: messageSearchFields,
  sync: messageStream,
})

export const threads = entity({
  description: 'Replies to messages.',
  list: list({
    description: 'List a thread, oldest first: the message that begins it, and its replies.',
    path: '/conversations.replies',
    params: { ...within, ts: messageTs('The message that begins the thread.') },
    recordsAt: ['messages'],
    record: messageFields,
    paging: historyPages,
    scopes: scopesFor('history'),
  }),
  searchable: threadSearch,
  sync: threadStream,
})

export const messagePermalinks = entity({
  description: 'Addresses of messages.',
  get: get({
    description: 'Get the address of a message.',
    path: '/chat.getPermalink',
    params: { channel, message_ts: messageTs('The message.') },
    recordsAt: [],
    record: { channel: text('The conversation.'), permalink: text('The address.') },
  }),
})

const reacted = {
  type: text('message or file.'),
  channel: optional(text('The conversation of the message.')),
  message: optional(objectOf(messageFields, 'The message, with its reactions.')),
  file: optional(object('The file, with its reactions.')),
} as const

const full = optional(boolean('Whether to name everyone who reacted, however many.'))

export const reactions = entity({
  description: 'The emoji that people put to messages and files.',
  get: get({
    description: 'Get the reactions to one message or file.',
    path: '/reactions.get',
    params: {
      channel: optional(channel),
      timestamp: optional(messageTs('The message.')),
      file: optional(slackId('The file.')),
      file_comment: optional(slackId('The comment on a file.')),
      full,
    },
    rules: [
      exactlyOneOf(
        [['channel', 'timestamp'], ['file'], ['file_comment']],
        'Name one thing: a message by channel and timestamp, a file, or a file_comment.',
      ),
    ],
    recordsAt: [],
    record: reacted,
    scopes: ['reactions:read'],
  }),
  list: list({
    description: 'List what a person reacted to.',
    path: '/reactions.list',
    params: {
      user: optional(slackId('The person; by default the owner of the token.')),
      full,
      team_id: teamId,
    },
    recordsAt: ['items'],
    record: reacted,
    paging: byCursor(100),
    scopes: ['reactions:read'],
  }),
})

/** Of both of Slack's searches, which take user tokens only. */
export const searchParams = {
  query: text('Words, and the modifiers of Slack’s search box, as in:#general from:@ana.', {
    minLength: 1,
    maxLength: 2000,
  }),
  sort: optional(oneOf(['score', 'timestamp'], 'score by default.')),
  sort_dir: optional(oneOf(['asc', 'desc'], 'desc by default.')),
  highlight: optional(boolean('Marks what was found with U+E000 and U+E001.')),
  team_id: teamId,
}

export const messageSearch = entity({
  description: 'Slack’s own search for messages; it needs a user token.',
  list: list({
    description: 'Search messages as Slack’s search box does.',
    path: '/search.messages',
    params: searchParams,
    recordsAt: ['messages', 'matches'],
    record: {
      iid: optional(text('The id of the match.')),
      ts: id('The message.'),
      channel: objectOf(
        {
          id: id(),
          name: optional(text()),
          is_private: optional(boolean()),
          is_mpim: optional(boolean()),
          is_shared: optional(boolean()),
          is_ext_shared: optional(boolean()),
          is_org_shared: optional(boolean()),
          is_pending_ext_shared: optional(boolean()),
          pending_shared: optional(array()),
        },
        'The conversation.',
      ),
      text: optional(text()),
      type: optional(text('message, im, mpim or group.')),
      user: optional(nullable(text('Who wrote it.'))),
      username: optional(text()),
      team: optional(text('The workspace.')),
      permalink: optional(text('The address.')),
      score: optional(number('How well it fits.')),
      blocks: optional(array()),
      attachments: optional(array()),
      no_reactions: optional(boolean()),
      previous: optional(object()),
      next: optional(object()),
      reply_count: optional(integer()),
    },
    paging: byNumber(20, 100, 'messages', 'paging'),
    scopes: ['search:read'],
  }),
})
