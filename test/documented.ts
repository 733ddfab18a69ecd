/** Judges answers by the OpenAPI document, with a validator that knows nothing of Conex. */
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { catalog } from '../src/connectors/index.ts'
import { stringifyJson } from '../src/json.ts'
import { type OpenApi, openApi } from '../src/server/openapi.ts'
import { routes } from '../src/server/routes.ts'
import { version } from '../src/version.ts'
import type { Answer } from './hosted.ts'

/** The document as readers get it. */
export const document: OpenApi = JSON.parse(stringifyJson(await openApi(routes, catalog, version)))

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
  readonly headers?: object
}

export interface Operation {
  readonly operationId: string
  readonly security: readonly object[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it in many ways
  readonly requestBody?: any
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it in many ways
  readonly responses: Readonly<Record<string, any>>
}

/** The operation at a path, be it an alias, as the document writes the path. */
export function operationAt(method: string, template: string): Operation {
  const item = document.paths[template]
  assert.ok(item, `${template} is not in the document`)
  const target = item.$ref === undefined ? item : lookUp(String(item.$ref))
  return (target as Record<string, unknown>)[method.toLowerCase()] as Operation
}

const lookUp = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/'))
    .reduce<unknown>((found, part) => (found as Record<string, unknown>)[part], document)

/** Closes what the service itself answers, so that a field which is not in the document shows; records of systems stay open. */
function closed(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((part) => closed(part))
  if (typeof value !== 'object' || value === null || name.includes('.')) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part, key)]))
  return copy.type === 'object' && copy.properties !== undefined ? { additionalProperties: false, ...copy } : copy
}

/** A validator that is quick to make ready: it has each definition once, and judges few values with any. */
export const newValidator = (): Ajv2020 =>
  new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })

const ajv = newValidator()
addFormats.default(ajv)
ajv.addSchema(closed(document) as object, 'document')

/** Fails unless a value fits a schema of the document. */
export function fits(pointer: string, value: unknown): void {
  const validate = ajv.getSchema(`document#${pointer}`)
  assert.ok(validate, `there is no schema at ${pointer}`)
  assert.ok(validate(value), `${JSON.stringify(validate.errors)} in ${JSON.stringify(value)}`)
}

/** Whether a value fits a schema of the document. */
export function fitting(pointer: string, value: unknown): boolean {
  const validate = ajv.getSchema(`document#${pointer}`)
  assert.ok(validate, `there is no schema at ${pointer}`)
  // As it goes over the wire.
  return validate(JSON.parse(JSON.stringify(value))) as boolean
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Fails unless the document foresees this answer: its status, its type and what it holds. */
export function documented(method: string, path: string, answer: Answer): void {
  const asked = path.replace(/\?.*/, '').split('/')
  const template = Object.keys(document.paths).find((one) => {
    const parts = one.split('/')
    return parts.length === asked.length && parts.every((part, at) => part.startsWith('{') || part === asked[at])
  })
  assert.ok(template, `${path} is not in the document`)
  const { responses } = operationAt(method, template)
  const response: Response | undefined = responses[answer.status]
  const label = `${method} ${path} ${answer.status}`
  assert.ok(response, `${label} is not in the document: ${answer.text}`)
  for (const header of Object.keys(response.headers ?? {}))
    if (/^(Location|ETag|Conex-.*|WWW-Authenticate|Retry-After)$/.test(header))
      assert.ok(answer.headers.has(header), `${label} lacks ${header}`)
  if (answer.text === '') return
  const type = answer.headers.get('content-type')!.replace(/;.*/, '')
  assert.ok(response.content?.[type] ?? response.content?.['*/*'], `${label} is of another type: ${type}`)
  if (response.content?.[type]?.schema === undefined) return
  const item = document.paths[template]!
  const home = item.$ref === undefined ? `/paths/${escaped(template)}` : String(item.$ref).slice(1)
  fits(`${home}/${method.toLowerCase()}/responses/${answer.status}/content/${escaped(type)}/schema`, answer.body)
}
