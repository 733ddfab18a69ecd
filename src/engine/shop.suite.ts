/** For the engine's tests: a connector kind that needs what no single kind needs, and calls to it. */
import { authMethod } from '../catalog/authorization.ts'
import { connector } from '../catalog/connector.ts'
import { entity } from '../catalog/entity.ts'
import {
  array,
  arrayOf,
  boolean,
  id,
  integer,
  nullable,
  number,
  object,
  objectOf,
  optional,
  text,
} from '../catalog/fields.ts'
import { body, get, list, nowhere, query } from '../catalog/operation.ts'
import { cursorPaging, walkPaging } from '../catalog/paging.ts'
import type { Call } from './call/call.ts'
import { scriptedEngine, tokenMethod } from './scripted-engine.suite.ts'
import { fixedCredentials, type Script } from './scripted-system.suite.ts'
import type { EngineSettings } from './settings.ts'

const record = {
  id: id(),
  count: nullable(integer()),
  price: nullable(number()),
  open: nullable(boolean()),
  note: nullable(text()),
  parts: nullable(arrayOf(objectOf({ value: nullable(number()), name: nullable(text()) }))),
  extra: nullable(object()),
  rows: nullable(array()),
} as const

/** A system that needs what no single kind needs: every way to place params, select fields and page. */
const shop = connector({
  kind: 'shop',
  definitionId: '00000000-0000-7000-8000-000000000001',
  title: 'Shop',
  baseUrl: 'https://shop.example/v1',
  authMethods: [
    tokenMethod,
    authMethod({
      name: 'key',
      title: 'Key',
      credentials: { key: text(), key_secret: text() },
      authorization: { style: 'basic', user: 'key', password: 'key_secret' },
    }),
    authMethod({
      name: 'signed',
      title: 'Signed',
      credentials: { signed_token: text(), client_id: text(), client_secret: text() },
      authorization: {
        style: 'bearer',
        token: 'signed_token',
        proof: 'proof',
      },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'orders', action: 'list', params: {} },
  readRefusal: ({ status, body: told }) => {
    const error = (told as { error?: { code?: string; said?: string } } | null)?.error
    if (error === undefined) return null
    if (error.code === 'slow_down') return { code: 'upstream_rate_limited', transient: true, retryAfter: 4 }
    if (error.code === 'echo') return { code: 'upstream_refused', message: error.said! }
    if (error.code === 'too_much') return { code: 'upstream_refused', smallerPage: true }
    return status < 300 ? { code: 'upstream_error' } : null
  },
  entities: {
    orders: entity({
      description: 'Orders.',
      list: list({
        description: 'List orders.',
        path: '/shops/{shop-id}/orders',
        params: {
          'shop-id': text(),
          'status.any': optional(text()),
          renamed: optional(text()),
          unsent: optional(text()),
          tags: optional(arrayOf(text())),
          fields: optional(text()),
          after: optional(text()),
          limit: optional(integer()),
        },
        send: { renamed: query('upstream_name'), unsent: nowhere },
        select: { send: 'fields', default: ['id', 'count'], param: 'fields', inner: 'braces' },
        recordsAt: ['data'],
        record,
        paging: cursorPaging({
          params: {},
          cursor: 'after',
          next: ['paging', 'cursors', 'after'],
          more: ['paging', 'next'],
          limit: { param: 'limit', default: 100, smallest: 10 },
          block: { name: 'after', holds: 'token' },
        }),
      }),
      get: get({
        description: 'Get an order.',
        path: '/orders/{order_id}',
        params: { order_id: text() },
        recordsAt: [],
        record,
      }),
    }),
    lines: entity({
      description: 'Lines, by a POST whose params stand in the body.',
      list: list({
        description: 'List lines.',
        method: 'POST',
        path: '/lines/query',
        params: { filter: object(), deep: optional(text()) },
        send: { deep: body('options', 'inner', 'deep') },
        recordsAt: ['lines'],
        record: { id: id() },
        paging: walkPaging({
          cursor: 'cursor',
          next: ['records', 'cursor'],
          block: {
            name: 'pagination',
            holds: 'object',
            at: ['records'],
            token: 'cursor',
            counted: (found, count) => ({
              currentPageNumber: 0,
              ...found,
              totalRecords: count,
              currentPageSize: count,
            }),
          },
        }),
      }),
    }),
  },
})

/** A shop that follows the script, and calls to it. */
export async function shopBy(script: Script, settings: Partial<EngineSettings> = {}) {
  const scripted = await scriptedEngine(script, settings)
  const call = (entityName: string, action: string, params: object = {}, more: Partial<Call> = {}): Call => ({
    connector: shop,
    baseUrl: `${scripted.system.origin}/v1/`,
    credentials: fixedCredentials({ token: 'secret-token' }),
    entity: entityName,
    action,
    params,
    ...more,
  })
  return { ...scripted, call }
}

/** An answer that holds orders. */
export const orders = (records: unknown[], more: object = {}) => ({ data: records, ...more })
