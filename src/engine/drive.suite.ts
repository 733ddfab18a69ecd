/** For the engine's tests: a connector kind whose records point to files on a host of their own, and downloads from it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { connector } from '../catalog/connector.ts'
import { entity } from '../catalog/entity.ts'
import { text } from '../catalog/fields.ts'
import { download } from '../catalog/operation.ts'
import { ConexError } from '../errors.ts'
import type { Call } from './call/call.ts'
import { closeAfterTests, scriptedEngine, tokenMethod } from './scripted-engine.suite.ts'
import { answerJson, fixedCredentials } from './scripted-system.suite.ts'
import type { EngineSettings } from './settings.ts'

const file = (refusedTypes: readonly string[] = []) =>
  entity({
    description: 'Files.',
    download: download({
      description: 'Download a file.',
      path: '/files/{gid}',
      params: { gid: text() },
      refusedTypes,
      locate: (answer) => {
        const { url, ...known } = answer as { url?: string; name?: string; size?: number }
        if (url === undefined) throw new ConexError('file_unavailable', 'There is no file.')
        return { url, ...known }
      },
    }),
  })

export const drive = connector({
  kind: 'drive',
  definitionId: '00000000-0000-7000-8000-000000000002',
  title: 'Drive',
  baseUrl: 'https://drive.example',
  authMethods: [tokenMethod],
  replicationConfig: null,
  check: { entity: 'files', action: 'list', params: {} },
  readRefusal: () => null,
  entities: { files: file(), media: file(['text/html']) },
})

/** The file. */
export const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))

/** Answers one request of a file's host; `turn` counts from 0. */
export type Host = (turn: number, request: IncomingMessage, response: ServerResponse) => void

/** Serves the bytes with ranges, as a storage host does. */
export const storage: Host = (_, { headers: { range } }, response) => {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined || to === undefined) {
    response.writeHead(200, {
      'content-length': bytes.length,
      'content-type': 'application/pdf',
      'accept-ranges': 'bytes',
    })
    return void response.end(bytes)
  }
  const first = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
  if (first >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}`, 'content-type': 'application/xml' })
    return void response.end('<Error>secret of the host</Error>')
  }
  response.writeHead(206, {
    'content-range': `bytes ${first}-${last}/${bytes.length}`,
    'content-length': last - first + 1,
  })
  response.end(bytes.subarray(first, last + 1))
}

/** A system whose records point to a file host of their own. */
export async function driveWith(host: Host, settings: Partial<EngineSettings> = {}, located: object = {}) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    host(asked.length - 1, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAfterTests(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const scripted = await scriptedEngine(
    (turn, _, response) => answerJson(response, { url: `${origin}/kept/${turn}?signature=s${turn}#_=_`, ...located }),
    settings,
  )
  const call = (params: object = {}, more: Partial<Call> = {}): Call => ({
    connector: drive,
    baseUrl: scripted.system.origin,
    credentials: fixedCredentials({ token: 'secret-token' }),
    entity: 'files',
    action: 'download',
    params: { gid: '1', ...params },
    ...more,
  })
  return { ...scripted, asked, origin, call }
}

/** All bytes of a body. */
export async function contents(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
