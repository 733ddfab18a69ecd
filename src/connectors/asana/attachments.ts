/** Attachments of a task, project or project brief: their records and their files. */
import {
  boolean,
  ConexError,
  download,
  entity,
  type FileLocation,
  get,
  integer,
  list,
  nullable,
  text,
  withOptional,
} from '../../kit/connector.ts'
import { choice, compactRecord, gid, pages, recordsOf } from './fields.ts'
import { taskReference } from './references.ts'
import { attachmentStream } from './streams.ts'

const listedAttachment = {
  ...compactRecord,
  resource_subtype: text(
    'The host of the file: asana, dropbox, gdrive, onedrive, box, vimeo, external, or a newer one.',
  ),
} as const

/** The fields to request: the default record has no `size` (reference of getAttachment). */
const usual = {
  ...listedAttachment,
  created_at: text(),
  host: text(),
  download_url: nullable(text('Expires within minutes; use the download action to get the file.')),
  permanent_url: nullable(text()),
  view_url: nullable(text()),
  parent: taskReference('A task, project or project brief.'),
  size: nullable(integer('Bytes; known for files that Asana itself stores.')),
} as const

const usualFields = Object.keys(usual).filter((name) => name !== 'gid' && name !== 'resource_type')

/** Asana reference, AttachmentResponse. */
const wholeAttachment = withOptional(usual, {
  connected_to_app: boolean('Whether the application of the grant shows this attachment; only on request.'),
})

const attachment = gid('The attachment.')

export const attachments = entity({
  description: 'Files attached to a task, a project or a project brief.',
  list: list({
    description: 'List the attachments of an object, for example a task.',
    path: '/attachments',
    params: { parent: gid('The task, project or project brief.') },
    ...recordsOf('attachment'),
    record: withOptional(listedAttachment, wholeAttachment),
    paging: pages,
    scopes: ['attachments:read'],
  }),
  get: get({
    description: 'Get one attachment: its location, its size and its parent.',
    path: '/attachments/{attachment_gid}',
    params: { attachment_gid: attachment },
    ...recordsOf('attachment'),
    record: wholeAttachment,
    select: { ...choice, default: usualFields },
    scopes: ['attachments:read'],
  }),
  download: download({
    description: 'Download the file of an attachment, or a part of it.',
    path: '/attachments/{attachment_gid}',
    params: { attachment_gid: attachment },
    select: { send: 'opt_fields', default: ['name', 'host', 'resource_subtype', 'download_url', 'view_url', 'size'] },
    locate,
    scopes: ['attachments:read'],
  }),
  searchable: {
    connected_to_app: 'boolean',
    created_at: 'string',
    download_url: 'string',
    gid: 'string',
    host: 'string',
    name: 'string',
    parent: 'object',
    permanent_url: 'string',
    resource_subtype: 'string',
    resource_type: 'string',
    size: 'integer',
    view_url: 'string',
  },
  indexed: ['parent.gid'],
  sync: attachmentStream,
})

/**
 * The address of the file. Some hosts never return one (reference of getAttachment: null for Vimeo, at times for
 * Box).
 */
function locate(answer: unknown): FileLocation {
  const record = (answer as { data?: Record<string, unknown> } | null)?.data
  if (typeof record !== 'object' || record === null)
    throw new ConexError('upstream_invalid_response', 'Asana answered without the attachment; repeat the call later.')
  const { download_url: url, name, host, view_url: view, size } = record
  if (typeof url !== 'string' || url === '') {
    // A signed address is a secret, so the message names only a plain one.
    const where = typeof view === 'string' && !/[?&](X-Amz-|t=)/.test(view) ? `; open it at ${view.slice(0, 300)}` : ''
    throw new ConexError(
      'file_unavailable',
      `This attachment is kept by ${typeof host === 'string' ? host.slice(0, 40) : 'another service'} and cannot be downloaded through Asana${where}.`,
    )
  }
  // A file on another service may have changed since it was attached.
  const isKept = (host === undefined || host === 'asana') && typeof size === 'number' && Number.isSafeInteger(size)
  return { url, ...(typeof name === 'string' && { name }), ...(isKept && { size }) }
}
