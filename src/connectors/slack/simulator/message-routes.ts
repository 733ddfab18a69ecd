/** Messages: the history of a conversation, the replies of a thread, addresses of messages, and reactions. */
import { cursorPages, type Page, param } from '../../../kit/simulator.ts'
import type { Caller } from './access.ts'
import { byCursor, following, list, route, shortened, teamId } from './declare.ts'
import { keyOf, type Message, type SlackFile, sortable } from './records.ts'
import { refuse } from './replies.ts'
import { conversationScopes, ownerOf, readableChannel, readableMessage, reads, seesFile } from './sight.ts'
import { team } from './team.ts'
import { repliesTo, showFile, showMessage } from './views.ts'
import type { World } from './world.ts'

const { boolean, required, text } = param

const history = conversationScopes('history')
const moment = (fault: string) => text({ pattern: /^\d{1,12}(\.\d{1,6})?$/, fault })

const within = {
  channel: required(text()),
  oldest: moment('invalid_ts_oldest'),
  latest: moment('invalid_ts_latest'),
  inclusive: boolean(),
  include_all_metadata: boolean(),
}

interface Bounds {
  readonly oldest?: string | undefined
  readonly latest?: string | undefined
  readonly inclusive?: boolean | undefined
}

/** Both bounds are exclusive unless the call says otherwise. */
function isWithin({ ts }: Message, { oldest = '0', latest, inclusive = false }: Bounds, now: number): boolean {
  const at = sortable(ts)
  const first = sortable(oldest)
  const last = sortable(latest ?? (now / 1000).toFixed(6))
  return inclusive ? at >= first && at <= last : at > first && at < last
}

/** Sizes of up to 999; restricted applications silently get fifteen. */
const pagesOf = (order: 'ascending' | 'descending') =>
  cursorPages<Message>({
    cursor: 'cursor',
    size: 'limit',
    usual: 100,
    most: 999,
    over: 'capped',
    label: 'next_ts',
    order,
    position: ({ ts }) => sortable(ts),
  })

const sized = (asked: number, ask: { world: World }) =>
  shortened(ask.world.settings.restricted ? Math.min(15, asked) : asked, ask)

/** Only with a page to follow. */
const more = (page: Page<Message>) => ({
  has_more: page.next !== null,
  ...(page.next !== null && following(page)),
})

/** A message as an item that has reactions. */
const shownItem = (world: World, message: Message, caller: Caller) => ({
  ...{ type: 'message', channel: message.channel },
  message: { ...showMessage(world, message, caller), permalink: permalinkOf(message) },
})

export const messageRoutes = [
  list({
    path: 'conversations.history',
    scopes: history,
    limit: 'tier3',
    params: within,
    rows: ({ world, args, caller }) => {
      const { id } = readableChannel(world, caller, args.channel)
      return world.messages.by('history', id).toReversed()
    },
    visible: (message, { args, now }) => isWithin(message, args, now),
    size: sized,
    pages: pagesOf('descending'),
    show: (message, { world, caller }) => showMessage(world, message, caller),
    body: (messages, page, { args }) => ({
      messages,
      pin_count: 0,
      channel_actions_ts: null,
      channel_actions_count: 0,
      ...(args.latest !== undefined && { latest: args.latest }),
      ...more(page),
    }),
  }),
  list({
    path: 'conversations.replies',
    scopes: history,
    limit: 'tier3',
    params: { ...within, ts: required(text()) },
    rows: ({ world, args, caller }) => {
      const { id } = readableChannel(world, caller, args.channel)
      const message = world.messages.find(keyOf(id, args.ts)) ?? refuse('thread_not_found')
      return [message, ...repliesTo(world, message)]
    },
    // The message itself begins the thread, whatever the bounds are.
    visible: (message, { args, now }) => message.ts === args.ts || isWithin(message, args, now),
    size: sized,
    pages: pagesOf('ascending'),
    show: (message, { world, caller }) => showMessage(world, message, caller),
    body: (messages, page) => ({ messages, ...more(page) }),
  }),
  route({
    path: 'chat.getPermalink',
    params: { channel: required(text()), message_ts: required(text()) },
    answer: ({ world, args, caller }) => {
      const message = readableMessage(world, caller, args.channel, args.message_ts)
      return { channel: message.channel, permalink: permalinkOf(message) }
    },
  }),
  route({
    path: 'reactions.get',
    scopes: ['reactions:read'],
    limit: 'tier3',
    params: { channel: text(), timestamp: text(), file: text(), file_comment: text(), full: boolean() },
    answer: ({ world, args, caller }) => {
      if (args.file_comment !== undefined) return refuse('message_not_found')
      if (args.file !== undefined) {
        const file: SlackFile = world.files.find(args.file) ?? refuse('file_not_found')
        return seesFile(world, caller, file) ? { type: 'file', file: showFile(world, file) } : refuse('file_not_found')
      }
      if (args.channel === undefined || args.timestamp === undefined) return refuse('no_item_specified')
      return shownItem(world, readableMessage(world, caller, args.channel, args.timestamp), caller)
    },
  }),
  list({
    path: 'reactions.list',
    scopes: ['reactions:read'],
    limit: 'tier2',
    params: { user: text(), full: boolean(), ...teamId },
    rows: ({ world }) => world.messages.rows,
    visible: ({ channel, reactions }, { world, args, caller }) =>
      reactions?.some(({ users }) => users.includes(args.user ?? ownerOf(caller))) === true &&
      reads(caller, world.channels.find(channel)!),
    pages: byCursor<Message>('next_ts', ({ channel, ts }) => `${channel}:${sortable(ts)}`),
    show: (message, { world, caller }) => shownItem(world, message, caller),
    body: (items, page) => ({ items, ...following(page) }),
  }),
]

export function permalinkOf({ channel, ts, thread }: Message): string {
  const parent = thread === undefined ? '' : `?thread_ts=${thread.slice(channel.length + 1)}&cid=${channel}`
  return `${team.url}archives/${channel}/p${ts.replace('.', '')}${parent}`
}
