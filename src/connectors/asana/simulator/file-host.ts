/** The host of attachments' bytes: signed addresses for Asana's own files, plain ones for those of other services. */
import {
  answerSigned,
  type Call,
  fileAnswer,
  fileBytes,
  type Reply,
  type StoredFile,
  signedQuery,
} from '../../../kit/simulator.ts'
import { indexOf } from './gids.ts'
import type { Attachment } from './records.ts'
import type { View, World } from './world.ts'

const key = 'simulated object store'
/** The lifetime of a signed address, in seconds. */
const life = 120

const hash = ({ gid }: Attachment) =>
  (((indexOf(gid) + 7) * 2_654_435_761) % 0x1_0000_0000).toString(16).padStart(8, '0')

/** The first address of a download, which names the workspace of the file; null if the service gives none. */
export function downloadUrl(attachment: Attachment, { world, now }: View): string | null {
  const { gid, host } = attachment
  if (host === 'box' || host === 'vimeo') return null
  if (host !== 'asana') return `${world.filesOrigin}/elsewhere/${host}/${gid}`
  const parent = world.parent(attachment.parent)
  const holder = parent?.resource_type === 'project_brief' ? world.find('project', parent.project) : parent
  const path = `/assets/${holder?.workspace ?? '0'}/${gid}/${hash(attachment)}`
  return `${world.filesOrigin}${path}?${signedQuery(key, path, now, life)}#_=_`
}

/** The address at which a person views the file. */
export const viewUrl = (attachment: Attachment, view: View): string | null =>
  attachment.host === 'asana'
    ? downloadUrl(attachment, view)
    : `https://${attachment.host}.example/view/${attachment.gid}`

/** The file itself, as the store keeps it. */
const fileOf = (attachment: Attachment): StoredFile => ({
  name: attachment.name,
  contentType: attachment.content_type,
  etag: `"${hash(attachment).repeat(4)}"`,
  modified: Date.parse(attachment.created_at),
  bytes: fileBytes(indexOf(attachment.gid), attachment.size, Buffer.from(attachment.lead, 'latin1')),
})

export function answerFile(call: Call, world: World, now: number): Reply {
  const [, area, holder = '', gid = '', mark = ''] = call.path.split('/')
  if (area === 'us1') return { status: 200, headers: { 'content-type': 'image/png' }, body: fileBytes(1, 68) }
  const attachment = world.find('attachment', gid.replace(/\.part$/, ''))
  if (area === 'elsewhere') return elsewhere(call, holder, attachment, world)
  const isStored = attachment !== undefined && area === 'assets' && mark === hash(attachment)
  return answerSigned(key, call, isStored ? fileOf(attachment) : undefined, now)
}

/** Other services: one redirects to its content, one requires a sign-in, the rest answer at once. */
function elsewhere(call: Call, host: string, attachment: Attachment | undefined, { filesOrigin }: World): Reply {
  if (attachment === undefined) return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found\n' }
  if (host === 'dropbox' && !call.path.endsWith('.part')) {
    const location = `${filesOrigin}/elsewhere/dropbox/${attachment.gid}.part`
    return { status: 302, headers: { location }, body: '' }
  }
  if (host !== 'gdrive') return fileAnswer(fileOf(attachment), call.headers.range)
  const page = '<!doctype html><html><head><title>Sign in</title></head><body>Sign in to see this file</body></html>'
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page }
}
