/**
 * The OpenAPI document, derived from the route table, the endpoints' schemas, the catalog and the table of error codes.
 */
import type { Catalog } from '../catalog/catalog.ts'
import { text as textField } from '../catalog/fields.ts'
import type { JsonSchema } from '../catalog/json-schema.ts'
import { TitledSchemas } from '../catalog/titled-schemas.ts'
import { ConexError, type ErrorCode, errorCodes, errorKinds } from '../errors.ts'
import { nameText } from '../service/aliases.ts'
import { type Problem, problemSchema } from '../wire.ts'
import type { Endpoint, EndpointAnswer } from './endpoint.ts'
import { credentialConditions, credentialSchemas, withCredentials } from './openapi-credentials.ts'
import { describeOperations, type Operations } from './openapi-operations.ts'
import { type Json, someOf, withConditions, withItems } from './openapi-schemas.ts'
import { problemOf, problemType } from './problem.ts'
import { isLimited } from './rate-limits.ts'
import type { Route, TokenNeeded } from './route.ts'

export interface OpenApi extends Json {
  readonly openapi: '3.1.1'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: Json
  }
  readonly servers?: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: { readonly schemas: Json; readonly securitySchemes: Json }
}

/** `address` is the public address of the service, if it is known. */
export async function openApi(
  routes: readonly Route[],
  catalog: Catalog,
  version: string,
  address?: string,
): Promise<OpenApi> {
  const schemas = new TitledSchemas('#/components/schemas/')
  const operations = await describeOperations(catalog)
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const path = templateOf(route.path)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = describeRoute(route, schemas, operations, catalog)
    for (const alias of route.aliases ?? []) paths[templateOf(alias)] = { $ref: pointerTo(path) as unknown as Json }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Conex',
      version,
      description:
        'Create a connector for an end user once, then run operations on it: list, get and download read the system itself; search and SQL read a synchronized copy.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    ...(address !== undefined && { servers: [{ url: address }] }),
    paths,
    components: {
      schemas: withItems({ ...schemas.named, ...credentialSchemas(catalog), ...operations.schemas }) as Json,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token for the whole organization, in exchange for a client id and secret; valid for 15 minutes.',
        },
        scoped: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token for the connectors of a single end user; valid for 20 minutes.',
        },
      },
    },
  }
}

/** `/a/:b` becomes `/a/{b}`. */
const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

const pointerTo = (path: string): string => `#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}`

const security: Readonly<Record<TokenNeeded, readonly Json[]>> = {
  none: [],
  bearer: [{ bearer: [] }],
  any: [{ bearer: [] }, { scoped: [] }],
}

function describeRoute(route: Route, schemas: TitledSchemas, operations: Operations, catalog: Catalog): Json {
  const { endpoint, token, path, method } = route
  const { summary, body, form, bodyMayBeLeftOut, runsOperations, answers } = endpoint
  const responses = Object.entries(answers).map(([status, answer]): [string, Json] => [
    status,
    describeAnswer(answer, schemas),
  ])
  if (runsOperations) {
    const { content } = responses[0]![1] as { content: Json }
    const json = { schema: operations.answer, examples: operations.answerExamples }
    responses[0]![1] = { ...responses[0]![1], content: { 'application/json': json, ...content } }
  }
  return {
    operationId: operationIdOf(method, path),
    summary,
    tags: [tagOf(path)],
    security: security[token],
    parameters: parametersOf(route, schemas),
    ...(body && {
      requestBody: {
        required: bodyMayBeLeftOut !== true,
        content: {
          'application/json': runsOperations
            ? { schema: operations.request, examples: operations.requestExamples }
            : { schema: withItems(bodyOf(endpoint, schemas.use(body) as Json, catalog)) },
        },
      },
    }),
    ...(form && {
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: withItems(schemas.use(form)) } },
      },
    }),
    responses: together(Object.fromEntries(responses), problemsOf(route, schemas)),
  }
}

/** Answers and problems by status; one that has both has the contents of both. */
function together(answers: Readonly<Record<string, Json>>, problems: Readonly<Record<string, Json>>): Json {
  const both = Object.entries(problems).map(([status, problem]): [string, Json] => {
    const content = { ...(answers[status]?.content as Json | undefined), ...(problem.content as Json) }
    return [status, { ...problem, content }]
  })
  return { ...answers, ...Object.fromEntries(both) }
}

function bodyOf({ oneOfEach = [], takesCredentials }: Endpoint, body: Json, catalog: Catalog): Json {
  const groups = oneOfEach.map(someOf)
  if (takesCredentials !== true) return withConditions(body, groups)
  return withConditions(withCredentials(body, catalog), [...groups, ...credentialConditions(body, catalog)])
}

/** `POST /v1/integrations/connectors/:connector_id/check` becomes `post_connectors_connector_id_check`. */
const operationIdOf = (method: string, path: string): string =>
  [method.toLowerCase(), ...(path.match(/\w[\w.-]*/g) ?? [])]
    .filter((part) => !['api', 'v1', 'integrations'].includes(part))
    .join('_')
    .replaceAll(/[.-]/g, '_')

function tagOf(path: string): string {
  if (path.endsWith('/execute')) return 'Execute'
  if (/token$/.test(path)) return 'Tokens'
  if (/\/v1\/.*\/(oauth\/|consent-links)/.test(path)) return 'Consent'
  if (/mcp|oauth|sign-in|agents/.test(path)) return 'Agents'
  if (/\/(events|webhooks)/.test(path)) return 'Events'
  if (/\/(connector-types|skills)/.test(path)) return 'Catalog'
  return path.includes('/v1/') ? 'Connectors' : 'Operation'
}

/** Descriptions of the path parameters. */
const pathParts: Readonly<Record<string, JsonSchema>> = {
  connector_id: textField('The id of the connector.') as JsonSchema,
  external_user_id: nameText('Your own id for the end user.') as JsonSchema,
  agent_id: textField('From the list of agents.') as JsonSchema,
  webhook_id: textField('The id of the webhook.') as JsonSchema,
  connector_type: textField('The connector type, or its definition id.') as JsonSchema,
}

interface Fields {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>
  readonly required?: readonly string[]
}

function parametersOf({ path, endpoint }: Route, schemas: TitledSchemas): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: pathParts[name!]!.description,
    schema: schemas.use(pathParts[name!]!),
  }))
  const others = (place: string, fields: Fields | undefined) =>
    Object.entries(fields?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: place,
      required: fields!.required?.includes(name) ?? false,
      ...(schema.description !== undefined && { description: schema.description }),
      schema: schemas.use(schema),
    }))
  return [...inPath, ...others('query', endpoint.query), ...others('header', endpoint.headers)]
}

/** A file can have any type; code generators need one. */
const anyType = '*/*'
const bytesType = 'application/octet-stream'
const bytes = { schema: { type: 'string', format: 'binary' } }

function describeAnswer({ description, schema, mediaType, headers }: EndpointAnswer, schemas: TitledSchemas): Json {
  return {
    description,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, header]) => [
          name,
          { description: (header as { description?: string }).description, schema: schemas.use(header) },
        ]),
      ),
    }),
    ...(schema && { content: { 'application/json': { schema: schemas.use(schema) } } }),
    ...(mediaType !== undefined && {
      content: { ...(mediaType === anyType && { [bytesType]: bytes }), [mediaType]: {} },
    }),
  }
}

/** The codes that a route can answer, by status, each with an example. */
function problemsOf(route: Route, schemas: TitledSchemas): Readonly<Record<string, Json>> {
  const byStatus = Object.groupBy(codesOf(route), (code) => errorKinds[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.map((code) => `${code}: ${errorKinds[code].title}.`).join(' '),
        ...(headersOf(Number(status)) && { headers: headersOf(Number(status)) }),
        content: {
          [problemType]: {
            schema: { allOf: [schemas.use(problemSchema)], properties: { code: { enum: codes } } },
            examples: Object.fromEntries(codes.map((code) => [code, { value: exampleProblem(code) }])),
          },
        },
      },
    ]),
  )
}

/** Every code that a route can answer, in the order of the table. */
function codesOf(route: Route): ErrorCode[] {
  const { token, path, method, endpoint } = route
  const { takesAnyQuery, errors = [] } = endpoint
  // Any request can have headers that are too large.
  const codes: ErrorCode[] = [...errors, 'internal', 'payload_too_large']
  if (token !== 'none') codes.push('unauthenticated')
  if (token === 'bearer') codes.push('forbidden')
  if (path.includes(':')) codes.push('not_found')
  if (takesAnyQuery !== true) codes.push('invalid_request')
  // The server reads every body that a method allows, even if the endpoint ignores it.
  if (method !== 'GET')
    codes.push(endpoint.form === undefined ? 'invalid_json' : 'invalid_request', 'unsupported_media_type')
  if (isLimited(route)) codes.push('rate_limited')
  if (method !== 'GET' && token !== 'none') codes.push('storage_full')
  return errorCodes.filter((code) => codes.includes(code))
}

const text = (description: string): Json => ({ description, schema: { type: 'string' } })

function headersOf(status: number): Json | undefined {
  switch (status) {
    case 401:
      return { 'WWW-Authenticate': text('Bearer') }
    case 416:
      return { 'Content-Range': text('The length of the file.') }
    case 429:
      return { 'Retry-After': text('Seconds to wait before repeating the request.') }
    default:
      return undefined
  }
}

function exampleProblem(code: ErrorCode): Problem {
  const { status, title } = errorKinds[code]
  const error = new ConexError(code, `${title}.`, status === 429 ? { retryAfter: 30 } : {})
  return problemOf(error, '3f1c8a52-7d0b-4c6e-9b1f-2a5d8e604c17').problem
}
