/** The OpenAPI document as one page for people: no script, no external resource. */
import { setImmediate as breath } from 'node:timers/promises'
import type { JsonSchema } from '../catalog/json-schema.ts'
import { schemaFields, typeOf } from '../catalog/schema-fields.ts'
import { errorKinds } from '../errors.ts'
import { printJson, stringifyJson } from '../json.ts'
import { style } from './docs-style.ts'
import { type Html, html } from './html.ts'
import type { OpenApi } from './openapi.ts'
import { policyFor, wholePage } from './page.ts'

export const pagePolicy = policyFor(style)

/** A route in the document. */
interface Described {
  readonly $ref?: string
  readonly summary: string
  readonly tags: readonly [string]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly {
    name: string
    in: string
    required: boolean
    description?: string
    schema: JsonSchema
  }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

type Content = Readonly<
  Record<string, { readonly schema?: JsonSchema; readonly examples?: Readonly<Record<string, Example>> }>
>

interface Example {
  readonly value: unknown
}

interface Execute {
  readonly path: string
  readonly requests: Readonly<Record<string, Example>>
  readonly answers: Readonly<Record<string, Example>>
}

export async function docsPage({ info, servers, paths, components }: OpenApi): Promise<string> {
  const address = servers?.[0]?.url ?? ''
  const schemas = components.schemas as Readonly<Record<string, JsonSchema & Kind>>
  const answers = Object.entries(schemas).filter(
    ([name, { properties }]) => properties && !name.includes('.') && name !== 'Problem' && name !== 'sql',
  )
  const execute = executeOf(paths)
  const ofKinds = Object.keys(execute.requests).filter((name) => name !== 'sql')
  const byKind = Object.groupBy(ofKinds, (name) => name.slice(0, name.indexOf('.')))
  const kinds = Object.entries(byKind).map(([kind, names = []]) => ({ kind, title: schemas[kind]!.title, names }))
  const operations: Html[] = []
  for (const { kind, title, names } of kinds) {
    operations.push(html`<h2 id="${kind}">${title ?? kind}</h2>`)
    const byEntity = Object.groupBy(names, (name) => name.slice(0, name.lastIndexOf('.')))
    for (const [entity, ofEntity = []] of Object.entries(byEntity)) {
      // Let other requests proceed.
      await breath()
      operations.push(entitySection(entity, ofEntity, schemas, execute, address))
    }
  }
  await breath()
  const routes = routeSections(paths, schemas)
  await breath()
  const body = html`<h1>${info.title} <small class="quiet">${info.version}</small></h1>
<p>${info.description}</p>
<nav><a href="#routes">Routes</a>${kinds.map(({ kind, title }) => html`<a href="#${kind}">${title ?? kind}</a>`)}<a href="#sql">SQL</a><a href="#credentials">Credentials</a><a href="#answers">Answers</a><a href="#errors">Errors</a><a href="openapi.json">openapi.json</a></nav>
<h2 id="routes">Routes</h2>
<p>Send a token as <code>Authorization: Bearer …</code>. A bearer token is for the whole organization, a scoped one for one end user. Fields with * are required.</p>
${routes}
${operations}
<h2>SQL over copies</h2>
${operationPart('sql', schemas, execute, address)}
<h2 id="credentials">Credentials</h2>
${Object.entries(schemas)
  .filter(([name]) => name.endsWith('.credentials'))
  .map(([name, shape]) => credentialsSection(name, shape, schemas))}
<h2 id="answers">Answers</h2>
${answers.map(
  ([
    name,
    shape,
  ]) => html`<details id="${name}"><summary><code>${name}</code></summary>${fieldTable(shape, 'Field')}</details>
`,
)}
<h2 id="errors">Errors</h2>
<p>Every error is <code>application/problem+json</code> with these fields.</p>
${fieldTable(schemas.Problem!, 'Field')}
<table><tr><th>Status</th><th>Code</th><th>Meaning</th></tr>
${Object.entries(errorKinds).map(([code, { status, title }]) => html`<tr><td>${status}</td><td><code>${code}</code></td><td>${title}</td></tr>`)}
</table>`
  return wholePage(info.title, style, body)
}

function routeSections(paths: OpenApi['paths'], schemas: Readonly<Record<string, JsonSchema>>): Html[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    typeof methods.$ref === 'string'
      ? []
      : Object.entries(methods).map(([method, route]) => ({ path, method, route: route as unknown as Described })),
  )
  const aliases = Object.entries(paths).flatMap(([alias, { $ref }]) =>
    typeof $ref === 'string' ? [[alias, $ref]] : [],
  )
  const groups = Object.groupBy(routes, ({ route }) => route.tags[0])
  return Object.entries(groups).map(
    ([group, members = []]) => html`<h3>${group}</h3>
${members.map(({ path, method, route }) => {
  const others = aliases.filter(([, $ref]) => decodeURIComponent($ref!) === `#/paths/${path.replaceAll('/', '~1')}`)
  return html`<details><summary><span class="method">${method.toUpperCase()}</span> <code>${path}</code> <small>${route.summary}</small></summary>
${others.map(([alias]) => html`<p>Also at <code>${alias!}</code>.</p>`)}
<p>Token: ${route.security.flatMap(Object.keys).join(' or ') || 'none'}.</p>
${parameterTable(route)}${bodyTable(route, schemas)}
<table><tr><th>Answer</th><th></th></tr>
${Object.entries(route.responses).map(([status, { description, content }]) => html`<tr><td>${status}</td><td>${description} ${answerType(content)}</td></tr>`)}
</table></details>
`
})}`,
  )
}

function parameterTable({ parameters }: Described): Html | null {
  if (parameters.length === 0) return null
  return html`<table><tr><th>Parameter</th><th>In</th><th></th></tr>
${parameters.map(({ name, in: place, required, description = '' }) => html`<tr><td><code>${name}</code>${required ? '*' : ''}</td><td>${place}</td><td>${description}</td></tr>`)}
</table>`
}

function bodyTable({ requestBody }: Described, schemas: Readonly<Record<string, JsonSchema>>): Html | null {
  const schema = requestBody?.content['application/json']?.schema
  if (schema === undefined) return null
  return schema.anyOf ? html`<p>Body: an operation, as shown below.</p>` : fieldTable(resolve(schema, schemas), 'Body')
}

const resolve = (schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  schema.$ref === undefined ? schema : schemas[typeOf(schema)]!

function answerType(content: Content = {}): Html | null {
  const $ref = content['application/json']?.schema?.$ref
  return $ref === undefined ? null : html`<a href="#${typeOf({ $ref })}">${typeOf({ $ref })}</a>`
}

/** The title of a kind's schema. */
interface Kind {
  readonly title?: string
}

function executeOf(paths: OpenApi['paths']): Execute {
  const [path, methods] = Object.entries(paths).find(([one]) => one.endsWith('/execute'))!
  const { requestBody, responses } = methods.post as unknown as Described
  const examples = (content: Content | undefined) => content?.['application/json']?.examples ?? {}
  return { path, requests: examples(requestBody?.content), answers: examples(responses[200]?.content) }
}

/** `name` is the kind and the entity; each of `operations` adds an action. */
function entitySection(
  name: string,
  operations: readonly string[],
  schemas: Readonly<Record<string, JsonSchema & Kind>>,
  execute: Execute,
  address: string,
): Html {
  return html`<details id="${name}"><summary><code>${lastOf(name)}</code> <small>${operations.map(lastOf).join(', ')}</small></summary>
${operations.map((operation) => operationPart(operation, schemas, execute, address))}</details>
`
}

/** The auth methods of a kind, each with its fields. */
const credentialsSection = (
  name: string,
  shape: JsonSchema & Kind,
  schemas: Readonly<Record<string, JsonSchema & Kind>>,
): Html => html`<details id="${name}"><summary>${shape.title ?? name}</summary>
${(shape.anyOf ?? [shape]).map((one) => resolve(one, schemas)).map((method: JsonSchema & Kind) => html`<h4>${method.description ?? ''}</h4>${fieldTable(method, 'Field')}`)}</details>
`

const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

function operationPart(
  name: string,
  schemas: Readonly<Record<string, JsonSchema>>,
  { path, requests, answers }: Execute,
  address: string,
): Html {
  const request = schemas[name]!
  const answer = answers[name]
  return html`<h4 id="${name}">${lastOf(name)}</h4>
<p>${request.description ?? ''}</p>
${fieldTable(request.properties!.params!, 'Param')}
<pre>${curl(address + path.replace('{connector_id}', '$CONNECTOR_ID'), requests[name]!.value)}</pre>
${answer === undefined ? html`<p class="quiet">Answers the bytes of the file.</p>` : html`<pre>${printJson(answer.value)}</pre>`}
`
}

/** A table of fields; null if there are none. */
function fieldTable(shape: JsonSchema, heading: string): Html | null {
  const fields = schemaFields(shape)
  if (fields.length === 0) return null
  const rows = fields.map(
    ({ name, required, type, description }) =>
      html`<tr><td><code>${name}</code>${required ? '*' : ''}</td><td>${type.replaceAll('`', '')}</td><td>${description}</td></tr>`,
  )
  return html`<table><tr><th>${heading}</th><th>Type</th><th></th></tr>${rows}</table>`
}

/** A shell command to paste, with the token and the connector's id in variables. */
const curl = (address: string, body: unknown): string =>
  [
    `curl -s "${address}" \\`,
    `  -H "Authorization: Bearer $CONEX_TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d '${stringifyJson(body).replaceAll("'", String.raw`'\''`)}'`,
  ].join('\n')
