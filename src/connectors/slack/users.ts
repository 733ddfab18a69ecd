/** People: members, guests, bots, and those who have left; their profiles and their presence. */
import {
  array,
  boolean,
  entity,
  get,
  id,
  integer,
  list,
  object,
  objectOf,
  optional,
  text,
} from '../../kit/connector.ts'
import { byCursor, includeLocale, slackId, teamId } from './fields.ts'
import { userSearch } from './searchable.ts'
import { userStream } from './streams.ts'

const image = (size: string) => optional(text(`The address of the picture, ${size}.`))

/** Slack documents more; whatever else a workspace has, its profiles have it too. */
export const profileFields = {
  title: optional(text('The job title.')),
  phone: optional(text()),
  skype: optional(text()),
  real_name: optional(text('The full name.')),
  real_name_normalized: optional(text('The full name in Latin letters without accents.')),
  display_name: optional(text('The name in conversations; empty if the person chose none.')),
  display_name_normalized: optional(text('The display name in Latin letters without accents.')),
  first_name: optional(text()),
  last_name: optional(text()),
  email: optional(text('Only with the scope users:read.email.')),
  pronouns: optional(text()),
  start_date: optional(text('The first day at work.')),
  status_text: optional(text('What the person is doing.')),
  status_text_canonical: optional(text('The status, if it is one that Slack suggests.')),
  status_emoji: optional(text('The emoji of the status, as :name:.')),
  status_emoji_display_info: optional(array('How to show the emoji.')),
  status_expiration: optional(integer('When the status ends, in seconds since 1970; 0 for never.')),
  huddle_state: optional(text()),
  always_active: optional(boolean('For bots: whether they always show as active.')),
  avatar_hash: optional(text('Changes with the picture.')),
  image_24: image('24 pixels wide'),
  image_32: image('32 pixels wide'),
  image_48: image('48 pixels wide'),
  image_72: image('72 pixels wide'),
  image_192: image('192 pixels wide'),
  image_512: image('512 pixels wide'),
  image_1024: image('1,024 pixels wide'),
  image_original: image('as it was uploaded'),
  team: optional(text('The workspace.')),
  bot_id: optional(text('For bots: the id of the bot.')),
  api_app_id: optional(text('For bots: the application.')),
} as const

export const userFields = {
  id: id('The id of the person: U… or W….'),
  team_id: optional(text('The workspace.')),
  name: optional(text('The user name.')),
  deleted: optional(boolean('Whether the account was deactivated.')),
  color: optional(text('The colour of the name, as hexadecimal digits.')),
  real_name: optional(text('The full name.')),
  tz: optional(text('The time zone, as Europe/Lisbon.')),
  tz_label: optional(text('The name of the time zone.')),
  tz_offset: optional(integer('Seconds from UTC.')),
  profile: optional(objectOf(profileFields, 'The profile of the person.')),
  is_admin: optional(boolean()),
  is_owner: optional(boolean()),
  is_primary_owner: optional(boolean()),
  is_restricted: optional(boolean('Whether this is a guest.')),
  is_ultra_restricted: optional(boolean('Whether this is a guest of a single channel.')),
  is_bot: optional(boolean()),
  is_app_user: optional(boolean('Whether this is the application that owns the token.')),
  is_stranger: optional(boolean('Whether the person is of another workspace, and shares no channel.')),
  is_invited_user: optional(boolean('Whether the invitation was not accepted yet.')),
  is_forgotten: optional(boolean()),
  is_workflow_bot: optional(boolean()),
  is_email_confirmed: optional(boolean()),
  has_2fa: optional(boolean('Whether the account has a second factor.')),
  two_factor_type: optional(text('app or sms.')),
  who_can_share_contact_card: optional(text()),
  updated: optional(integer('When the person was last changed, in seconds since 1970.')),
  locale: optional(text('The language, as en-US; only with include_locale.')),
  enterprise_user: optional(object('The person in the organization that the workspace belongs to.')),
  teams: optional(array('The workspaces of the person, in an organization.')),
} as const

const user = slackId('The person.')
const owner = optional(slackId('The person; by default the owner of the token.'))

export const users = entity({
  description: 'People of the workspace, with guests, bots, and deactivated accounts.',
  list: list({
    description: 'List all people of the workspace, including bots and deactivated accounts.',
    path: '/users.list',
    params: { include_locale: includeLocale, team_id: teamId },
    recordsAt: ['members'],
    record: userFields,
    paging: byCursor(200),
    scopes: ['users:read'],
  }),
  get: get({
    description: 'Get one person.',
    path: '/users.info',
    params: { user, include_locale: includeLocale },
    recordsAt: ['user'],
    record: userFields,
    scopes: ['users:read'],
  }),
  searchable: userSearch,
  sync: userStream,
})

/** Finds active people only. */
export const userByEmail = entity({
  description: 'A person by their email address.',
  get: get({
    description: 'Find a person by their email address.',
    path: '/users.lookupByEmail',
    params: { email: text('The address.', { pattern: '^[^\\s@]{1,200}@[^\\s@]{1,200}$' }) },
    recordsAt: ['user'],
    record: userFields,
    scopes: ['users:read.email'],
  }),
})

export const userProfiles = entity({
  description: 'What a person tells about themselves, with the fields that the workspace has added.',
  get: get({
    description: 'Get the profile of a person.',
    path: '/users.profile.get',
    params: {
      user: owner,
      include_labels: optional(boolean('Adds the names of the workspace’s own fields.')),
    },
    recordsAt: ['profile'],
    record: {
      ...profileFields,
      fields: optional(object('The workspace’s own fields, by their id; an empty list if there are none.')),
    },
    scopes: ['users.profile:read'],
  }),
})

export const userPresence = entity({
  description: 'Whether a person is there.',
  get: get({
    description: 'Get whether a person is active; of the owner of the token, more.',
    path: '/users.getPresence',
    params: { user: owner },
    recordsAt: [],
    record: {
      presence: text('active or away.'),
      online: optional(boolean('Whether any program of the owner is connected.')),
      auto_away: optional(boolean('Whether nothing was heard of the owner’s programs for ten minutes.')),
      manual_away: optional(boolean('Whether the owner chose to be away.')),
      connection_count: optional(integer('How many programs of the owner are connected.')),
      last_activity: optional(integer('When the owner was last active, in seconds since 1970.')),
    },
    scopes: ['users:read'],
  }),
})
