/** Changes on demand: what people write, edit and delete, and what administrators and time do to tokens. */
import {
  type Change,
  type ChangeSet,
  type Clock,
  recordChanges,
  setting,
  settingsChange,
} from '../../../kit/simulator.ts'
import type { Access } from './access.ts'
import { at } from './channels.ts'
import { said } from './messages.ts'
import { keyOf, type Message } from './records.ts'
import { team } from './team.ts'
import { repliesTo } from './views.ts'
import type { World } from './world.ts'

export function changesOf(world: World, access: Access, clock: Clock): ChangeSet {
  let written = 0

  function messageOf({ channel, ts }: Change): Message {
    const message = world.messages.find(keyOf(String(channel), String(ts)))
    if (message === undefined) throw new Error(`There is no message ${String(ts)} in ${String(channel)}.`)
    return message
  }

  /** A moment that no other message has. */
  function nextTs(): string {
    written += 1
    return `${Math.floor(clock.now() / 1000)}.${String(500_000 + written).padStart(6, '0')}`
  }

  return {
    write: {
      does: 'Writes a message, or a reply if thread_ts names its parent; broadcast shows a reply in the channel too.',
      example: { channel: at.launch, text: 'Hello', thread_ts: said.parent, broadcast: false },
      make({ channel, text, thread_ts, broadcast, user = team.userId, ts = nextTs() }) {
        const id = String(channel)
        if (world.channels.find(id) === undefined) throw new Error(`There is no channel ${id}.`)
        const reply = thread_ts === undefined ? {} : { thread: messageOf({ change: '', channel, ts: thread_ts }).key }
        return world.messages.add({
          key: keyOf(id, String(ts)),
          channel: id,
          ts: String(ts),
          user: String(user),
          text: String(text),
          ...reply,
          ...((thread_ts === undefined || broadcast === true) && { history: id }),
          ...(broadcast === true && { subtype: 'thread_broadcast' }),
        })
      },
    },
    edit_message: {
      does: 'Replaces the text of a message.',
      example: { channel: at.launch, ts: said.plain, text: 'Ship date is set: 14 June' },
      make(change) {
        const { key, user = team.userId } = messageOf(change)
        return world.messages.edit(key, { text: String(change.text), edited: { user, ts: nextTs() } })
      },
    },
    delete_message: {
      does: 'Deletes a message; one with replies leaves a tombstone.',
      example: { channel: at.launch, ts: said.plain },
      make(change) {
        const message = messageOf(change)
        if (repliesTo(world, message).length === 0) return { deleted: world.messages.remove(message.key) }
        const tombstone = { subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.' }
        return world.messages.edit(message.key, {
          ...tombstone,
          edited: undefined,
          reactions: undefined,
          files: undefined,
          more: undefined,
        })
      },
    },
    archive_channel: {
      does: 'Archives a channel; eject takes the bot out of it, as Slack did for a time.',
      example: { channel: at.launch, eject: true },
      make({ channel, eject }) {
        const { id, members } = world.channels.edit(String(channel), { archived: true })
        const stay = eject === true ? members.filter((member) => member !== team.botUserId) : members
        return world.channels.edit(id, { members: stay })
      },
    },
    ...recordChanges({
      users: world.users,
      channels: world.channels,
      files: world.files,
      usergroups: world.usergroups,
    }),
    settings: settingsChange(
      {
        rotate_tokens: setting(access.settings, 'rotates'),
        restricted: setting(world.settings, 'restricted'),
        short_pages: setting(world.settings, 'shortPages'),
        sign_in_page: setting(world.settings, 'signInPage'),
        without_scopes: setting(access.settings, 'without'),
      },
      'Restricted is history at one call a minute.',
    ),
    expire_access_tokens: {
      does: 'Ends all rotating tokens at once; the others never expire.',
      make: access.tokens.expireAll,
    },
    revoke_tokens: { does: 'Revokes all tokens.', make: access.tokens.revokeAll },
    remove_application: {
      does: 'Takes the application out of the workspace; back again with removed: false.',
      make(change) {
        access.settings.removed = change.removed !== false
        return { removed: access.settings.removed }
      },
    },
  }
}
