/** Files: their records, their bytes, and Slack's own search for them. */
import {
  array,
  boolean,
  ConexError,
  download,
  entity,
  type FileLocation,
  get,
  id,
  integer,
  list,
  nullable,
  object,
  objectOf,
  optional,
  text,
} from '../../kit/connector.ts'
import { byNumber, isObject, moment, slackId, teamId } from './fields.ts'
import { searchParams } from './messages.ts'
import { fileSearchFields } from './searchable.ts'
import { fileStream } from './streams.ts'

const thumbnails = Object.fromEntries(
  [64, 80, 160, 360, 480, 720, 800, 960, 1024].map((size) => [
    `thumb_${size}`,
    optional(text(`The address of a picture of at most ${size} pixels.`)),
  ]),
)

export const fileFields = {
  id: id('The id of the file: F….'),
  name: optional(nullable(text('The name of the file.'))),
  title: optional(nullable(text('The title; the name by default.'))),
  mimetype: optional(text('The media type.')),
  filetype: optional(text('The type in Slack’s words, as pdf.')),
  pretty_type: optional(text('The type for people, as PDF.')),
  user: optional(text('Who shared it.')),
  user_team: optional(text('The workspace of that person.')),
  source_team: optional(text('The workspace that it comes from.')),
  username: optional(text()),
  mode: optional(text('hosted, external, snippet, post, tombstone or hidden_by_limit.')),
  size: optional(integer('In bytes.')),
  created: optional(integer('When it was shared, in seconds since 1970.')),
  timestamp: optional(integer('When it was shared, in seconds since 1970.')),
  updated: optional(integer('When it was last changed, in seconds since 1970.')),
  editable: optional(boolean()),
  is_external: optional(boolean('Whether another service keeps it.')),
  external_type: optional(text('The service that keeps it, as gdrive.')),
  external_id: optional(text()),
  external_url: optional(text()),
  is_public: optional(boolean('Whether it was shared in a public channel.')),
  public_url_shared: optional(boolean('Whether it has an address that everyone may use.')),
  display_as_bot: optional(boolean()),
  is_starred: optional(boolean()),
  is_tombstoned: optional(boolean('Whether it was deleted.')),
  has_rich_preview: optional(boolean()),
  file_access: optional(text('check_file_info where another workspace shared it: only files get has all of it.')),
  url_private: optional(text('The address, for callers with the token.')),
  url_private_download: optional(text('The address of the bytes, for callers with the token.')),
  permalink: optional(text('The page of the file.')),
  permalink_public: optional(text('The page that everyone may see, if it is shared so.')),
  edit_link: optional(text()),
  preview: optional(nullable(text('The beginning of a text.'))),
  preview_highlight: optional(nullable(text())),
  lines: optional(integer()),
  lines_more: optional(integer()),
  original_w: optional({ ...integer('The width of a picture.') }),
  original_h: optional({ ...integer('The height of a picture.') }),
  ...thumbnails,
  thumb_tiny: optional(text('A tiny picture, as base64.')),
  comments_count: optional(integer()),
  num_stars: optional(integer()),
  channels: optional(array('The public channels that it was shared in.')),
  groups: optional(array('The private channels that it was shared in.')),
  ims: optional(array('The direct messages that it was shared in.')),
  shares: optional(
    objectOf(
      {
        public: optional(object('By channel, the messages that share it.')),
        private: optional(object('By channel, the messages that share it.')),
      },
      'The messages that share it.',
    ),
  ),
  reactions: optional(array('The emoji that people put to it.')),
  pinned_to: optional(array('The conversations that it is pinned to.')),
  date_delete: optional(integer('When a hidden file is deleted, in seconds since 1970.')),
} as const

const file = slackId('The file.')

export const files = entity({
  description: 'Files that were shared in the workspace.',
  list: list({
    description: 'List files, by channel, person, time or type.',
    path: '/files.list',
    params: {
      channel: optional(slackId('Only files that were shared in this conversation.')),
      user: optional(slackId('Only files of this person.')),
      ts_from: optional(moment('Only files from this moment on.')),
      ts_to: optional(moment('Only files up to this moment.')),
      types: optional(
        text('all, spaces, snippets, images, gdocs, zips and pdfs, separated by commas; all by default.', {
          pattern: '^[a-z_]+(,[a-z_]+)*$',
        }),
      ),
      show_files_hidden_by_limit: optional(boolean('Also lists files that the plan hides, without their addresses.')),
      team_id: teamId,
    },
    recordsAt: ['files'],
    record: fileFields,
    paging: byNumber(100, 1000, 'paging'),
    scopes: ['files:read'],
  }),
  get: get({
    description: 'Get the record of one file.',
    path: '/files.info',
    params: { file },
    recordsAt: ['file'],
    record: fileFields,
    scopes: ['files:read'],
  }),
  download: download({
    description: 'Download a file, or a part of it.',
    path: '/files.info',
    params: { file },
    locate,
    // Slack's own host wants the token, and shows a sign-in page under status 200 to callers without the scope.
    authorized: true,
    refusedTypes: ['text/html', 'application/xhtml+xml'],
    scopes: ['files:read'],
  }),
  searchable: fileSearchFields,
  sync: fileStream,
})

export const fileSearch = entity({
  description: 'Slack’s own search for files; it needs a user token.',
  list: list({
    description: 'Search files as Slack’s search box does.',
    path: '/search.files',
    params: searchParams,
    recordsAt: ['files', 'matches'],
    record: fileFields,
    paging: byNumber(20, 100, 'files', 'paging'),
    scopes: ['search:read'],
  }),
})

/** Why there are no bytes, by the mode of the file. */
const without: Readonly<Record<string, string>> = {
  tombstone: 'was deleted',
  hidden_by_limit: 'is hidden, because the workspace has more than its plan shows',
}

/** An external file's address can lead to any host, so it is never read. */
function locate(answer: unknown): FileLocation {
  const record = isObject(answer) ? answer.file : undefined
  if (!isObject(record))
    throw new ConexError('upstream_invalid_response', 'Slack answered without the file; repeat the call later.')
  const { mode, is_external, name, size, mimetype, url_private_download, url_private } = record
  const why = typeof mode === 'string' ? without[mode] : undefined
  if (why !== undefined) throw new ConexError('file_unavailable', `This file ${why}, so it cannot be downloaded.`)
  if (mode === 'external' || is_external === true)
    throw new ConexError(
      'file_unavailable',
      'Another service keeps this file, so it cannot be downloaded through Slack; external_url of files get says where it is.',
    )
  const url = [url_private_download, url_private].find((address) => typeof address === 'string' && address !== '')
  if (url === undefined)
    throw new ConexError('file_unavailable', 'Slack gave no address for this file, so it cannot be downloaded.')
  return {
    url: url as string,
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(typeof mimetype === 'string' && { type: mimetype }),
    ...(Number.isSafeInteger(size) && { size: size as number }),
  }
}
