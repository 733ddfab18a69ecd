/** The workspace itself: its emoji, its profile fields, its bots, and the owner of the token. */
import {
  array,
  boolean,
  entity,
  get,
  id,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  text,
} from '../../kit/connector.ts'
import { slackId, teamId } from './fields.ts'

export const emoji = entity({
  description: 'The emoji that the workspace has added.',
  list: list({
    description: 'List the emoji that the workspace has added.',
    path: '/emoji.list',
    params: { include_categories: optional(boolean('Has Slack look up the categories of its own emoji too.')) },
    recordsAt: ['emoji'],
    entriesAs: ['name', 'value'],
    record: { name: id('The name, without colons.'), value: text('The address of the picture, or alias:<name>.') },
    scopes: ['emoji:read'],
  }),
})

export const team = entity({
  description: 'The workspace.',
  get: get({
    description: 'Get the workspace of the token, or another one that shares channels with it.',
    path: '/team.info',
    params: {
      team: optional(slackId('The workspace; by default that of the token.')),
      domain: optional(text('The domain of the workspace, in its organization.', { minLength: 1, maxLength: 200 })),
    },
    recordsAt: ['team'],
    record: {
      id: id('The id of the workspace: T….'),
      name: optional(text()),
      url: optional(text()),
      domain: optional(text()),
      email_domain: optional(text('The domain whose addresses may sign up.')),
      icon: optional(object('The pictures of the workspace, by size.')),
      avatar_base_url: optional(text()),
      is_verified: optional(boolean()),
      discoverable: optional(text()),
      enterprise_id: optional(text('The organization.')),
      enterprise_name: optional(text()),
      enterprise_domain: optional(text()),
    },
    scopes: ['team:read'],
  }),
})

export const teamProfileFields = entity({
  description: 'The fields that the workspace has added to profiles.',
  list: list({
    description: 'List the fields that the workspace has added to profiles.',
    path: '/team.profile.get',
    params: { visibility: optional(oneOf(['all', 'visible', 'hidden'], 'Which fields; all by default.')) },
    recordsAt: ['profile', 'fields'],
    record: {
      id: id('The id of the field: Xf….'),
      ordering: optional(integer('Its place among the fields.')),
      label: optional(text('Its name.')),
      hint: optional(nullable(text())),
      type: optional(text('text, date, link, options_list or user.')),
      possible_values: optional(nullable(array())),
      options: optional(nullable(object())),
      is_hidden: optional(boolean()),
      is_inverse: optional(boolean()),
      is_scim: optional(boolean()),
      field_name: optional(text()),
      section_id: optional(text()),
    },
    scopes: ['users.profile:read'],
  }),
})

export const bots = entity({
  description: 'Bots.',
  get: get({
    description: 'Get one bot.',
    path: '/bots.info',
    params: { bot: optional(slackId('The bot: B….')), team_id: teamId },
    recordsAt: ['bot'],
    record: {
      id: id('The id of the bot: B….'),
      name: optional(text()),
      deleted: optional(boolean()),
      updated: optional(integer('In seconds since 1970.')),
      app_id: optional(text('The application.')),
      user_id: optional(text('The bot as a person.')),
      icons: optional(object('The pictures of the bot, by size.')),
    },
    scopes: ['users:read'],
  }),
})

/** Requires no scope, and has no published limit of calls per minute (method page auth.test): the check of a connector. */
export const authIdentity = entity({
  description: 'The owner of the token.',
  get: get({
    description: 'Get who the token belongs to.',
    path: '/auth.test',
    recordsAt: [],
    record: {
      user_id: id('The person, or the bot as a person.'),
      user: optional(text('The user name.')),
      team_id: optional(text('The workspace.')),
      team: optional(text('The name of the workspace.')),
      url: optional(text('The address of the workspace.')),
      bot_id: optional(text('The bot; only of a bot token.')),
      enterprise_id: optional(text('The organization.')),
      is_enterprise_install: optional(boolean('Whether the token is of a whole organization.')),
      expires_in: optional(integer('Seconds until the token ends; only of tokens that rotate.')),
    },
  }),
})
