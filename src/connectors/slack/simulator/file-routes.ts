/** Files: their lists and their records; the bytes are on the file host. */
import { param } from '../../../kit/simulator.ts'
import { byNumber, filter, list, paging, route, teamId } from './declare.ts'
import type { SlackFile } from './records.ts'
import { refuse } from './replies.ts'
import { seesFile } from './sight.ts'
import { showFile } from './views.ts'

const { boolean, custom, required, text } = param

/** The sorts of files, each with its test. */
const sorts: Readonly<Record<string, (file: SlackFile) => boolean>> = {
  all: () => true,
  spaces: () => false,
  snippets: ({ mode }) => mode === 'snippet',
  images: ({ mimetype }) => mimetype.startsWith('image/'),
  gdocs: ({ mode }) => mode === 'external',
  zips: ({ filetype }) => filetype === 'zip',
  pdfs: ({ filetype }) => filetype === 'pdf',
}

const seconds = text({ pattern: /^\d{1,12}(\.\d{1,6})?$/ })

const types = custom(
  (given) => {
    const names = typeof given === 'string' ? given.split(',') : []
    return names.length > 0 && names.every((name) => Object.hasOwn(sorts, name)) ? names : undefined
  },
  { fault: 'unknown_type' },
)

export const fileRoutes = [
  list({
    path: 'files.list',
    scopes: ['files:read'],
    limit: 'tier3',
    params: { show_files_hidden_by_limit: boolean(), ...teamId },
    rows: ({ world, args }) => {
      if (args.channel !== undefined && world.channels.find(args.channel) === undefined) refuse('channel_not_found')
      if (args.user !== undefined && world.users.find(args.user) === undefined) refuse('user_not_found')
      return world.files.rows
    },
    filters: {
      channel: filter(text(), ({ channels }: SlackFile, channel) => channels.includes(channel)),
      user: filter(text(), (file: SlackFile, user) => file.user === user),
      ts_from: filter(seconds, ({ created }: SlackFile, from) => created >= Number(from)),
      ts_to: filter(seconds, ({ created }: SlackFile, to) => created <= Number(to)),
      types: filter(types, (file: SlackFile, wanted) => wanted.some((sort) => sorts[sort]!(file))),
    },
    visible: (file, { world, caller, args }) =>
      file.mode !== 'tombstone' &&
      (file.mode !== 'hidden_by_limit' || args.show_files_hidden_by_limit === true) &&
      seesFile(world, caller, file),
    pages: byNumber<SlackFile>(100, 1000),
    show: (file, { world }) => showFile(world, file),
    body: (files, page) => ({ files, paging: paging(page) }),
  }),
  route({
    path: 'files.info',
    scopes: ['files:read'],
    limit: 'tier4',
    params: { file: required(text()) },
    answer: ({ world, args, caller }) => {
      const file = world.files.find(args.file)
      if (file === undefined || !seesFile(world, caller, file)) return refuse('file_not_found')
      if (file.mode === 'tombstone') return refuse('file_deleted')
      return { file: showFile(world, file), comments: [], response_metadata: { next_cursor: '' } }
    },
  }),
]
