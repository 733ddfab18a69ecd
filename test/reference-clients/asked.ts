/** What the programs of the reference service's clients are asked to call: params, searches and SQL that find something. */
import type { Connector } from '../../src/catalog/connector.ts'
import { catalog } from '../../src/connectors/index.ts'
import type { ExampleParams, Examples } from '../../src/simulator/system.ts'
import { endUser, type Kind, kinds, type Served, spareEndUser } from './served.ts'

/** Of each kind: an entity to list, get and search, and a list of so many records that it has pages. */
const shown: Readonly<
  Record<Kind, Pick<AskedOfKind, 'id' | 'field' | 'got'> & { readonly paged: string; readonly page: object }>
> = {
  asana: { id: 'gid', field: 'name', got: 'projects', paged: 'tasks', page: { limit: 2 } },
  gong: { id: 'id', field: 'firstName', got: 'users', paged: 'calls', page: { fromDateTime: '2020-01-01T00:00:00Z' } },
  'facebook-marketing': { id: 'id', field: 'name', got: 'campaigns', paged: 'ads', page: { limit: 2 } },
}

export interface AskedOfKind {
  readonly credentials: readonly object[]
  /** By entity and action. */
  readonly params: Examples
  /** By entity. */
  readonly searches: Readonly<Record<string, { readonly query: object; readonly limit: number }>>
  readonly sql: Readonly<Record<string, { readonly sql: string; readonly limit: number }>>
  /** The field that tells records apart, and another. */
  readonly id: string
  readonly field: string
  readonly got: string
  readonly paged: { readonly entity: string; readonly params: ExampleParams }
  /** A file to read in pieces, if the kind has one. */
  readonly downloads?: { readonly entity: string; readonly params: ExampleParams }
}

export async function askedOf(served: Served) {
  const of: Partial<Record<Kind, AskedOfKind>> = {}
  for (const kind of kinds) of[kind] = await askedOfKind(served, kind)
  return {
    client: served.client,
    organization: served.hosted.server.organizationId,
    end_user: endUser,
    spare_end_user: spareEndUser,
    kinds: of as Record<Kind, AskedOfKind>,
  }
}

async function askedOfKind({ hosted, kinds: of }: Served, kind: Kind): Promise<AskedOfKind> {
  const { own, examples } = of[kind]
  const entities = (catalog[kind] as Connector).entities
  const searchable = Object.entries(entities).filter(([, { searchable, sync }]) => searchable && sync)
  const searches: Record<string, { query: object; limit: number }> = {}
  for (const [entity, { searchable: fields }] of searchable) {
    const found = await own.execute(entity, 'search', { query: {}, limit: 1 })
    const [{ data }] = (found.result as { hits: [{ data: Record<string, unknown> }] }).hits
    const field = Object.keys(fields!).find((name) => typeof data[name] === 'string')!
    searches[entity] = { query: { filter: { eq: { [field]: data[field] } }, sort: [{ [field]: 'asc' }] }, limit: 2 }
  }
  const { paged, page, ...rest } = shown[kind]
  const download = Object.entries(examples).find(([, actions]) => actions.download !== undefined)
  return {
    ...rest,
    credentials: hosted.systems.describe()[kind]!.credentials,
    params: examples,
    searches,
    sql: Object.fromEntries(
      searchable.map(([entity]) => [entity, { sql: `SELECT * FROM ${entity} ORDER BY 1`, limit: 2 }]),
    ),
    paged: { entity: paged, params: { ...examples[paged]!.list, ...page } },
    ...(download && { downloads: { entity: download[0], params: download[1].download! } }),
  }
}
