/** The host of attachments' bytes: signed addresses for Asana's own files, plain ones for those of other services. */
import {
  type Call,
  fileAnswer,
  fileBytes,
  type Reply,
  refuseUnsigned,
  type StoredFile,
  signedQuery,
  xmlRefusal,
} from '../../../kit/simulator.ts'
import type { Attachment } from './records.ts'
import { numberOf } from './shape-parts.ts'
import type { World } from './world.ts'

const key = 'simulated object store'
/** The lifetime of a signed address, in seconds. */
const life = 120

const hash = (attachment: Attachment) =>
  (((numberOf(attachment.gid) + 7) * 2_654_435_761) % 0x1_0000_0000).toString(16).padStart(8, '0')

/** The first address of a download; null if the service gives none. */
export function downloadUrl(
  attachment: Attachment,
  filesOrigin: string,
  workspace: string,
  now: number,
): string | null {
  if (attachment.host === 'box' || attachment.host === 'vimeo') return null
  if (attachment.host !== 'asana') return `${filesOrigin}/elsewhere/${attachment.host}/${attachment.gid}`
  const path = `/assets/${workspace}/${attachment.gid}/${hash(attachment)}`
  return `${filesOrigin}${path}?${signedQuery(key, path, now, life)}#_=_`
}

/** The address at which a person views the file. */
export function viewUrl(attachment: Attachment, filesOrigin: string, workspace: string, now: number): string | null {
  if (attachment.host === 'asana') return downloadUrl(attachment, filesOrigin, workspace, now)
  return `https://${attachment.host}.example/view/${attachment.gid}`
}

/** The file itself, as the store keeps it. */
export function storedFile(attachment: Attachment): StoredFile {
  return {
    name: attachment.name,
    contentType: attachment.contentType,
    etag: `"${hash(attachment).repeat(4)}"`,
    modified: attachment.createdAt,
    bytes: fileBytes(numberOf(attachment.gid), attachment.size, Buffer.from(attachment.lead, 'latin1')),
  }
}

export function answerFile(call: Call, world: World, filesOrigin: string, now: number): Reply {
  if (call.method !== 'GET') return xmlRefusal(405, 'MethodNotAllowed', 'The specified method is not allowed')
  const [, area, holder = '', gid = '', mark = ''] = call.path.split('/')
  const attachment = world.find('attachment', area === 'assets' ? gid : gid.replace(/\.part$/, ''))
  if (area === 'elsewhere') return elsewhere(call, holder, attachment, filesOrigin)
  if (area === 'us1') return { status: 200, headers: { 'content-type': 'image/png' }, body: fileBytes(1, 68) }
  const refused = refuseUnsigned(key, call, call.path, now)
  if (refused !== null) return refused
  if (area !== 'assets' || attachment === undefined || mark !== hash(attachment)) {
    return xmlRefusal(404, 'NoSuchKey', 'The specified key does not exist.')
  }
  return fileAnswer(storedFile(attachment), call.headers.range)
}

/** Other services: one redirects to its content, one requires a sign-in, the rest answer at once. */
function elsewhere(call: Call, host: string, attachment: Attachment | undefined, filesOrigin: string): Reply {
  if (attachment === undefined) return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found\n' }
  if (host === 'dropbox' && !call.path.endsWith('.part')) {
    const location = `${filesOrigin}/elsewhere/dropbox/${attachment.gid}.part`
    return { status: 302, headers: { location }, body: '' }
  }
  if (host === 'gdrive') {
    const page = '<!doctype html><html><head><title>Sign in</title></head><body>Sign in to see this file</body></html>'
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page }
  }
  return fileAnswer(storedFile(attachment), call.headers.range)
}
