/** Conversations: lists of them, their members, joining one, and what is pinned or bookmarked in it. */
import { type Page, param } from '../../../kit/simulator.ts'
import type { Caller } from './access.ts'
import { byCursor, following, includeLocale, list, route, shortened, teamId } from './declare.ts'
import type { Channel, ChannelType } from './records.ts'
import { fine, refuse } from './replies.ts'
import { conversationScopes, isMember, needScopeFor, ownerOf, seenChannel, sees, visibleChannel } from './sight.ts'
import { team } from './team.ts'
import { showChannel, showMessage } from './views.ts'

const { boolean, required, text, words } = param

const types = ['public_channel', 'private_channel', 'mpim', 'im'] as const
const read = conversationScopes('read')

const choice = {
  types: words({ of: types, fault: 'invalid_types' }),
  exclude_archived: boolean(),
  ...teamId,
}

/** The sorts that were asked for; each needs its scope. */
function sortsOf(
  { types: asked }: { types?: readonly ChannelType[] | undefined },
  caller: Caller,
): ReadonlySet<string> {
  const sorts = asked ?? ['public_channel']
  for (const type of sorts) needScopeFor(caller, type, 'read')
  return new Set(sorts)
}

/** What the lists of conversations have in common. */
const channelList = {
  visible: (channel: Channel, { caller }: { readonly caller: Caller }) => sees(caller, channel),
  // Slack filters the page that it has cut, which leaves some nearly empty.
  drop: ({ archived }: Channel, { args }: { readonly args: { exclude_archived?: boolean | undefined } }) =>
    archived && args.exclude_archived === true,
  size: shortened,
  pages: byCursor<Channel>('team', ({ id }) => id),
  body: (channels: readonly unknown[], page: Page<Channel>) => ({ channels, ...following(page) }),
}

export const conversationRoutes = [
  list({
    ...channelList,
    path: 'conversations.list',
    scopes: read,
    limit: 'tier2',
    params: choice,
    rows: ({ world, args, caller }) => {
      const sorts = sortsOf(args, caller)
      return world.channels.rows.filter(({ type }) => sorts.has(type))
    },
    show: (channel, { caller }) => showChannel(channel, caller, channel.type !== 'im'),
  }),
  list({
    ...channelList,
    path: 'users.conversations',
    scopes: read,
    limit: 'tier3',
    params: { user: text(), ...choice },
    rows: ({ world, args, caller }) => {
      const sorts = sortsOf(args, caller)
      if (args.user !== undefined && world.users.find(args.user) === undefined) refuse('user_not_found')
      return world.channels.by('members', args.user ?? ownerOf(caller)).filter(({ type }) => sorts.has(type))
    },
    show: (channel, { caller }) => showChannel(channel, caller, false),
  }),
  route({
    path: 'conversations.info',
    scopes: read,
    limit: 'tier3',
    params: { channel: required(text()), include_num_members: boolean(), ...includeLocale },
    answer: ({ world, args, caller }) => {
      const channel = visibleChannel(world, caller, args.channel, 'read')
      return { channel: showChannel(channel, caller, args.include_num_members === true, args.include_locale) }
    },
  }),
  list({
    path: 'conversations.members',
    scopes: read,
    limit: 'tier4',
    params: { channel: required(text()) },
    rows: ({ world, args, caller }) => visibleChannel(world, caller, args.channel, 'read').members.toSorted(),
    pages: byCursor<string>('user', (id) => id),
    show: (id) => id,
    body: (members, page) => ({ members, ...following(page) }),
  }),
  route({
    method: ['POST'],
    path: 'conversations.join',
    scopes: ['channels:join', 'channels:write'],
    limit: 'tier3',
    params: { channel: required(text()) },
    answer: ({ world, args, caller }) => {
      const channel = seenChannel(world, caller, args.channel)
      if (channel.type !== 'public_channel') return refuse('method_not_supported_for_channel_type')
      if (channel.archived) return refuse('is_archived')
      if (isMember(caller, channel)) {
        const warnings = ['already_in_channel']
        const shown = showChannel(channel, caller, false)
        return fine({ channel: shown, warning: warnings[0], response_metadata: { warnings } })
      }
      const joined = world.channels.edit(channel.id, { members: [...channel.members, ownerOf(caller)] })
      return { channel: showChannel(joined, caller, false) }
    },
  }),
  route({
    path: 'pins.list',
    scopes: ['pins:read'],
    limit: 'tier2',
    params: { channel: required(text()) },
    answer: ({ world, args, caller }) => {
      const channel = seenChannel(world, caller, args.channel)
      const pinned = world.messages.by('history', channel.id).find(({ reactions }) => reactions !== undefined)
      if (pinned === undefined) return { items: [] }
      const about = { type: 'message', channel: channel.id, created: channel.created + 60, created_by: team.userId }
      return { items: [{ ...about, message: showMessage(world, pinned, caller) }] }
    },
  }),
  route({
    path: 'bookmarks.list',
    scopes: ['bookmarks:read'],
    limit: 'tier3',
    params: { channel_id: required(text()) },
    answer: ({ world, args, caller }) => {
      const { id, created } = seenChannel(world, caller, args.channel_id)
      return {
        bookmarks: ['Plan', 'Prices'].map((title, n) => ({
          ...{
            id: `Bk0${n + 1}${id.slice(-4)}`,
            channel_id: id,
            title,
            link: `https://northwind-camping.example/${n}`,
          },
          ...{ emoji: '', icon_url: null, type: 'link', entity_id: null, date_created: created, date_updated: 0 },
          ...{ rank: String.fromCharCode(105 + n), last_updated_by_user_id: team.userId, shortcut_id: null },
          ...{ app_id: null, last_updated_by_team_id: team.id, app_action_id: null },
        })),
      }
    },
  }),
]
