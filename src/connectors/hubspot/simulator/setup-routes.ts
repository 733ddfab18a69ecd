/** The addresses of the account's setup: owners, pipelines, properties, schemas, lists, and the account itself. */
import { param } from '../../../kit/simulator.ts'
import { type ObjectType, objectTypes, type PropertyDefinition, typeOf } from './object-types.ts'
import { portal } from './portal.ts'
import type { Owner, Pipeline, Schema, Segment } from './setup.ts'
import {
  type AnyAsk,
  byAfter,
  invalid,
  list,
  needScope,
  needTypes,
  notFound,
  paging,
  route,
  texts,
  typeNamed,
} from './world.ts'

const since = '2025-01-15T08:30:00.000Z'

const ownerRoutes = [
  list({
    path: '/crm/v3/owners',
    scopes: ['crm.objects.owners.read'],
    params: { email: param.text(), archived: param.boolean() },
    rows: ({ world }) => world.owners.rows,
    visible: ({ archived }, { args }) => archived === (args.archived ?? false),
    filters: { email: (owner: Owner, { args }) => owner.email === args.email },
    pages: byAfter<Owner>(100),
    show: (owner) => owner,
    body: (results, { next }, { call }) => ({ results, ...paging(call, next) }),
  }),
  route({
    path: '/crm/v3/owners/{id}',
    scopes: ['crm.objects.owners.read'],
    params: { idProperty: param.word(['id', 'userId']), archived: param.boolean() },
    answer({ world, path, args }) {
      const isIt = ({ id, userIdIncludingInactive }: Owner) =>
        (args.idProperty === 'userId' ? String(userIdIncludingInactive) : id) === path.id
      return world.owners.rows.find((one) => isIt(one) && one.archived === (args.archived ?? false)) ?? notFound()
    },
  }),
]

const shownPipeline = ({ key: _, objectType: __, ...rest }: Pipeline) => rest

const pipelinesOf = (ask: AnyAsk): readonly Pipeline[] =>
  ask.world.pipelines.by('objectType', typeNamed(ask.path.type!).plural)

const pipelineOf = (ask: AnyAsk): Pipeline => pipelinesOf(ask).find(({ id }) => id === ask.path.id) ?? notFound()

const pipelineRoutes = [
  route({
    path: '/crm/v3/pipelines/{type}',
    admit: needTypes('type'),
    answer: (ask) => ({ results: pipelinesOf(ask).map(shownPipeline) }),
  }),
  route({
    path: '/crm/v3/pipelines/{type}/{id}',
    admit: needTypes('type'),
    answer: (ask) => shownPipeline(pipelineOf(ask)),
  }),
  route({
    path: '/crm/v3/pipelines/{type}/{id}/stages',
    admit: needTypes('type'),
    answer: (ask) => ({ results: pipelineOf(ask).stages }),
  }),
  route({
    path: '/crm/v3/pipelines/{type}/{id}/stages/{stage}',
    admit: needTypes('type'),
    answer: (ask) => pipelineOf(ask).stages.find(({ id }) => id === ask.path.stage) ?? notFound(),
  }),
]

const fieldTypes = {
  string: 'text',
  number: 'number',
  datetime: 'date',
  enumeration: 'select',
  bool: 'booleancheckbox',
}

/** The definition of a property as records of its type have it. */
export function shownProperty(type: ObjectType, property: PropertyDefinition): object {
  const { name, options, isArchived, isUnique, sensitivity } = property
  const isOwn = name.startsWith('survey_')
  return {
    name,
    label: name.replaceAll('_', ' '),
    type: property.type,
    fieldType: fieldTypes[property.type],
    groupName: groupOf(type, name),
    description: '',
    options: options.map((value, displayOrder) => ({ label: value, value, displayOrder, hidden: false })),
    displayOrder: -1,
    calculated: false,
    externalOptions: name === 'hubspot_owner_id',
    archived: isArchived,
    hasUniqueValue: isUnique,
    hidden: false,
    formField: !name.startsWith('hs_'),
    hubspotDefined: !isOwn,
    dataSensitivity: sensitivity,
    ...(name === 'hubspot_owner_id' && { referencedObjectType: 'OWNER' }),
    ...(isOwn && { createdUserId: String(portal.userId), createdAt: since, updatedAt: since }),
    modificationMetadata: { archivable: isOwn, readOnlyDefinition: !isOwn, readOnlyValue: name === 'hs_object_id' },
  }
}

const groupOf = ({ singular }: ObjectType, name: string): string =>
  name.startsWith('survey_') ? 'survey' : `${singular}information`

const groupsOf = (type: ObjectType): object[] =>
  [...new Set(type.properties.map(({ name }) => groupOf(type, name)))].map((name, displayOrder) => ({
    name,
    label: name,
    displayOrder,
    archived: false,
  }))

/** The scope of the records, or of their schemas, is enough. */
const needSchema = (ask: AnyAsk): void => {
  const { plural, scopes } = typeNamed(ask.path.type!)
  needScope(ask, [...scopes, `crm.schemas.${plural}.read`, 'crm.schemas.custom.read'].slice(0, scopes.length + 2))
}

const propertyParams = {
  archived: param.boolean(),
  dataSensitivity: param.word(['non_sensitive', 'sensitive', 'highly_sensitive']),
  locale: param.text(),
}

const propertiesIn = (
  ask: AnyAsk & { readonly args: { archived?: boolean | undefined; dataSensitivity?: string | undefined } },
) => {
  const { archived = false, dataSensitivity = 'non_sensitive' } = ask.args
  const type = typeNamed(ask.path.type!)
  const found = type.properties.filter(
    ({ isArchived, sensitivity }) => isArchived === archived && sensitivity === dataSensitivity,
  )
  return found.map((one) => ({ name: one.name, shown: shownProperty(type, one) }))
}

const propertyRoutes = [
  route({
    path: '/crm/v3/properties/{type}',
    params: propertyParams,
    admit: needSchema,
    answer: (ask) => ({ results: propertiesIn(ask).map(({ shown }) => shown) }),
  }),
  route({
    path: '/crm/v3/properties/{type}/groups',
    params: { locale: param.text() },
    admit: needSchema,
    answer: ({ path }) => ({ results: groupsOf(typeNamed(path.type!)) }),
  }),
  route({
    path: '/crm/v3/properties/{type}/groups/{group}',
    params: { locale: param.text() },
    admit: needSchema,
    answer: ({ path }) =>
      (groupsOf(typeNamed(path.type!)) as { name: string }[]).find(({ name }) => name === path.group) ?? notFound(),
  }),
  route({
    path: '/crm/v3/properties/{type}/{property}',
    params: propertyParams,
    admit: needSchema,
    answer: (ask) => propertiesIn(ask).find(({ name }) => name === ask.path.property)?.shown ?? notFound(),
  }),
]

function shownSchema({ objectTypeId, name, description, updatedAt }: Schema): object {
  const type = typeOf(objectTypeId)
  const associated = objectTypes.slice(0, 4)
  return {
    id: objectTypeId.replace('2-', ''),
    objectTypeId,
    name,
    fullyQualifiedName: type.plural,
    labels: { singular: type.singular, plural: name },
    description,
    primaryDisplayProperty: type.custom!.display,
    secondaryDisplayProperties: ['places'],
    requiredProperties: [type.custom!.display],
    searchableProperties: [type.custom!.display],
    properties: type.properties.map((property) => shownProperty(type, property)),
    associations: associated.map((to, n) => ({
      id: String(n + 1),
      name: `${type.singular}_to_${to.singular}`,
      fromObjectTypeId: objectTypeId,
      toObjectTypeId: to.typeId,
      cardinality: 'ONE_TO_MANY',
      inverseCardinality: 'ONE_TO_MANY',
      createdAt: since,
      updatedAt: since,
    })),
    allowsSensitiveProperties: false,
    archived: false,
    createdByUserId: portal.userId,
    updatedByUserId: portal.userId,
    createdAt: since,
    updatedAt,
  }
}

const schemaRoutes = [
  route({
    path: '/crm-object-schemas/v3/schemas',
    scopes: ['crm.schemas.custom.read'],
    params: { archived: param.boolean() },
    answer: ({ world, args }) => ({ results: args.archived ? [] : world.schemas.rows.map(shownSchema) }),
  }),
  route({
    path: '/crm-object-schemas/v3/schemas/{type}',
    scopes: ['crm.schemas.custom.read'],
    answer({ world, path }) {
      const type = typeNamed(path.type!)
      return shownSchema(world.schemas.find(type.typeId) ?? notFound())
    },
  }),
]

const shownSegment = ({ members: _, ...segment }: Segment, n = Number(segment.listId)) => ({
  ...segment,
  processingStatus: 'COMPLETE',
  listVersion: 1 + (n % 3),
  updatedAt: segment.createdAt,
  createdById: String(portal.userId),
  updatedById: String(portal.userId),
  ...(segment.processingType === 'DYNAMIC' && { filtersUpdatedAt: segment.createdAt }),
})

/** The place in a token; tokens are no plain numbers. */
const placeIn = (token: string): number => {
  const [, place] = /^member:(\d+)$/.exec(Buffer.from(token, 'base64').toString()) ?? []
  return place === undefined ? invalid('Invalid cursor') : Number(place)
}
const tokenOf = (place: number): string => Buffer.from(`member:${place}`).toString('base64')

const listRoutes = [
  route({
    method: 'POST',
    path: '/crm/v3/lists/search',
    scopes: ['crm.lists.read'],
    params: {
      query: param.text(),
      listIds: texts,
      objectTypeId: param.text(),
      processingTypes: texts,
      additionalProperties: param.required(texts),
      sort: param.text(),
      count: param.integer({ least: 1, most: 500 }),
      offset: param.required(param.integer({ least: 0 })),
    },
    answer({ world, args }) {
      const { query = '', listIds, objectTypeId, processingTypes, additionalProperties, offset, count = 20 } = args
      const found = world.lists.rows.filter(
        (one) =>
          one.name.toLowerCase().includes(query.toLowerCase()) &&
          (listIds ?? [one.listId]).includes(one.listId) &&
          (objectTypeId ?? one.objectTypeId) === one.objectTypeId &&
          (processingTypes ?? [one.processingType]).includes(one.processingType),
      )
      if (args.sort?.startsWith('-')) found.reverse()
      const facts = (one: Segment): Record<string, string> => ({
        ...(additionalProperties.includes('hs_list_size') && { hs_list_size: String(one.members.length) }),
      })
      const lists = found
        .slice(offset, offset + count)
        .map((one) => ({ ...shownSegment(one), additionalProperties: facts(one) }))
      const next = offset + lists.length
      return { offset: next, hasMore: next < found.length, total: found.length, lists }
    },
  }),
  route({
    path: '/crm/v3/lists/{id}',
    scopes: ['crm.lists.read'],
    params: { includeFilters: param.boolean() },
    answer({ world, path, args }) {
      const found = world.lists.find(path.id!) ?? notFound('List does not exist')
      const filterBranch = { filterBranchType: 'OR', filterBranches: [], filters: [] }
      const withFilters = args.includeFilters && found.processingType === 'DYNAMIC'
      return { list: { ...shownSegment(found), size: found.members.length, ...(withFilters && { filterBranch }) } }
    },
  }),
  route({
    path: '/crm/v3/lists/{id}/memberships',
    scopes: ['crm.lists.read'],
    params: { limit: param.integer({ least: 1, most: 250 }), after: param.text(), before: param.text() },
    answer({ world, path, args, call }) {
      const { members, createdAt } = world.lists.find(path.id!) ?? notFound('List does not exist')
      if (args.after !== undefined && args.before !== undefined) invalid('after and before exclude each other')
      const limit = args.limit ?? 100
      const end = args.before === undefined ? undefined : placeIn(args.before)
      const from = end === undefined ? (args.after === undefined ? 0 : placeIn(args.after)) : Math.max(0, end - limit)
      const until = Math.min(end ?? from + limit, members.length)
      const next = until < members.length ? paging(call, tokenOf(until)) : {}
      return {
        total: members.length,
        results: members.slice(from, until).map((recordId) => ({ recordId, membershipTimestamp: createdAt })),
        ...next,
      }
    },
  }),
]

const account = {
  portalId: portal.id,
  accountType: 'STANDARD',
  timeZone: 'Europe/Berlin',
  companyCurrency: 'EUR',
  additionalCurrencies: [],
  utcOffset: '+01:00',
  utcOffsetMilliseconds: 3_600_000,
  uiDomain: 'app.hubspot.com',
  dataHostingLocation: 'na1',
}

export const setupRoutes = [
  ...ownerRoutes,
  ...pipelineRoutes,
  ...propertyRoutes,
  ...schemaRoutes,
  ...listRoutes,
  route({ path: '/account-info/v3/details', scopes: ['oauth'], answer: () => account }),
]
