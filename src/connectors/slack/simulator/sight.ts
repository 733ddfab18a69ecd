/** What a token may see: scopes by the sort of conversation, membership, and who is asked about. */
import type { Caller } from './access.ts'
import { type Channel, type ChannelType, keyOf, type Message, type SlackFile } from './records.ts'
import { refuse } from './replies.ts'
import { team } from './team.ts'
import type { World } from './world.ts'

export const ownerOf = ({ kind }: Caller): string => (kind === 'bot' ? team.botUserId : team.userId)

const families: Readonly<Record<ChannelType, string>> = {
  public_channel: 'channels',
  private_channel: 'groups',
  mpim: 'mpim',
  im: 'im',
}

export const conversationScopes = (what: 'read' | 'history'): readonly string[] =>
  Object.values(families).map((family) => `${family}:${what}`)

export function needScope({ scopes }: Caller, needed: string): void {
  if (!scopes.includes(needed)) refuse('missing_scope', { needed, provided: scopes.join(',') })
}

export const needScopeFor = (caller: Caller, type: ChannelType, what: 'read' | 'history'): void =>
  needScope(caller, `${families[type]}:${what}`)

export const isMember = (caller: Caller, { members }: Channel): boolean => members.includes(ownerOf(caller))

/** Whether a conversation exists for the caller: what is not public exists for its members only. */
export const sees = (caller: Caller, channel: Channel): boolean =>
  channel.type === 'public_channel' || isMember(caller, channel)

export const reads = (caller: Caller, channel: Channel): boolean =>
  isMember(caller, channel) || (caller.kind === 'user' && channel.type === 'public_channel')

/** The conversation of this id, if it exists for the caller. */
export function seenChannel(world: World, caller: Caller, id: string): Channel {
  const channel = world.channels.find(id)
  return channel !== undefined && sees(caller, channel) ? channel : refuse('channel_not_found')
}

/** The conversation of this id, with the scope for its sort. */
export function visibleChannel(world: World, caller: Caller, id: string, what: 'read' | 'history'): Channel {
  const channel = seenChannel(world, caller, id)
  needScopeFor(caller, channel.type, what)
  return channel
}

/** The conversation of this id, if the caller may read its messages. */
export function readableChannel(world: World, caller: Caller, id: string): Channel {
  const channel = visibleChannel(world, caller, id, 'history')
  return reads(caller, channel) ? channel : refuse('not_in_channel')
}

/** A message in a conversation that the caller may read; there is no word for the scope that is missing. */
export function readableMessage(world: World, caller: Caller, id: string, ts: string): Message {
  const channel = world.channels.find(id)
  if (channel === undefined || !reads(caller, channel)) return refuse('channel_not_found')
  return world.messages.find(keyOf(id, ts)) ?? refuse('message_not_found')
}

/** Files show where they were shared. */
export const seesFile = (world: World, caller: Caller, { user, channels }: SlackFile): boolean =>
  user === ownerOf(caller) ||
  channels.some((id) => {
    const channel = world.channels.find(id)
    return channel !== undefined && reads(caller, channel)
  })
