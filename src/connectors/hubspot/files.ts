/** Files of the account’s file manager ("Files API v3"). */
import {
  arrayOf,
  boolean,
  ConexError,
  dateTime,
  download,
  entity,
  type FileLocation,
  get,
  id,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  text,
} from '../../kit/connector.ts'
import { pagesOf, recordId } from './fields.ts'

const may = (description?: string) => nullable(text(description))
const count = (description: string) => nullable(integer(description))

const file = {
  id: id(),
  name: may('The name without its extension.'),
  path: may('The place in the file manager.'),
  type: may('IMG, DOCUMENT, AUDIO, MOVIE or OTHER.'),
  extension: may(),
  encoding: may(),
  access: text('Who may open it, for example PUBLIC_INDEXABLE or PRIVATE.'),
  url: may('The address of the file; that of a private one needs a signature, which files download adds.'),
  defaultHostingUrl: may('The address on HubSpot’s own domain.'),
  fileMd5: may('The MD5 of the bytes.'),
  parentFolderId: may(),
  sourceGroup: may('Where it came from.'),
  size: count('Bytes.'),
  width: count('Pixels.'),
  height: count('Pixels.'),
  expiresAt: count('When HubSpot deletes it, in milliseconds since 1970.'),
  isUsableInContent: nullable(boolean('Whether pages and e-mails may use it.')),
  archived: boolean(),
  archivedAt: optional(nullable(text())),
  createdAt: text(),
  updatedAt: text(),
} as const

const scopes = ['files', 'files.read'] as const
const fileId = recordId('The file.')
const only = (description: string) => optional(text(description, { minLength: 1, maxLength: 1000 }))
const moment = (description: string) => optional(dateTime(description))

export const files = entity({
  description: 'Files of the file manager.',
  list: list({
    description: 'List the files, or those that match.',
    path: '/files/v3/files/search',
    params: {
      ids: optional(arrayOf(text(), 'Only these files.')),
      name: only('Only files with this in their name.'),
      path: only('Only the file at this place.'),
      parentFolderIds: optional(arrayOf(text(), 'Only files of these folders.')),
      type: only('Only files of this type: IMG, DOCUMENT, AUDIO, MOVIE or OTHER.'),
      extension: only('Only files with this extension.'),
      createdAtGte: moment('Only files created at or after this time.'),
      createdAtLte: moment('Only files created at or before this time.'),
      updatedAtGte: moment('Only files changed at or after this time.'),
      updatedAtLte: moment('Only files changed at or before this time.'),
      sort: optional(arrayOf(text(), 'The fields to sort by, with - in front for the reverse.')),
    },
    recordsAt: ['results'],
    record: file,
    paging: pagesOf({ default: 10, largest: 100 }),
    scopes,
  }),
  get: get({
    description: 'Get one file: its place, its size and its address.',
    path: '/files/v3/files/{fileId}',
    params: { fileId },
    recordsAt: [],
    record: file,
    scopes,
  }),
  download: download({
    description: 'Download a file, or a part of it.',
    path: '/files/v3/files/{fileId}/signed-url',
    params: {
      fileId,
      size: optional(oneOf(['thumb', 'icon', 'medium', 'preview'], 'A smaller version of an image.')),
      upscale: optional(boolean('Whether a small image may be enlarged to that size.')),
      expirationSeconds: optional(integer('How long the address is valid.', { minimum: 1 })),
    },
    locate,
    scopes,
  }),
})

/** HubSpot answers an address with a signature, which needs no credentials. */
function locate(answer: unknown, { size: version }: Readonly<Record<string, unknown>>): FileLocation {
  const { url, name, extension, size } = (answer ?? {}) as Readonly<Record<string, unknown>>
  if (typeof url !== 'string' || url === '')
    throw new ConexError(
      'upstream_invalid_response',
      'HubSpot answered without the file’s address; repeat the call later.',
    )
  const fileName = [name, extension].filter((part) => typeof part === 'string' && part !== '').join('.')
  // A smaller version of an image has another size.
  const isWhole = version === undefined && typeof size === 'number' && Number.isSafeInteger(size)
  return { url, ...(fileName !== '' && { name: fileName }), ...(isWhole && { size }) }
}
