/** User groups, such as @support, and who is in them. */
import {
  anyOf,
  array,
  boolean,
  entity,
  id,
  integer,
  list,
  nullable,
  objectOf,
  optional,
  text,
} from '../../kit/connector.ts'
import { slackId, teamId } from './fields.ts'
import { userGroupSearch } from './searchable.ts'
import { userGroupStream } from './streams.ts'

export const userGroupFields = {
  id: id('The id of the group: S….'),
  team_id: optional(text('The workspace.')),
  name: optional(text()),
  handle: optional(text('The name to mention it by.')),
  description: optional(text()),
  is_usergroup: optional(boolean()),
  is_subteam: optional(boolean()),
  is_external: optional(boolean('Whether it is of another workspace.')),
  is_idp_group: optional(boolean('Whether an identity provider keeps it.')),
  is_section: optional(boolean()),
  is_visible: optional(boolean()),
  auto_type: optional(nullable(text('admin or owner for groups that Slack keeps.'))),
  auto_provision: optional(boolean()),
  enterprise_subteam_id: optional(text()),
  date_create: optional(integer('In seconds since 1970.')),
  date_update: optional(integer('In seconds since 1970.')),
  date_delete: optional(integer('When it was disabled, in seconds since 1970; 0 while it is in use.')),
  created_by: optional(nullable(text())),
  updated_by: optional(nullable(text())),
  deleted_by: optional(nullable(text())),
  prefs: optional(
    objectOf({ channels: optional(array()), groups: optional(array()) }, 'The channels that its members join.'),
  ),
  users: optional(array('The members; only with include_users.')),
  // Slack's example shows a text.
  user_count: optional(anyOf([integer(), text()], 'How many members it has; only with include_count.')),
  channel_count: optional(integer()),
} as const

const includeDisabled = optional(boolean('Also lists groups that are no longer in use.'))

export const usergroups = entity({
  description: 'User groups of the workspace.',
  list: list({
    description: 'List the user groups.',
    path: '/usergroups.list',
    params: {
      include_users: optional(boolean('Adds the members of each group.')),
      include_count: optional(boolean('Adds the number of members.')),
      include_disabled: includeDisabled,
      team_id: teamId,
    },
    recordsAt: ['usergroups'],
    record: userGroupFields,
    scopes: ['usergroups:read'],
  }),
  searchable: userGroupSearch,
  sync: userGroupStream,
})

export const usergroupMembers = entity({
  description: 'Who is in a user group.',
  list: list({
    description: 'List the members of a user group.',
    path: '/usergroups.users.list',
    params: { usergroup: slackId('The group.'), include_disabled: includeDisabled, team_id: teamId },
    recordsAt: ['users'],
    record: { usergroup_id: id('The group.'), user_id: id('The person.') },
    // Slack lists bare ids.
    reshape: (ids, { params }) => ids.map((user) => ({ usergroup_id: params.usergroup, user_id: user })),
    scopes: ['usergroups:read'],
  }),
})
