/** The addresses of files ("Files API v3"), and the host of their bytes. */
import {
  type Call,
  fileAnswer,
  fileBytes,
  jsonReply,
  param,
  type Reply,
  refuseUnsigned,
  signedQuery,
  xmlRefusal,
} from '../../../kit/simulator.ts'
import { portal } from './portal.ts'
import type { StoredFileFacts } from './setup.ts'
import { byAfter, invalid, list, listed, notFound, paging, route, type World } from './world.ts'

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
const time = (given: string | undefined): number => {
  const moment = given === undefined ? 0 : /^\d+$/.test(given) ? Number(given) : Date.parse(given)
  return Number.isNaN(moment) ? invalid(`Not a time: ${given}`) : moment
}

export const fileRoutes = [
  list({
    path: '/files/v3/files/search',
    scopes,
    params: {
      ids: param.text(),
      name: param.text(),
      path: param.text(),
      parentFolderIds: param.text(),
      type: param.text(),
      extension: param.text(),
      createdAtGte: param.text(),
      createdAtLte: param.text(),
      updatedAtGte: param.text(),
      updatedAtLte: param.text(),
      sort: param.text(),
    },
    rows: ({ world, args }) => (args.sort?.startsWith('-') ? world.files.rows.toReversed() : world.files.rows),
    filters: {
      ids: ({ id }: StoredFileFacts, ask) => listed(ask, 'ids')!.includes(id),
      parentFolderIds: ({ parentFolderId }, ask) => listed(ask, 'parentFolderIds')!.includes(parentFolderId),
      name: ({ name }, { args }) => name.includes(args.name!),
      path: ({ name, extension }, { args }) => `/library/${name}.${extension}` === args.path,
      type: ({ type }, { args }) => type === args.type,
      extension: ({ extension }, { args }) => extension === args.extension,
      createdAtGte: ({ createdAt }, { args }) => Date.parse(createdAt) >= time(args.createdAtGte),
      createdAtLte: ({ createdAt }, { args }) => Date.parse(createdAt) <= time(args.createdAtLte),
      updatedAtGte: ({ updatedAt }, { args }) => Date.parse(updatedAt) >= time(args.updatedAtGte),
      updatedAtLte: ({ updatedAt }, { args }) => Date.parse(updatedAt) <= time(args.updatedAtLte),
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
  if (call.method !== 'GET') return xmlRefusal(405, 'MethodNotAllowed', 'The specified method is not allowed')
  const [, version, id] = /^(?:\/(thumb|icon|medium|preview))?\/hubfs\/\d+\/(\d+)\/[^/]+$/.exec(call.path) ?? []
  const file = world.files.find(id ?? '')
  if (file === undefined) return jsonReply(404, { status: 'error', message: 'File not found' })
  if (file.access === 'PRIVATE' || call.query !== '') {
    const refused = refuseUnsigned(key, call, call.path, now)
    if (refused !== null) return refused
  }
  const length = version === undefined ? file.size : Math.ceil(file.size / 4)
  return fileAnswer(
    {
      name: `${file.name}.${file.extension}`,
      contentType: file.contentType,
      etag: `"${file.id}${version ?? ''}"`,
      modified: Date.parse(file.updatedAt),
      bytes: fileBytes(Number(file.id) % 1_000_003, length, Buffer.from(file.extension === 'pdf' ? '%PDF-1.7\n' : '')),
    },
    call.headers.range,
  )
}
