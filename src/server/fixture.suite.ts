/** A served connector kind for tests: a small declared kind, a scripted system behind it, and a server on a fresh database. */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import Type from 'typebox'
import { authMethod } from '../catalog/authorization.ts'
import { defineCatalog } from '../catalog/catalog.ts'
import { connector } from '../catalog/connector.ts'
import { entity } from '../catalog/entity.ts'
import { id, integer, optional, secret, text } from '../catalog/fields.ts'
import { renewedAt } from '../catalog/oauth.ts'
import { download, get, list } from '../catalog/operation.ts'
import { cursorPaging } from '../catalog/paging.ts'
import { createEngine } from '../engine/engine.ts'
import { ConexError } from '../errors.ts'
import { type RunningServer, type ServeOptions, serve } from './serve.ts'
import { defaultSettings, type Settings } from './settings.ts'

const bearer = { style: 'bearer', token: 'token' } as const

const notes = connector({
  kind: 'field-notes',
  definitionId: '11111111-2222-4333-8444-555555555555',
  title: 'Field Notes',
  baseUrl: 'https://notes.example',
  authMethods: [
    authMethod({
      name: 'oauth',
      title: 'OAuth',
      credentials: {
        refresh_token: secret(),
        access_token: optional(secret()),
        client_id: optional(text()),
        client_secret: optional(secret()),
      },
      authorization: renewedAt({
        tokenAddress: { url: 'https://notes.example/token', relativeToBase: 'token' },
        clientAuthentication: 'body',
      }),
    }),
    authMethod({ name: 'token', title: 'Token', credentials: { token: secret() }, authorization: bearer }),
  ],
  replicationConfig: null,
  check: { entity: 'notes', action: 'list', params: { limit: 1 } },
  readRefusal({ status, body }) {
    if (status < 400) return null
    const message = String((body as { error?: unknown } | undefined)?.error ?? '')
    if (status === 401) return { code: 'reauthorization_required', message }
    if (status === 404) return { code: 'record_not_found', message }
    return { code: status >= 500 ? 'upstream_error' : 'upstream_refused', message }
  },
  rawReads: { get: ['/notes/**'], post: ['/notes/search'], refusedQuery: ['method'] },
  entities: {
    notes: entity({
      description: 'Notes.',
      list: list({
        description: 'All notes.',
        path: '/notes',
        recordsAt: ['data'],
        record: { id: id(), title: text() },
        paging: cursorPaging({
          params: { limit: optional(integer('', { minimum: 1, maximum: 100 })), offset: optional(text()) },
          cursor: 'offset',
          next: ['next'],
          block: { name: 'next', holds: 'token' },
        }),
      }),
      get: get({
        description: 'One note.',
        path: '/notes/{note_id}',
        params: { note_id: id() },
        recordsAt: [],
        record: { id: id(), title: text() },
      }),
      searchable: { id: 'string', title: 'string' },
    }),
    files: entity({
      description: 'Files.',
      download: download({
        description: 'The bytes of a file.',
        path: '/files/{file_id}',
        params: { file_id: id() },
        locate(answer) {
          const { url } = answer as { url?: string }
          if (url === undefined) throw new ConexError('file_unavailable', 'The record has no file.')
          return { url }
        },
      }),
    }),
  },
})

/** A second kind, with settings of the copy. */
const chat = connector({
  ...notes,
  kind: 'chat-log',
  definitionId: '99999999-2222-4333-8444-555555555555',
  title: 'Chat Log',
  authMethods: [authMethod({ name: 'token', title: 'Token', credentials: { token: secret() }, authorization: bearer })],
  replicationConfig: Type.Object(
    { lookback_window: integer('', { minimum: 0, maximum: 365 }) },
    { additionalProperties: false },
  ),
})

export const fixtureCatalog = defineCatalog({ 'field-notes': notes, 'chat-log': chat })

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

export interface Fixture {
  readonly server: RunningServer
  readonly settings: Settings
  /** What the system behind the connectors does; a test replaces it. */
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void
  /** The requests that reached the system. */
  readonly received: {
    readonly method: string
    readonly url: string
    readonly authorization: string
    readonly body: string
  }[]
  readonly upstream: string
  readonly log: () => string
  /** Waits until the log has a line that matches. */
  logged(pattern: RegExp): Promise<void>
  /** Every byte in the folder of the database. */
  readonly kept: () => Buffer
  bearer(): Promise<string>
  scoped(externalUserId: string): Promise<string>
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** A new connector of the first kind; gives its id. */
  connect(token: string, changes?: Readonly<Record<string, unknown>>): Promise<string>
  execute(token: string, connectorId: string, body: unknown): Promise<Answer>
  close(): Promise<void>
}

export interface CallOptions {
  readonly token?: string | undefined
  /** An object is sent as JSON, a text or bytes as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

let names = 0

/** What makes a connector of the first kind, with these changes. */
export const creation = (changes: Readonly<Record<string, unknown>> = {}) => ({
  external_user_id: 'ann',
  connector_type: 'field-notes',
  name: `connector ${++names}`,
  credentials: { token: 'good' },
  ...changes,
})

/** Starts the system and the server. */
export async function startFixture(settings: Partial<Settings> = {}, options: ServeOptions = {}): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'conex-server-'))
  const received: Fixture['received'] = []
  const system = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const { method = '', url = '', headers } = request
      received.push({ method, url, authorization: headers.authorization ?? '', body })
      fixture.answer(request, response, body)
    })
  })
  await once(system.listen(0, '127.0.0.1'), 'listening')
  const upstream = `http://127.0.0.1:${(system.address() as AddressInfo).port}`

  let log = ''
  const waiting: { readonly pattern: RegExp; readonly found: () => void }[] = []
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk)
      for (const { pattern, found } of waiting) if (pattern.test(log)) found()
      done()
    },
  })
  const whole: Settings = {
    ...defaultSettings,
    port: 0,
    databaseUrl: `sqlite:${join(folder, 'conex.db')}`,
    allowPrivateNetwork: true,
    retryCeilingSeconds: 0,
    logLevel: 'debug',
    baseUrls: { 'field-notes': upstream, 'chat-log': upstream },
    ...settings,
  }
  const server = await serve(whole, fixtureCatalog, createEngine, {
    logTo,
    clock: { now: Date.now, sleep: async () => {} },
    ...options,
  })

  const fixture: Fixture = {
    server,
    settings: whole,
    upstream,
    received,
    answer: (_request, response) => json(response, 200, { data: [{ id: '1', title: 'first' }], next: null }),
    log: () => log,
    logged: (pattern) =>
      new Promise((found) => {
        if (pattern.test(log)) found()
        else waiting.push({ pattern, found })
      }),
    kept: () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
    bearer: async () => (await server.issueToken()).token,
    scoped: async (externalUserId) => (await server.issueToken(externalUserId)).token,

    async call(method, path, { token, body, headers = {} } = {}) {
      const asIs = typeof body === 'string' || body instanceof Uint8Array
      const response = await fetch(server.origin + path, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: asIs ? (body as string) : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson && text ? JSON.parse(text) : undefined,
      }
    },

    async connect(token, changes = {}) {
      const body = creation(changes)
      const created = await fixture.call('POST', '/v1/integrations/connectors', { token, body })
      if (created.status !== 201) throw new Error(created.text)
      return created.body.id
    },

    execute: (token, connectorId, body) =>
      fixture.call('POST', `/api/v1/connectors/sources/${connectorId}/execute`, { token, body }),

    async close() {
      await server.close()
      system.closeAllConnections()
      system.close()
      rmSync(folder, { recursive: true })
    },
  }
  return fixture
}

/** A fixture with a token of the organization, tokens of two of its end users, and a connector of the first of them. */
export async function startWithCallers(settings: Partial<Settings> = {}) {
  const fixture = await startFixture(settings)
  const [bearer, ann, bob] = [await fixture.bearer(), await fixture.scoped('ann'), await fixture.scoped('bob')]
  const create = (body: unknown, token = bearer): Promise<Answer> =>
    fixture.call('POST', '/v1/integrations/connectors', { token, body })
  return { fixture, bearer, ann, bob, id: await fixture.connect(ann), create }
}

/** What a suite that uses it declares. */
export type Callers = Awaited<ReturnType<typeof startWithCallers>>

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
