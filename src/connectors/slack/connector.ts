/** The messaging connector: Slack's Web API (docs.slack.dev). */
import Type from 'typebox'
import { applicationOf, authMethod, connector, renewedAt, secret, type TokenEndpoint } from '../../kit/connector.ts'
import { bookmarks, channelMembers, channels, pins, userChannels } from './channels.ts'
import { readRefusal } from './errors.ts'
import { examples } from './examples.ts'
import { fileSearch, files } from './files.ts'
import { limits } from './limits.ts'
import { channelMessages, messagePermalinks, messageSearch, reactions, threads } from './messages.ts'
import { replicationConfig } from './replication-config.ts'
import { usergroupMembers, usergroups } from './usergroups.ts'
import { userByEmail, userPresence, userProfiles, users } from './users.ts'
import { authIdentity, bots, emoji, team, teamProfileFields } from './workspace.ts'

/** A token for calls. App-level tokens and refresh tokens look alike, but work for no call here. */
const token = (description: string) =>
  Type.String({
    ...secret(description),
    pattern: '^(?!xapp-|xoxe-)',
    'x-form': 'a bot or user token (xoxb-…, xoxp-…), not an app-level or a refresh token',
  })

const tokens: TokenEndpoint = {
  tokenAddress: { url: 'https://slack.com/api/oauth.v2.access', relativeToBase: 'oauth.v2.access' },
  // Method page oauth.v2.access: HTTP Basic is preferred to form fields.
  clientAuthentication: 'basic',
  // An installation without bot scopes returns only a token of the person, one level down.
  grantAt: [[], ['authed_user']],
  refusals: {
    passing: ['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'],
    application: [
      'invalid_client_id',
      'bad_client_secret',
      'bad_redirect_uri',
      'invalid_grant_type',
      'no_scopes',
      'pkce_not_allowed',
      'oauth_authorization_url_mismatch',
    ],
  },
}

export const slack = connector({
  kind: 'slack',
  definitionId: 'c2281cee-86f9-4a86-bb48-d23286b4c7bd',
  title: 'Slack',
  baseUrl: 'https://slack.com/api',
  authMethods: [
    authMethod({
      name: 'oauth',
      title: 'OAuth 2.0',
      credentials: {
        access_token: token('The bot token of an installation.'),
        ...applicationOf({
          id: 'The installed application; by default the platform’s.',
          secret: 'The secret of that application.',
        }),
      },
      // Only applications that rotate their tokens get a refresh token, and callers cannot send it flat.
      authorization: renewedAt(tokens),
      consent: {
        ...tokens,
        consentAddress: { url: 'https://slack.com/oauth/v2/authorize', relativeToBase: '../oauth/v2/authorize' },
        scopes: [
          ...['users:read', 'users:read.email', 'users.profile:read'],
          ...['channels:read', 'channels:history', 'channels:join', 'groups:read', 'groups:history'],
          ...['im:read', 'im:history', 'mpim:read', 'mpim:history'],
          ...['files:read', 'usergroups:read', 'team:read', 'pins:read', 'bookmarks:read'],
          ...['reactions:read', 'emoji:read'],
        ],
        scopeSeparator: ',',
        // Applications must allow it first, and otherwise refuse it (pkce_not_allowed).
        pkce: false,
      },
      revocation: {
        address: { url: 'https://slack.com/api/auth.revoke', relativeToBase: 'auth.revoke' },
        token: 'access_token',
        tokenIn: 'bearer',
        application: false,
        gone: ['token_revoked', 'invalid_auth', 'account_inactive'],
      },
    }),
    authMethod({
      name: 'token',
      title: 'API token',
      credentials: { api_token: token('A bot token or a user token.') },
      authorization: { style: 'bearer', token: 'api_token' },
    }),
  ],
  replicationConfig,
  check: { entity: 'auth_identity', action: 'get', params: {} },
  // Every method of Slack answers to GET, those that write as well, so that each one that only reads is named.
  rawReads: {
    get: [
      'auth.test',
      'bookmarks.list',
      'bots.info',
      'calls.info',
      'chat.getPermalink',
      'chat.scheduledMessages.list',
      'conversations.history',
      'conversations.info',
      'conversations.list',
      'conversations.members',
      'conversations.replies',
      'dnd.info',
      'dnd.teamInfo',
      'emoji.list',
      'files.info',
      'files.list',
      'files.remote.info',
      'files.remote.list',
      'pins.list',
      'reactions.get',
      'reactions.list',
      'reminders.info',
      'reminders.list',
      'search.all',
      'search.files',
      'search.messages',
      'stars.list',
      'team.info',
      'team.profile.get',
      'usergroups.list',
      'usergroups.users.list',
      'users.conversations',
      'users.getPresence',
      'users.info',
      'users.list',
      'users.lookupByEmail',
      'users.profile.get',
    ].map((method) => `/${method}`),
    refusedQuery: ['token'],
  },
  readRefusal,
  limits,
  examples,
  entities: {
    users,
    user_by_email: userByEmail,
    user_profiles: userProfiles,
    user_presence: userPresence,
    user_channels: userChannels,
    channels,
    channel_members: channelMembers,
    channel_messages: channelMessages,
    threads,
    message_permalinks: messagePermalinks,
    message_search: messageSearch,
    file_search: fileSearch,
    files,
    usergroups,
    usergroup_members: usergroupMembers,
    pins,
    bookmarks,
    reactions,
    emoji,
    team,
    team_profile_fields: teamProfileFields,
    bots,
    auth_identity: authIdentity,
  },
})
