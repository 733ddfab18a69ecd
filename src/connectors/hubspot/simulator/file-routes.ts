/** The addresses of files ("Files API v3"), and the host of their bytes. */
import {
  answerSigned,
  type Call,
  fileAnswer,
  fileBytes,
  jsonReply,
  param,
  type Reply,
  signedQuery,
} from '../../../kit/simulator.ts'
import { portal } from './portal.ts'
import type { StoredFileFacts } from './setup.ts'
import { byAfter, filter, list, listed, notFound, paging, route, type World } from './world.ts'

const key = 'simulated file manager'

const pathOf = ({ id, name, extension }: StoredFileFacts): string => `/hubfs/${portal.id}/${id}/${name}.${extension}`

function shown(file: StoredFileFacts, { filesOrigin }: World): object {
  const { contentType: _, ...facts } = file
  const url = `${filesOrigin}${pathOf(file)}`
  return {
    ...facts,
    path: `/library/${file.name}.${file.extension}`,
    encoding: null,
    url,
    defaultHostingUrl: url,
    fileMd5: Number(file.id).toString(16).padStart(32, '0'),
    sourceGroup: 'CONTENT',
    ...(file.type === 'IMG' && { width: 640, height: 480 }),
    isUsableInContent: true,
    archived: false,
  }
}

const scopes = ['files', 'files.read']
/** Milliseconds, or a time in words. */
const time = param.custom((given) => {
  const moment = /^\d+$/.test(String(given)) ? Number(given) : Date.parse(String(given))
  return Number.isNaN(moment) ? undefined : moment
})

const created = ({ createdAt }: StoredFileFacts) => Date.parse(createdAt)
const updated = ({ updatedAt }: StoredFileFacts) => Date.parse(updatedAt)

export const fileRoutes = [
  list({
    path: '/files/v3/files/search',
    scopes,
    params: { sort: param.text() },
    rows: ({ world, args }) => (args.sort?.startsWith('-') ? world.files.rows.toReversed() : world.files.rows),
    filters: {
      ids: filter(param.text(), ({ id }: StoredFileFacts, _, ask) => listed(ask, 'ids')!.includes(id)),
      parentFolderIds: filter(param.text(), (file: StoredFileFacts, _, ask) =>
        listed(ask, 'parentFolderIds')!.includes(file.parentFolderId),
      ),
      name: filter(param.text(), (file: StoredFileFacts, name) => file.name.includes(name)),
      path: filter(param.text(), (file: StoredFileFacts, path) => path === `/library/${file.name}.${file.extension}`),
      type: filter(param.text(), (file: StoredFileFacts, type) => file.type === type),
      extension: filter(param.text(), (file: StoredFileFacts, extension) => file.extension === extension),
      createdAtGte: filter(time, (file: StoredFileFacts, moment) => created(file) >= moment),
      createdAtLte: filter(time, (file: StoredFileFacts, moment) => created(file) <= moment),
      updatedAtGte: filter(time, (file: StoredFileFacts, moment) => updated(file) >= moment),
      updatedAtLte: filter(time, (file: StoredFileFacts, moment) => updated(file) <= moment),
    },
    pages: byAfter<StoredFileFacts>(10),
    show: (file, { world }) => shown(file, world),
    body: (results, { next }, { call }) => ({ results, ...paging(call, next) }),
  }),
  route({
    path: '/files/v3/files/{id}',
    scopes,
    answer: ({ world, path }) => shown(world.files.find(path.id!) ?? notFound(), world),
  }),
  route({
    path: '/files/v3/files/{id}/signed-url',
    scopes,
    params: {
      size: param.word(['thumb', 'icon', 'medium', 'preview']),
      upscale: param.boolean(),
      expirationSeconds: param.integer({ least: 1 }),
    },
    answer({ world, path, args, now }) {
      const file = world.files.find(path.id!) ?? notFound()
      const seconds = args.expirationSeconds ?? 3600
      const at = args.size === undefined ? pathOf(file) : `/${args.size}${pathOf(file)}`
      const { name, extension, type, size } = file
      return {
        url: `${world.filesOrigin}${at}?${signedQuery(key, at, now, seconds)}`,
        expiresAt: new Date(now + seconds * 1000).toISOString(),
        name,
        extension,
        type,
        size,
      }
    },
  }),
]

/** A signed address gives the bytes; public files need no signature. */
export function answerFile(call: Call, world: World, now: number): Reply {
  const [, version, id] = /^(?:\/(thumb|icon|medium|preview))?\/hubfs\/\d+\/(\d+)\/[^/]+$/.exec(call.path) ?? []
  const file = world.files.find(id ?? '')
  if (file === undefined) return jsonReply(404, { status: 'error', message: 'File not found' })
  const length = version === undefined ? file.size : Math.ceil(file.size / 4)
  const stored = {
    name: `${file.name}.${file.extension}`,
    contentType: file.contentType,
    etag: `"${file.id}${version ?? ''}"`,
    modified: Date.parse(file.updatedAt),
    bytes: fileBytes(Number(file.id) % 1_000_003, length, Buffer.from(file.extension === 'pdf' ? '%PDF-1.7\n' : '')),
  }
  const isSigned = file.access === 'PRIVATE' || call.query !== ''
  return isSigned ? answerSigned(key, call, stored, now) : fileAnswer(stored, call.headers.range)
}
