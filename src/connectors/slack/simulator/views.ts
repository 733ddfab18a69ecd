/** The records as answers show them, with what the caller's scopes and membership allow. */
import type { Caller } from './access.ts'
import { type Channel, keyOf, type Message, type SlackFile, type User, type UserGroup } from './records.ts'
import { isMember, ownerOf } from './sight.ts'
import { team } from './team.ts'
import type { World } from './world.ts'

type Json = Readonly<Record<string, unknown>>

export function showUser(user: User, { scopes }: Caller, locale = false): Json {
  const { id, name, real_name, deleted, role, tz, updated } = user
  const isBot = role === 'bot' && id !== 'USLACKBOT'
  const common = { id, team_id: team.id, name, deleted }
  const bot = { is_bot: isBot, is_app_user: id === team.botUserId }
  if (deleted) return { ...common, profile: showProfile(user, scopes), ...bot, is_forgotten: false, updated }
  return {
    ...common,
    color: '9f69e7',
    real_name,
    tz,
    tz_label: tz.replace('_', ' '),
    tz_offset: 3600,
    profile: showProfile(user, scopes),
    is_admin: role === 'admin' || role === 'owner',
    is_owner: role === 'owner',
    is_primary_owner: role === 'owner',
    is_restricted: role === 'guest' || role === 'single-channel guest',
    is_ultra_restricted: role === 'single-channel guest',
    ...bot,
    updated,
    is_email_confirmed: role !== 'bot',
    ...(role !== 'bot' && { has_2fa: role === 'owner' || role === 'admin' }),
    who_can_share_contact_card: 'EVERYONE',
    ...(locale && { locale: 'en-US' }),
  }
}

/** Without the scope for it, the address is simply missing. */
export function showProfile(user: User, scopes: readonly string[]): Json {
  const [first = '', ...rest] = user.real_name.split(' ')
  const hash = `g${user.id.slice(-6).toLowerCase()}`
  const image = (size: number) => `https://secure.gravatar.example/avatar/${hash}-${size}.png`
  return {
    title: user.title,
    phone: '',
    skype: '',
    real_name: user.real_name,
    real_name_normalized: user.real_name.normalize('NFD').replaceAll(/[̀-ͯ]/g, ''),
    display_name: user.name,
    display_name_normalized: user.name,
    status_text: user.role === 'owner' ? 'At the lake' : '',
    status_emoji: user.role === 'owner' ? ':canoe:' : '',
    status_expiration: 0,
    avatar_hash: hash,
    ...(user.email !== undefined && scopes.includes('users:read.email') && { email: user.email }),
    first_name: first,
    last_name: rest.join(' '),
    ...Object.fromEntries([24, 32, 48, 72, 192, 512].map((size) => [`image_${size}`, image(size)])),
    team: team.id,
    ...(user.role === 'bot' && user.id === team.botUserId && { api_app_id: team.appId, bot_id: team.botId }),
  }
}

export function showChannel(channel: Channel, caller: Caller, members: boolean, locale = false): Json {
  const { id, type, name, created, creator, archived, shared, general, topic, purpose } = channel
  const more = { ...(members && { num_members: channel.members.length }), ...(locale && { locale: 'en-US' }) }
  if (type === 'im') {
    const user = channel.members.find((one) => one !== ownerOf(caller))!
    const direct = { id, created, is_archived: archived, is_im: true, is_org_shared: false, context_team_id: team.id }
    return { ...direct, updated: created * 1000, user, is_user_deleted: false, priority: 0, ...more }
  }
  const text = (value: string) => ({
    value,
    creator: value === '' ? '' : creator,
    last_set: value === '' ? 0 : created,
  })
  return {
    id,
    name,
    is_channel: type === 'public_channel',
    is_group: type === 'private_channel',
    is_im: false,
    is_mpim: type === 'mpim',
    is_private: type !== 'public_channel',
    created,
    is_archived: archived,
    is_general: general,
    unlinked: 0,
    name_normalized: name,
    is_shared: shared,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    context_team_id: team.id,
    updated: created * 1000,
    parent_conversation: null,
    creator,
    is_ext_shared: shared,
    shared_team_ids: shared ? [team.id, 'T0OTHER01'] : [team.id],
    pending_connected_team_ids: [],
    is_member: isMember(caller, channel),
    ...(isMember(caller, channel) && caller.kind === 'user' && { last_read: '1780300800.000100' }),
    topic: text(topic),
    purpose: text(purpose),
    previous_names: channel.previous_names,
    ...more,
  }
}

/** The replies to a message, from the first to the last. */
export const repliesTo = (world: World, { key }: Message): readonly Message[] => world.messages.by('thread', key)

export function showMessage(world: World, message: Message, caller: Caller): Json {
  const { channel, ts, subtype, user, bot_id, text, edited, reactions, thread, more } = message
  const replies = repliesTo(world, message)
  const files = (message.files ?? []).flatMap((id) => world.files.find(id) ?? [])
  const people = [...new Set(replies.map((reply) => reply.user!))]
  return {
    type: 'message',
    ...(subtype !== undefined && { subtype }),
    ...(user !== undefined && { user }),
    ...(bot_id !== undefined && { bot_id, app_id: team.appId }),
    text,
    ts,
    team: team.id,
    ...(edited !== undefined && { edited }),
    ...(bot_id !== undefined && {
      bot_profile: { id: bot_id, name: team.botName, app_id: team.appId, team_id: team.id, deleted: false },
    }),
    ...(files.length > 0 && { files: files.map((file) => showFile(world, file)), upload: false }),
    ...(reactions !== undefined && {
      reactions: reactions.map(({ name, users }) => ({ name, users, count: users.length })),
    }),
    ...(replies.length > 0 && {
      thread_ts: ts,
      reply_count: replies.length,
      reply_users_count: people.length,
      latest_reply: replies.at(-1)!.ts,
      reply_users: people.slice(0, 5),
      is_locked: false,
      subscribed: caller.kind === 'user',
      ...(caller.kind === 'user' && { last_read: ts }),
    }),
    ...(thread !== undefined && parentOf(world, thread, channel)),
    ...more,
  }
}

function parentOf(world: World, thread: string, channel: string): Json {
  const parent = world.messages.find(thread)
  const thread_ts = thread.slice(keyOf(channel, '').length)
  return { thread_ts, ...(parent?.user !== undefined && { parent_user_id: parent.user }) }
}

export function showFile(world: World, file: SlackFile): Json {
  const { id, name, mimetype, filetype, pretty_type, mode, size, user, created, channels } = file
  if (mode === 'tombstone') return { id, mode }
  if (mode === 'hidden_by_limit') return { id, mode, date_delete: 0 }
  const base = `${world.filesOrigin}/files-pri/${team.id}-${id}`
  const encoded = encodeURIComponent(name.toLowerCase().replaceAll(' ', '_'))
  const isExternal = mode === 'external'
  const external = `https://docs.google.example/d/${id}`
  const among = (letter: string) => channels.filter((channel) => channel.startsWith(letter))
  return {
    id,
    created,
    timestamp: created,
    name,
    title: name,
    mimetype,
    filetype,
    pretty_type,
    user,
    user_team: team.id,
    editable: mode === 'snippet',
    size,
    mode,
    is_external: isExternal,
    external_type: isExternal ? 'gdrive' : '',
    ...(isExternal && { external_id: id, external_url: external }),
    is_public: channels.some((channel) => world.channels.find(channel)?.type === 'public_channel'),
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: isExternal ? external : `${base}/${encoded}`,
    ...(!isExternal && { url_private_download: `${base}/download/${encoded}` }),
    permalink: `${team.url}files/${user}/${id}/${encoded}`,
    ...(!isExternal && { permalink_public: `https://slack-files.example/${team.id}-${id}-0a1b2c3d` }),
    ...(mimetype.startsWith('image/') && {
      original_w: 800,
      original_h: 600,
      ...{ thumb_64: `${base}/thumb_64.png`, thumb_360: `${base}/thumb_360.png` },
    }),
    comments_count: 0,
    is_starred: false,
    has_rich_preview: false,
    file_access: 'visible',
    channels: among('C'),
    groups: among('G'),
    ims: among('D'),
    shares: sharesOf(world, file),
  }
}

/** Where messages show the file. */
function sharesOf(world: World, { id }: SlackFile): Json {
  const places: Record<'public' | 'private', Record<string, unknown[]>> = { public: {}, private: {} }
  for (const { channel, ts } of world.messages.by('files', id)) {
    const { type, name } = world.channels.find(channel)!
    const side = places[type === 'public_channel' ? 'public' : 'private']
    side[channel] ??= []
    side[channel].push({ ...{ reply_users: [], reply_users_count: 0, reply_count: 0 }, ts, channel_name: name ?? '' })
  }
  return Object.fromEntries(Object.entries(places).filter(([, shared]) => Object.keys(shared).length > 0))
}

export function showUserGroup(group: UserGroup, { users, count }: { users: boolean; count: boolean }): Json {
  const { id, name, handle, description, channels, created, updated, deleted } = group
  return {
    id,
    team_id: team.id,
    is_usergroup: true,
    is_subteam: true,
    name,
    description,
    handle,
    is_external: false,
    date_create: created,
    date_update: updated,
    date_delete: deleted,
    auto_type: null,
    auto_provision: false,
    enterprise_subteam_id: '',
    created_by: team.userId,
    updated_by: team.userId,
    deleted_by: deleted === 0 ? null : team.userId,
    prefs: { channels, groups: [] },
    ...(users && { users: group.users }),
    // The published example shows a text.
    ...(count && { user_count: String(group.users.length), channel_count: channels.length }),
  }
}
