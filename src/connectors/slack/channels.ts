/** Conversations of all sorts, and what belongs to one: its members, its pins, its bookmarks. */
import {
  array,
  boolean,
  entity,
  form,
  get,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  objectOf,
  optional,
  text,
} from '../../kit/connector.ts'
import { byCursor, conversationTypes, includeLocale, scopesFor, slackId, teamId } from './fields.ts'
import { asMembers, memberFields } from './member-fields.ts'
import { messageFields } from './message-fields.ts'
import { channelSearch, memberSearch } from './searchable.ts'
import { channelMemberStream, channelStream } from './streams.ts'

const words = (description: string) =>
  optional(
    objectOf(
      {
        value: optional(text('The text.')),
        creator: optional(text('Who wrote it.')),
        last_set: optional(integer('When, in seconds since 1970; 0 for never.')),
      },
      description,
    ),
  )

export const channelFields = {
  id: id('The id of the conversation: C…, G… or D….'),
  name: optional(text('The name without #; direct messages have none.')),
  name_normalized: optional(text('The name in the form by which names are compared.')),
  previous_names: optional(array('Names that it had before.')),
  is_channel: optional(boolean()),
  is_group: optional(boolean('Whether this is a private channel from before 2021.')),
  is_im: optional(boolean('Whether this is a direct message.')),
  is_mpim: optional(boolean('Whether this is a direct message of several people.')),
  is_private: optional(boolean()),
  is_archived: optional(boolean()),
  is_general: optional(boolean('Whether everyone is in it.')),
  is_shared: optional(boolean('Whether another workspace is in it.')),
  is_org_shared: optional(boolean('Whether it is shared inside of the organization.')),
  is_ext_shared: optional(boolean('Whether it is shared with another organization.')),
  is_pending_ext_shared: optional(boolean()),
  is_member: optional(boolean('Whether the owner of the token is in it.')),
  is_thread_only: optional(boolean('Whether only replies can be written.')),
  is_read_only: optional(boolean()),
  is_open: optional(boolean('Whether a direct message is open.')),
  creator: optional(text('Who made it.')),
  created: optional(integer('When it was made, in seconds since 1970.')),
  updated: optional(integer('When its settings last changed, in milliseconds since 1970.')),
  unlinked: optional(integer()),
  num_members: optional(integer('How many members it has; not in every answer.')),
  topic: words('The topic.'),
  purpose: words('The purpose.'),
  properties: optional(nullable(object('Tabs, canvas and posting rules.'))),
  user: optional(text('In a direct message, the other person.')),
  is_user_deleted: optional(boolean('In a direct message, whether the other person was deactivated.')),
  priority: optional(nullable(number('In a direct message, how near the person is.'))),
  last_read: optional(text('The ts up to which the owner of the token has read.')),
  latest: optional(nullable(object('The last message.'))),
  locale: optional(text('The language, as en-US; only with include_locale.')),
  context_team_id: optional(text('The workspace in whose view it is.')),
  conversation_host_id: optional(text('The workspace that hosts it.')),
  parent_conversation: optional(nullable(text('The conversation that it belongs to.'))),
  shared_team_ids: optional(array('The workspaces that are in it.')),
  internal_team_ids: optional(array('The workspaces of the organization that are in it.')),
  pending_shared: optional(array('The workspaces that are invited.')),
  pending_connected_team_ids: optional(array('The workspaces that have not accepted yet.')),
} as const

const channel = slackId('The conversation.')
const excludeArchived = optional(
  boolean('Leaves out archived conversations. Slack does so after it has cut a page, so pages can be nearly empty.'),
)

export const channels = entity({
  description: 'Channels, private channels, and direct messages.',
  list: list({
    description: 'List the conversations that the token can see.',
    path: '/conversations.list',
    params: { types: conversationTypes, exclude_archived: excludeArchived, team_id: teamId },
    recordsAt: ['channels'],
    record: channelFields,
    paging: byCursor(200),
    scopes: scopesFor('read'),
  }),
  get: get({
    description: 'Get one conversation.',
    path: '/conversations.info',
    params: {
      channel,
      include_locale: includeLocale,
      include_num_members: optional(boolean('Adds the number of members.')),
    },
    recordsAt: ['channel'],
    record: channelFields,
    scopes: scopesFor('read'),
  }),
  searchable: channelSearch,
  sync: channelStream,
})

export const userChannels = entity({
  description: 'The conversations that a person is in.',
  list: list({
    description: 'List the conversations of a person, by default of the owner of the token, that the token can see.',
    path: '/users.conversations',
    params: {
      user: optional(slackId('The person; by default the owner of the token.')),
      types: conversationTypes,
      exclude_archived: excludeArchived,
      team_id: teamId,
    },
    recordsAt: ['channels'],
    record: channelFields,
    paging: byCursor(200),
    scopes: scopesFor('read'),
  }),
})

export const channelMembers = entity({
  description: 'Who is in a conversation.',
  list: list({
    description: 'List the members of a conversation.',
    path: '/conversations.members',
    params: { channel },
    recordsAt: ['members'],
    record: memberFields,
    reshape: asMembers,
    paging: byCursor(200),
    scopes: scopesFor('read'),
  }),
  searchable: memberSearch,
  sync: channelMemberStream,
})

export const pins = entity({
  description: 'What is pinned to a conversation.',
  list: list({
    description: 'List the messages and files that are pinned to a conversation.',
    path: '/pins.list',
    params: { channel },
    recordsAt: ['items'],
    record: {
      type: text('message or file.'),
      channel: optional(text('The conversation.')),
      created: optional(integer('When it was pinned, in seconds since 1970.')),
      created_by: optional(text('Who pinned it.')),
      message: optional(objectOf(messageFields, 'The message.')),
      file: optional(object('The file.')),
    },
    scopes: ['pins:read'],
  }),
})

export const bookmarks = entity({
  description: 'The links at the top of a conversation.',
  list: list({
    description: 'List the bookmarks of a conversation.',
    method: 'POST',
    path: '/bookmarks.list',
    params: { channel_id: channel },
    send: { channel_id: form('channel_id') },
    recordsAt: ['bookmarks'],
    record: {
      id: id(),
      channel_id: optional(text('The conversation.')),
      title: optional(text()),
      link: optional(text('The address.')),
      emoji: optional(nullable(text())),
      icon_url: optional(nullable(text())),
      type: optional(text('link, for now.')),
      entity_id: optional(nullable(text())),
      app_id: optional(nullable(text())),
      app_action_id: optional(nullable(text())),
      rank: optional(text('The place among the bookmarks, as text that sorts.')),
      shortcut_id: optional(nullable(text())),
      date_created: optional(integer('In seconds since 1970.')),
      date_updated: optional(integer('In seconds since 1970; 0 for never.')),
      last_updated_by_user_id: optional(nullable(text())),
      last_updated_by_team_id: optional(nullable(text())),
    },
    scopes: ['bookmarks:read'],
  }),
})
