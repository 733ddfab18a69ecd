/** Attachments as answers. */
import { downloadUrl, viewUrl } from './file-host.ts'
import type { Attachment, Parent } from './records.ts'
import { isoTime, opening } from './shape-parts.ts'
import type { Shape, View } from './shapes.ts'

const parentShape: Shape<Parent> = {
  compact: ['name', 'resource_type', 'resource_subtype'],
  fields: {
    ...opening<Parent>(),
    resource_subtype: { get: (parent) => (parent.kind === 'task' ? parent.subtype : undefined) },
    created_by: {
      of: () => ({ compact: ['resource_type'], fields: { ...opening<{ gid: string; name: string; kind: string }>() } }),
      get: (parent, { world }) => (parent.kind === 'task' ? world.find('user', parent.createdBy) : undefined),
    },
  },
}

/** Addresses on the file host name the workspace that the file belongs to. */
function workspaceOf(attachment: Attachment, { world }: View): string {
  const parent = world.parent(attachment.parent)
  if (parent === undefined) return '0'
  if (parent.kind !== 'project_brief') return parent.workspace
  return world.find('project', parent.project)?.workspace ?? '0'
}

export const attachmentShape: Shape<Attachment> = {
  compact: ['gid', 'name', 'resource_type', 'resource_subtype'],
  fields: {
    ...opening<Attachment>(),
    resource_subtype: { get: (attachment) => attachment.host },
    host: { get: (attachment) => attachment.host },
    created_at: { get: (attachment) => isoTime(attachment.createdAt) },
    download_url: {
      get: (attachment, view) => downloadUrl(attachment, view.filesOrigin, workspaceOf(attachment, view), view.now),
    },
    permanent_url: {
      get: (attachment) =>
        attachment.host === 'asana' ? `https://app.asana.com/app/asana/-/get_asset?asset_id=${attachment.gid}` : null,
    },
    view_url: {
      get: (attachment, view) => viewUrl(attachment, view.filesOrigin, workspaceOf(attachment, view), view.now),
    },
    parent: { of: () => parentShape, get: (attachment, { world }) => world.parent(attachment.parent) },
    size: { optIn: true, get: (attachment) => (attachment.host === 'asana' ? attachment.size : undefined) },
    connected_to_app: {
      optIn: true,
      get: (attachment) => (attachment.host === 'external' || attachment.host === 'gdrive' ? false : undefined),
    },
  },
}
