/** Slack's own search, for tokens of people only. */
import { type Page, param } from '../../../kit/simulator.ts'
import type { Caller } from './access.ts'
import { byNumber, list, paging, teamId } from './declare.ts'
import { permalinkOf } from './message-routes.ts'
import type { Message, SlackFile } from './records.ts'
import { refuse } from './replies.ts'
import { reads, seesFile } from './sight.ts'
import { team } from './team.ts'
import { showFile } from './views.ts'

const { boolean, required, text, word } = param

const params = {
  query: required(text({ fault: 'no_query' })),
  sort: word(['score', 'timestamp']),
  sort_dir: word(['asc', 'desc']),
  highlight: boolean(),
  ...teamId,
}

/** A bot token is refused before its scopes are looked at. */
const peopleOnly = ({ caller }: { caller: Caller }): void => {
  if (caller.kind === 'bot') refuse('not_allowed_token_type')
}

const needsScope = ({ caller }: { caller: Caller }): void => {
  peopleOnly({ caller })
  if (!caller.scopes.includes('search:read'))
    refuse('missing_scope', { needed: 'search:read', provided: caller.scopes.join(',') })
}

const common = { limit: 'tier2', params, admit: needsScope } as const

const holds = (words: string, query: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.toLowerCase().includes(word))

/** Private use characters mark what was found. */
const marked = (words: string, query: string): string => words.replace(query, `${query}`)

/** Both blocks tell the same in other words. */
function counted<R>(page: Page<R>) {
  const block = paging(page)
  const first = (block.page - 1) * block.count + 1
  const pagination = {
    total_count: block.total,
    page: block.page,
    per_page: block.count,
    page_count: block.pages,
    first,
    last: Math.min(block.total, block.page * block.count),
  }
  return { total: block.total, pagination, paging: block }
}

export const searchRoutes = [
  list({
    ...{ ...common, path: 'search.messages' },
    rows: ({ world, args }) => (args.sort_dir === 'asc' ? world.messages.rows : world.messages.rows.toReversed()),
    visible: ({ text, channel }, { world, args, caller }) =>
      holds(text, args.query) && reads(caller, world.channels.find(channel)!),
    pages: byNumber<Message>(20, 100),
    show: (message, { world, args }) => {
      const { id, type, name } = world.channels.find(message.channel)!
      const isPrivate = type !== 'public_channel'
      return {
        iid: `iid-${message.key}`,
        team: team.id,
        score: 0,
        type: 'message',
        user: message.user ?? null,
        ts: message.ts,
        channel: { id, name: name ?? '', is_private: isPrivate, is_mpim: type === 'mpim', is_ext_shared: false },
        username: world.users.find(message.user ?? '')?.name ?? 'builds',
        text: args.highlight === true ? marked(message.text, args.query) : message.text,
        permalink: permalinkOf(message),
      }
    },
    body: (matches, page, { args }) => ({ query: args.query, messages: { ...counted(page), matches } }),
  }),
  list({
    ...{ ...common, path: 'search.files' },
    rows: ({ world, args }) => (args.sort_dir === 'asc' ? world.files.rows : world.files.rows.toReversed()),
    visible: (file, { world, args, caller }) =>
      file.mode !== 'tombstone' && holds(file.name, args.query) && seesFile(world, caller, file),
    pages: byNumber<SlackFile>(20, 100),
    show: (file, { world }) => showFile(world, file),
    body: (matches, page, { args }) => ({ query: args.query, files: { ...counted(page), matches } }),
  }),
]
