/** What the compiler infers from the catalog. The checks are the types themselves: `tsc` fails where one does not hold. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Connect } from '../client/connect-with.ts'
import type { Connected, CredentialsFor, OperationParams } from '../client/connector-types.ts'
import { asana } from '../connectors/asana/connector.ts'

import type { facebookMarketing } from '../connectors/facebook-marketing/connector.ts'

import type { gong } from '../connectors/gong/connector.ts'

import { catalog } from '../connectors/index.ts'
import { entity, type Hit } from './entity.ts'
import {
  anyOf,
  array,
  arrayOf,
  boolean,
  closedObjectOf,
  date,
  dateTime,
  exactly,
  id,
  integer,
  nullable,
  number,
  object,
  objectOf,
  oneOf,
  optional,
  text,
} from './fields.ts'
import { download, get, list, type ParamsOf, type RecordOf } from './operation.ts'
import { cursorPaging } from './paging.ts'
import { searchableFields } from './searchable.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** One type in place of an intersection, so that `Equal` compares what stands in it. */
type Flat<T> = { [K in keyof T]: T[K] }
const holds = <_ extends true>(): void => {}

type JsonObject = { readonly [key: string]: unknown }
type Entities = (typeof catalog)['asana']['entities']

const things = entity({
  description: 'Every kind of field and param.',
  list: list({
    description: 'List.',
    path: '/things/{thing-id}',
    params: {
      'thing-id': text(),
      'word.any': optional(oneOf(['up', 'down'])),
      since: optional(anyOf([exactly('now'), dateTime(), date()])),
      filter: closedObjectOf({ ids: arrayOf(text()), open: optional(boolean()) }),
    },
    recordsAt: [],
    record: {
      id: id(),
      count: nullable(integer()),
      price: number(),
      open: boolean(),
      extra: object(),
      rows: nullable(array()),
      parts: arrayOf(objectOf({ value: nullable(number()) })),
    },
    paging: cursorPaging({
      params: { limit: optional(integer()), after: optional(text()) },
      cursor: 'after',
      next: ['next'],
      block: { name: 'after', holds: 'token' },
    }),
  }),
  get: get({ description: 'Get.', path: '/thing', recordsAt: [], record: { id: id() } }),
  download: download({ description: 'Download.', path: '/file', params: { gid: text() }, locate: () => ({ url: '' }) }),
  searchable: { id: 'string', count: 'integer', price: 'number', open: 'boolean', extra: 'object', rows: 'array' },
})

describe('types are inferred from the catalog', () => {
  it('of params, with those of the paging style, required and optional', () => {
    holds<
      Equal<
        Flat<ParamsOf<(typeof things)['list']>>,
        {
          readonly 'thing-id': string
          readonly filter: { readonly ids: string[]; readonly open?: boolean }
          readonly 'word.any'?: 'up' | 'down'
          readonly since?: string
          readonly limit?: number
          readonly after?: string
        }
      >
    >()
    holds<Equal<keyof ParamsOf<(typeof things)['get']>, never>>()
    holds<Equal<keyof ParamsOf<Entities['workspaces']['list']>, 'limit' | 'offset'>>()
    holds<Equal<Flat<ParamsOf<(typeof things)['download']>>, { readonly gid: string; range_header?: string }>>()
    assert.deepEqual(Object.keys(things.list.params.properties), [
      'thing-id',
      'word.any',
      'since',
      'filter',
      'limit',
      'after',
    ])
  })

  it('of records', () => {
    type Thing = RecordOf<(typeof things)['list']>
    holds<Equal<Thing['id'], string>>()
    holds<Equal<Thing['count'], number | null>>()
    holds<Equal<Thing['price'], number>>()
    holds<Equal<Thing['open'], boolean>>()
    holds<Equal<Thing['extra'], JsonObject>>()
    holds<Equal<Thing['rows'], readonly unknown[] | null>>()
    holds<Equal<Thing['parts'], { readonly value: number | null }[]>>()
    holds<Equal<Extract<keyof Thing, 'not_listed'>, never>>()
    assert.deepEqual(things.list.record.required?.length, 7)
  })

  it('of search hits, whose fields may all be null', () => {
    type Found = Hit<typeof things>
    holds<
      Equal<
        Flat<Found['data']>,
        {
          readonly id: string | null
          readonly count: number | null
          readonly price: number | null
          readonly open: boolean | null
          readonly extra: JsonObject | null
          readonly rows: readonly unknown[] | null
        }
      >
    >()
    holds<Equal<Found['id'], string>>()
    holds<Equal<Found['score'], number>>()
    assert.equal(things.searchable.count, 'integer')
  })

  it('of searchable fields that a record declares', () => {
    const { properties } = things.list.record
    const found = searchableFields(properties, ['id', 'count', 'price', 'open', 'extra', 'rows', 'parts'])
    holds<
      Equal<
        typeof found,
        {
          readonly id: 'string'
          readonly count: 'integer'
          readonly price: 'number'
          readonly open: 'boolean'
          readonly extra: 'object'
          readonly rows: 'array'
          readonly parts: 'array'
        }
      >
    >()
    assert.deepEqual(found, { ...things.searchable, parts: 'array' })
  })

  it('of the task-management kind', () => {
    holds<
      Equal<
        Flat<ParamsOf<Entities['user_teams']['list']>>,
        { readonly user_gid: string; readonly organization: string; readonly limit?: number; readonly offset?: string }
      >
    >()
    holds<Equal<RecordOf<Entities['projects']['get']>['due_on'], string | null>>()
    holds<Equal<RecordOf<Entities['attachments']['get']>['size'], number | null>>()
    holds<Equal<RecordOf<Entities['workspaces']['get']>['email_domains'], string[]>>()
    holds<Equal<RecordOf<Entities['tasks']['list']>['created_by']['gid'], string>>()
    holds<Equal<RecordOf<Entities['tasks']['list']>['due_on'], string | null | undefined>>()
    holds<Equal<NonNullable<RecordOf<Entities['tasks']['get']>['assignee']>['name'], string | undefined>>()
    holds<Equal<Hit<Entities['tasks']>['data']['num_likes'], number | null>>()
    holds<Equal<OperationParams<typeof asana, 'tasks', 'get'>, ParamsOf<Entities['tasks']['get']>>>()
    holds<
      Equal<
        CredentialsFor<typeof asana>,
        | {
            readonly refresh_token: string
            readonly access_token?: string
            readonly client_id?: string
            readonly client_secret?: string
          }
        | { readonly token: string }
      >
    >()
    assert.equal(catalog.asana, asana)
  })

  it('of the advertising kind, down to the last documented field', () => {
    type Ads = (typeof catalog)['facebook-marketing']['entities']
    type Campaign = RecordOf<Ads['campaigns']['list']>
    type Ad = RecordOf<Ads['ads']['get']>
    type Row = RecordOf<Ads['ads_insights']['list']>
    holds<Equal<Campaign['daily_budget'], number | null>>()
    holds<Equal<Campaign['pacing_type'], string[] | undefined>>()
    holds<Equal<NonNullable<Campaign['source_campaign']>['daily_budget'], string | undefined>>()
    holds<Equal<NonNullable<NonNullable<Ad['adset']>['promoted_object']>['pixel_id'], string | undefined>>()
    holds<Equal<NonNullable<NonNullable<Ad['targeting']>['geo_locations']>['countries'], string[] | undefined>>()
    holds<Equal<NonNullable<Row['purchase_roas']>[number]['7d_click'], string | undefined>>()
    holds<Equal<Row['frequency'], string | undefined>>()
    holds<Equal<Row['clicks'], number | null>>()
    holds<Equal<NonNullable<Ad['creative']>['title'], string | undefined>>()
    assert.equal(Object.hasOwn(catalog['facebook-marketing'].entities.ads.get.record.properties, 'adset'), true)
  })
})

// Never called: the compiler alone reads it. An expected error that does not come fails the type check.
async function mustNotCompile(system: Connected<typeof asana>): Promise<void> {
  // @ts-expect-error a misspelt param
  await system.tasks.list({ projct: '1' })
  // @ts-expect-error a param of a list that declares none
  await system.workspaces.list({ projct: '1' })
  // @ts-expect-error a param of another type
  await system.tasks.list({ project: 1 })
  // @ts-expect-error text for a boolean
  await system.projects.list({ archived: 'false' })
  // @ts-expect-error a list for text
  await system.workspace_task_search.list({ workspace_gid: '1', 'assignee.any': ['1'] })
  // @ts-expect-error a word that is none of the order's
  await system.workspace_task_search.list({ workspace_gid: '1', text: 'x', sort_by: 'name' })
  // @ts-expect-error a missing required param
  await system.tasks.get({})
  // @ts-expect-error no params where one is required
  await system.tasks.get()
  // @ts-expect-error one of two required params
  await system.user_teams.list({ user_gid: 'me' })
  // @ts-expect-error an entity that there is not
  await system.taks.list({})
  // @ts-expect-error an action that the entity has not
  await system.project_tasks.get({ task_gid: '1' })
  // @ts-expect-error a download where there is none
  await system.tasks.download({ task_gid: '1' })
  // @ts-expect-error a search where there is no copy
  await system.project_tasks.search({ query: {} })
  // @ts-expect-error an unknown entity by name
  await system.execute('taks', 'list')
  // @ts-expect-error a range that is not text
  await system.attachments.download({ attachment_gid: '1', range_header: 5 })
  // @ts-expect-error a search without a query
  await system.tasks.search({})
  const { result } = await system.projects.get({ project_gid: '1' })
  // @ts-expect-error a field that may be null
  result.due_on.length
  // @ts-expect-error a field that is not text
  result.archived.length
  // @ts-expect-error a field that Asana does not document
  result.not_listed
  result.owner?.name satisfies string | undefined
  for await (const task of system.tasks.list.all({ project: '1' })) {
    task.due_on satisfies string | null | undefined
    task.assignee?.name satisfies string | undefined
    task.custom_fields?.[0]?.enum_value?.name satisfies string | undefined
    // @ts-expect-error a field of another type
    task.due_on satisfies string | number
    // @ts-expect-error a field that Asana does not document
    task.nope
    // @ts-expect-error nor inside of another one
    task.assignee?.nope
  }
  for await (const project of system.projects.list.all()) {
    // @ts-expect-error a listed record is no whole one
    project.archived satisfies boolean
  }
}

async function mustNotCompileOfAds(system: Connected<typeof facebookMarketing>): Promise<void> {
  const { result: ad } = await system.ads.get({ ad_id: '1', fields: 'adset{name}' })
  // @ts-expect-error a field that may be absent
  ad.adset.name
  // @ts-expect-error a field of a part that is not documented
  ad.adset?.nmae
  // @ts-expect-error budgets inside of parts are text
  ad.adset?.daily_budget satisfies number | undefined
  const { result: rows } = await system.ads_insights.list({ account_id: '1' })
  // @ts-expect-error counts stay text, as Meta sends them
  rows[0]!.unique_clicks satisfies number | undefined
}
async function ofCalls(system: Connected<typeof gong>): Promise<void> {
  const { result } = await system.calls_extensive.list({ filter: {} })
  result[0]!.content?.topics?.[0]?.duration satisfies number | undefined
  result[0]!.parties?.[0]?.emailAddress satisfies string | null | undefined
  // @ts-expect-error a field that Gong does not document
  result[0]!.content?.nope
}

// Both modes have the types of the kind.
const inBothModes = (connect: Connect): Promise<void>[] => [
  mustNotCompile(connect('asana', { credentials: { token: '1' } })),
  mustNotCompile(connect('asana', { baseUrl: 'https://conex.example', token: '1' })),
]

it('what must not compile is written down', () => {
  for (const one of [mustNotCompile, mustNotCompileOfAds, ofCalls, inBothModes]) assert.equal(typeof one, 'function')
})

/**
 * Little more than the catalog with its documented fields, the client with its searches, and the bodies of the hosted
 * interface, which are schemas too, cost together (203,852).
 */
const mostInstantiations = 205_000

it('inference from the catalog stays cheap', async () => {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const project = join(import.meta.dirname, '../../test/types/tsconfig.json')
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', project, '--extendedDiagnostics'])
  const instantiations = Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1])
  assert.ok(instantiations > 0, stdout)
  assert.ok(
    instantiations <= mostInstantiations,
    `Inference costs ${instantiations} instantiations; find what made it dearer, or raise the ceiling with a reason.`,
  )
})
