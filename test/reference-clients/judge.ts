/** Judges an answer to a client of the reference service: it has what Conex's own client gets. */
import assert from 'node:assert/strict'
import type { Connector } from '../../src/catalog/connector.ts'
import { catalog } from '../../src/connectors/index.ts'
import { ConexError } from '../../src/errors.ts'
import { parseJson } from '../../src/json.ts'
import { executePath, isFine, isProblem } from '../hosted.ts'
import type { SentRequest, WireAnswer } from './requests.ts'
import { endUser, type Kind, kinds, type Served, type ServedKind, spareEndUser } from './served.ts'

const definitions: Readonly<Record<string, Kind>> = Object.fromEntries(
  kinds.map((kind) => [catalog[kind].definitionId, kind]),
)

export async function judge(served: Served, request: SentRequest, answer: WireAnswer): Promise<void> {
  const url = new URL(request.path, served.hosted.server.origin)
  const route = routes.find(([method, path]) => method === request.method && path.test(url.pathname))
  assert.ok(route, `${request.method} ${url.pathname} is no request of these clients`)
  const [, path, judgeRoute] = route
  await judgeRoute({ served, request, answer, query: url.searchParams, id: path.exec(url.pathname)?.[1] ?? '' })
}

interface Judged {
  readonly served: Served
  readonly request: SentRequest
  readonly answer: WireAnswer
  readonly query: URLSearchParams
  /** The connector in the path. */
  readonly id: string
}

const routes: readonly (readonly [string, RegExp, (judged: Judged) => void | Promise<void>])[] = [
  ['POST', /^\/api\/v1\/(?:account\/)?applications\/token$/, token],
  ['GET', /^\/api\/v1\/(?:integrations\/connectors|connectors\/connectors_for_user)$/, lookUp],
  ['POST', /^\/v1\/integrations\/connectors$/, creation],
  ['POST', /^\/api\/v1\/integrations\/connectors\/oauth\/initiate$/, consent],
  ['GET', /^\/api\/v1\/integrations\/connectors\/([^/]+)\/inspect$/, inspection],
  ['DELETE', /^\/api\/v1\/integrations\/connectors\/([^/]+)$/, deletion],
  ['GET', /^\/api\/v1\/skills\/docs$/, documents],
  ['GET', /^\/api\/v1\/workspaces$/, workspaces],
  ['POST', /^\/api\/v1\/(?:connectors\/sources|integrations\/connectors)\/([^/]+)\/execute$/, execution],
]

function token({ served, request, answer }: Judged): void {
  const { client_secret } = request.body as { client_secret: string }
  if (client_secret === served.client.secret) assert.match(isFine(answer).access_token, /^\S+$/)
  else isProblem(answer, 'unauthenticated')
}

async function lookUp({ served, answer, query }: Judged): Promise<void> {
  const user = query.get('external_user_id') ?? query.get('customer_name') ?? query.get('workspace_name')
  const kind = query.get('definition_id') === null ? undefined : definitions[query.get('definition_id')!]!
  const own = new URLSearchParams({ external_user_id: user!, ...(kind && { connector_type: kind }) })
  const { connectors } = isFine(
    await served.hosted.call('GET', `/v1/integrations/connectors?${own}`, { token: await served.token() }),
  )
  const found = isFine(answer)
  assert.deepEqual(found.connectors, connectors)
  assert.deepEqual(
    found.data,
    connectors.map((one: Record<string, unknown>) => ({
      id: one.id,
      name: one.name,
      summarized_source_template: { name: one.connector_type },
      created_at: one.created_at,
      updated_at: one.updated_at,
    })),
  )
  const theirs = user === endUser ? kinds.filter((one) => kind === undefined || one === kind) : []
  if (user !== spareEndUser)
    assert.deepEqual(
      found.data.map(({ id }: { id: string }) => id),
      theirs.map((one) => served.kinds[one].connector),
    )
}

function creation({ request, answer }: Judged): void {
  const body = request.body as {
    definition_id: string
    name: string
    external_user_id?: string
    customer_name?: string
  }
  assert.equal(answer.status, 201, answer.text)
  assert.match(answer.body.id, /^[0-9a-f-]{36}$/)
  const { connector_type, name, external_user_id, status } = answer.body
  assert.deepEqual(
    [connector_type, name, external_user_id, status],
    [definitions[body.definition_id], body.name, body.external_user_id ?? body.customer_name, 'active'],
  )
}

function consent({ served, request, answer }: Judged): void {
  const kind = definitions[(request.body as { definition_id: string }).definition_id]!
  const { base_url } = served.hosted.systems.describe()[kind]!
  assert.equal(new URL(isFine(answer).consent_url).origin, new URL(base_url).origin)
}

function inspection({ served, answer, id }: Judged): void {
  const kind = kindOf(served, id)!
  const { ready, docs_skill_id, warnings, entities } = isFine(answer)
  assert.deepEqual([ready, docs_skill_id, warnings, entities], [true, kind, [], Object.keys(catalog[kind].entities)])
}

async function deletion({ served, answer, id }: Judged): Promise<void> {
  assert.equal(answer.status, 204, answer.text)
  const path = `/v1/integrations/connectors/${id}`
  isProblem(await served.hosted.call('GET', path, { token: await served.token() }), 'not_found')
}

async function documents({ served, answer, query }: Judged): Promise<void> {
  const kind = query.get('id') as Kind
  const type = await served.kinds[kind].own.describe()
  const [of, name = '', action] = (query.get('section') ?? '').split(/[:.]/)
  const entity = type.entities.find((one) => one.name === name)
  const { metadata, outline, content } = isFine(answer)
  assert.equal(metadata.title, type.title)
  assert.deepEqual(
    outline.map(({ id }: { id: string }) => id),
    of === 'action'
      ? []
      : (entity?.actions.map((one) => `action:${name}.${one.name}`) ??
          type.entities.map((one) => `entity:${one.name}`)),
  )
  const text = content.map((block: { text: string }) => block.text).join('\n')
  for (const word of [name, action ?? '']) assert.ok(text.includes(word), `${word} is not in ${text}`)
  assert.ok(text.length > 50)
}

function workspaces({ answer, query }: Judged): void {
  const name = query.get('name_contains')
  assert.deepEqual(isFine(answer).data, [{ id: name, name }])
}

interface Execution {
  readonly entity: string
  readonly action: string
  readonly params?: Readonly<Record<string, unknown>> | null
  readonly select_fields?: string[]
  readonly exclude_fields?: string[]
  readonly skip_truncation?: boolean
}

/** The actions of the newer dialect, and Conex's names for them. */
const sameAction: Readonly<Record<string, string>> = { context_store_search: 'search', context_store_sql_query: 'sql' }

async function execution({ served, request, answer, id }: Judged): Promise<void> {
  const asked = request.body as Execution
  const kind = kindOf(served, id)
  // Connectors that a client has made are only checked.
  if (asked.action === 'check') return assert.equal(isFine(answer).result.status, 'healthy')
  if (kind === undefined) return isProblem(answer, 'not_found')
  const { entities } = catalog[kind] as Connector
  if (entities[asked.entity] === undefined) return isProblem(answer, 'unknown_entity')
  const action = sameAction[asked.action] ?? asked.action
  if (action === 'download') return download(served.kinds[kind], asked, answer)
  let expected: unknown
  try {
    expected = await ownAnswer(served, kind, { ...asked, action })
  } catch (error) {
    assert.ok(error instanceof ConexError, String(error))
    return isProblem(answer, error.code)
  }
  const isCut = asked.skip_truncation === false && asked.action !== 'get'
  const [got, wanted] = [isFine(answer), asked.action === 'context_store_search' ? asRecords(expected) : expected]
  assert.deepEqual(timeless(isCut ? truncated(got) : got), timeless(isCut ? truncated(wanted) : wanted))
  assert.ok(sizeOf(got.result) > 0, 'nothing was found')
}

async function ownAnswer(served: Served, kind: Kind, asked: Execution): Promise<unknown> {
  const { entity, action, params, select_fields, exclude_fields } = asked
  const choice = { ...(select_fields && { select_fields }), ...(exclude_fields && { exclude_fields }) }
  const { connector, own } = served.kinds[kind]
  if (action !== 'sql' && (action !== 'search' || Object.keys(choice).length === 0))
    return own.execute(entity, action, params ?? {}, choice)
  const body = { entity, action, params, ...choice }
  const answer = await served.hosted.call('POST', executePath(connector), { token: await served.token(), body })
  if (answer.status !== 200) throw new ConexError(answer.body.code, answer.body.detail)
  return parseJson(answer.text)
}

const kindOf = (served: Served, id: string): Kind | undefined =>
  kinds.find((kind) => served.kinds[kind].connector === id)

/** The whole file, as bytes that no model reads, or as a window of characters. */
async function download({ own }: ServedKind, { entity, params }: Execution, answer: WireAnswer): Promise<void> {
  const given = Object.entries(params ?? {})
  const window = Object.fromEntries(given.filter(([name]) => name.startsWith('_airbyte_')))
  const plain = Object.fromEntries(given.filter(([name]) => !name.startsWith('_airbyte_')))
  const file = Buffer.from(await (await own.download(entity, plain)).arrayBuffer())
  assert.ok(file.length > 0)
  if (Object.keys(window).length === 0) {
    assert.deepEqual([answer.status, answer.bytes.compare(file)], [200, 0])
    return
  }
  // None of the three kinds has a file of text to show.
  if (window._airbyte_response_format === 'text')
    return isProblem(answer, 'invalid_params', '/params/_airbyte_response_format')
  const offset = Number(window._airbyte_text_offset ?? 0)
  const end = offset + Number(window._airbyte_max_chars ?? 20_000)
  const characters = file.toString('base64')
  const { content, encoding, has_more, next_offset } = isFine(answer).result
  assert.equal(content, characters.slice(offset, end))
  const more = end < characters.length
  assert.deepEqual([encoding, has_more, next_offset], ['base64', more, more ? end : null])
}

/** Hits as the records alone, with the page beside them. */
function asRecords(answer: unknown): unknown {
  const { result, connector_metadata } = answer as {
    result: { hits: { data: unknown }[]; next_cursor: string | null; took_ms: number }
    connector_metadata: object
  }
  const { hits, next_cursor, took_ms } = result
  return {
    result: {
      data: hits.map(({ data }) => data),
      meta: { has_more: next_cursor !== null, cursor: next_cursor, took_ms },
    },
    connector_metadata,
  }
}

/** Long texts are cut; what the cut says of the rest is another test's. */
const truncated = (answer: unknown) =>
  changed(answer, (_, part) => (typeof part === 'string' ? part.slice(0, 200) : part))

/** Without what differs from one reading to the next. */
const timeless = (answer: unknown) => changed(answer, (name, part) => (name === 'took_ms' ? typeof part : part))

/** Every value with what the change makes of it; numbers of any length stay what they are. */
function changed(value: unknown, change: (name: string, part: unknown) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((part) => changed(part, change))
  if (value === null || Object.getPrototypeOf(value) !== Object.prototype) return change(name, value)
  return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, changed(part, change, key)]))
}

const sizeOf = (result: object): number =>
  Object.keys('hits' in result ? (result.hits as object) : 'data' in result ? (result.data as object) : result).length
