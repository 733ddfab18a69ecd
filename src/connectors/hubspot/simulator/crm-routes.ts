/** The addresses of CRM records: list, get, batch read and search ("CRM API", objects). */
import { jsonReply, offsetPages, param } from '../../../kit/simulator.ts'
import type { CrmRecord } from './crm-records.ts'
import { searchRecords } from './crm-search.ts'
import { labelsOf } from './links.ts'
import type { ObjectType } from './object-types.ts'
import { portal } from './portal.ts'
import {
  type AnyAsk,
  byAfter,
  invalid,
  list,
  listed,
  needTypes,
  notFound,
  paging,
  route,
  texts,
  typeNamed,
  type World,
} from './world.ts'

const iso = (moment: number): string => new Date(moment).toISOString()

interface Chosen {
  readonly properties: readonly string[] | undefined
  readonly propertiesWithHistory?: readonly string[] | undefined
  readonly associations?: readonly string[] | undefined
  /** Reads add the id and the times; searches do not. */
  readonly isSearch?: boolean
}

function show(world: World, type: ObjectType, record: CrmRecord, chosen: Chosen): object {
  const { properties: asked, propertiesWithHistory: earlier = [], associations } = chosen
  const always =
    chosen.isSearch && asked !== undefined ? ['hs_object_id'] : ['hs_object_id', type.created, type.changed]
  const known = new Set(type.properties.filter(({ isArchived }) => !isArchived).map(({ name }) => name))
  const names = [...new Set([...(asked ?? type.defaults), ...earlier, ...always])].filter((name) => known.has(name))
  return {
    id: record.id,
    properties: Object.fromEntries(names.sort().map((name) => [name, record.properties[name] ?? null])),
    ...(earlier.length > 0 && {
      propertiesWithHistory: Object.fromEntries(
        earlier.filter((name) => known.has(name)).map((name) => [name, record.history[name] ?? []]),
      ),
    }),
    createdAt: iso(record.createdAt),
    updatedAt: iso(record.updatedAt),
    archived: record.archivedAt !== undefined,
    ...(record.archivedAt !== undefined && { archivedAt: iso(record.archivedAt) }),
    ...(associations && associationBlock(world, type, record, associations)),
    url: `https://app.hubspot.com/contacts/${portal.id}/record/${type.typeId}/${record.id}`,
  }
}

/** Ids by the plural of the type, with a space where addresses have none; each once for each of its labels. */
function associationBlock(world: World, type: ObjectType, record: CrmRecord, names: readonly string[]): object {
  const blocks = names.map(typeNamed).flatMap((to) => {
    const links = world.links.from(record, to)
    if (links.length === 0) return []
    const page = links.slice(0, world.settings.associationPage)
    const name = `${type.singular}_to_${to.singular}`
    const results = page.flatMap(({ id, isPrimary }) =>
      isPrimary && labelsOf(type, to).primary
        ? [
            { id, type: name },
            { id, type: `${name}_unlabeled` },
          ]
        : [{ id, type: name }],
    )
    const more = links.length > page.length && {
      paging: { next: { after: page.at(-1)!.id, link: 'https://api.hubapi.com' } },
    }
    return [[to.plural.replace('_', ' '), { results, ...more }] as const]
  })
  return blocks.length === 0 ? {} : { associations: Object.fromEntries(blocks) }
}

const parts = {
  properties: param.text(),
  propertiesWithHistory: param.text(),
  associations: param.text(),
  archived: param.boolean(),
}

const chosenIn = (ask: AnyAsk): Chosen => ({
  properties: listed(ask, 'properties'),
  propertiesWithHistory: listed(ask, 'propertiesWithHistory'),
  associations: listed(ask, 'associations'),
})

const isArchived = ({ archivedAt }: CrmRecord): boolean => archivedAt !== undefined

const named = (ask: AnyAsk): ObjectType => typeNamed(ask.path.type!)

const mostBatch = 100

/** Offsets of a search reach so far. */
const window = 10_000

export const crmRoutes = [
  list({
    path: '/crm/v3/objects/{type}',
    params: parts,
    admit: needTypes('type'),
    rows(ask) {
      const { args, world } = ask
      if (listed(ask, 'propertiesWithHistory') && Number((args as { limit?: number }).limit ?? 10) > 50)
        invalid('A limit above 50 is not possible with propertiesWithHistory.')
      for (const name of listed(ask, 'associations') ?? []) typeNamed(name)
      return world.records.of(named(ask))
    },
    visible: (record, { args }) => isArchived(record) === (args.archived ?? false),
    pages: byAfter<CrmRecord>(10),
    show: (record, ask) => show(ask.world, named(ask), record, chosenIn(ask)),
    body: (results, { next }, { call }) => ({ results, ...paging(call, next) }),
  }),
  route({
    path: '/crm/v3/objects/{type}/{id}',
    params: { ...parts, idProperty: param.text() },
    admit: needTypes('type'),
    answer(ask) {
      const { world, args, path } = ask
      const type = named(ask)
      const record = findBy(world, type, path.id!, args.idProperty)
      if (record === undefined || isArchived(record) !== (args.archived ?? false))
        return notFound(`Object not found.  objectId are usually numeric.`)
      return show(world, type, record, chosenIn(ask))
    },
  }),
  route({
    method: 'POST',
    path: '/crm/v3/objects/{type}/batch/read',
    params: {
      inputs: param.json(),
      properties: texts,
      propertiesWithHistory: texts,
      idProperty: param.text(),
      archived: param.boolean(),
    },
    admit: needTypes('type'),
    answer(ask) {
      const { world, args } = ask
      const type = named(ask)
      const ids = idsIn(args.inputs)
      const history = args.propertiesWithHistory ?? []
      if (ids.length > (history.length > 0 ? 50 : mostBatch)) invalid('Too many inputs in this batch.')
      const found = [...new Set(ids)].map((id) => ({ id, record: findBy(world, type, id, args.idProperty) }))
      const there = found.flatMap(({ record }) =>
        record !== undefined && isArchived(record) === (args.archived ?? false) ? [record] : [],
      )
      const missing = found.filter(({ record }) => record === undefined || !there.includes(record)).map(({ id }) => id)
      const times = { startedAt: iso(ask.now), completedAt: iso(ask.now) }
      const chosen = { properties: args.properties, propertiesWithHistory: history }
      const results = there.map((record) => show(world, type, record, chosen))
      if (missing.length === 0) return { status: 'COMPLETE', results, ...times }
      const message = 'Could not get some objects, they may be deleted or not exist. Check that ids are valid.'
      const errors = [{ status: 'error', category: 'OBJECT_NOT_FOUND', message, context: { ids: missing } }]
      return jsonReply(
        207,
        { status: 'COMPLETE', results, numErrors: errors.length, errors, ...times },
        ask.caller.headers,
      )
    },
  }),
  list({
    method: 'POST',
    path: '/crm/v3/objects/{type}/search',
    params: { filterGroups: param.json(), sorts: param.json(), query: param.text(), properties: texts },
    admit: needTypes('type'),
    rows(ask) {
      const { limit = 10, after = 0 } = ask.args as { readonly limit?: number; readonly after?: number }
      if (after + limit > window) invalid(`Paging through more than ${window} results is not possible.`)
      return searchRecords(ask.world, named(ask), ask.args)
    },
    pages: offsetPages<CrmRecord>({ offset: 'after', size: 'limit', usual: 10, most: 200 }),
    show: (record, ask) => show(ask.world, named(ask), record, { properties: ask.args.properties, isSearch: true }),
    body: (results, { next, total }) => ({
      total: total(),
      results,
      ...(next !== null && { paging: { next: { after: next } } }),
    }),
  }),
]

function findBy(world: World, type: ObjectType, id: string, property: string | undefined): CrmRecord | undefined {
  if (property === undefined || property === 'hs_object_id') return world.records.find(type, id)
  if (!type.properties.some(({ name, isUnique }) => name === property && isUnique))
    return invalid(`${property} is not a property with unique values.`)
  return world.records.of(type).find(({ properties }) => properties[property] === id)
}

export function idsIn(inputs: unknown): string[] {
  const fits = Array.isArray(inputs) && inputs.every((one) => typeof one?.id === 'string')
  return fits ? inputs.map(({ id }: { id: string }) => id) : invalid('Invalid input JSON: inputs must be a list of ids')
}
