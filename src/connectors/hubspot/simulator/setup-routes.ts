/** The addresses of the account's setup: owners, pipelines, properties, schemas, lists, and the account itself. */
import { offsetPages, param } from '../../../kit/simulator.ts'
import { type ObjectType, objectTypes, type PropertyDefinition, typeOf } from './object-types.ts'
import { portal } from './portal.ts'
import type { Owner, Pipeline, Schema, Segment } from './setup.ts'
import {
  type AnyAsk,
  byAfter,
  filter,
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
    params: { archived: param.boolean() },
    rows: ({ world }) => world.owners.rows,
    visible: ({ archived }, { args }) => archived === (args.archived ?? false),
    filters: { email: filter(param.text(), (owner: Owner, email) => owner.email === email) },
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

const ofPipelines = (path: string, answer: (ask: AnyAsk) => unknown) =>
  route({ path: `/crm/v3/pipelines/{type}${path}`, admit: needTypes('type'), answer })

const pipelineRoutes = [
  ofPipelines('', (ask) => ({ results: pipelinesOf(ask).map(shownPipeline) })),
  ofPipelines('/{id}', (ask) => shownPipeline(pipelineOf(ask))),
  ofPipelines('/{id}/stages', (ask) => ({ results: pipelineOf(ask).stages })),
  ofPipelines('/{id}/stages/{stage}', (ask) => {
    return pipelineOf(ask).stages.find(({ id }) => id === ask.path.stage) ?? notFound()
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
function shownProperty(type: ObjectType, property: PropertyDefinition) {
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

const groupsOf = (type: ObjectType) =>
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

type PropertyAsk = AnyAsk & { readonly args: param.ArgsOf<typeof propertyParams> }

const propertiesIn = (ask: PropertyAsk) => {
  const { archived = false, dataSensitivity = 'non_sensitive' } = ask.args
  const type = typeNamed(ask.path.type!)
  return type.properties
    .filter(({ isArchived, sensitivity }) => isArchived === archived && sensitivity === dataSensitivity)
    .map((one) => shownProperty(type, one))
}

const ofProperties = (path: string, answer: (ask: PropertyAsk) => unknown) =>
  route({ path: `/crm/v3/properties/{type}${path}`, params: propertyParams, admit: needSchema, answer })

const groupsIn = (ask: PropertyAsk) => groupsOf(typeNamed(ask.path.type!))

const propertyRoutes = [
  ofProperties('', (ask) => ({ results: propertiesIn(ask) })),
  ofProperties('/groups', (ask) => ({ results: groupsIn(ask) })),
  ofProperties('/groups/{group}', (ask) => groupsIn(ask).find(({ name }) => name === ask.path.group) ?? notFound()),
  ofProperties('/{property}', (ask) => propertiesIn(ask).find(({ name }) => name === ask.path.property) ?? notFound()),
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

const segmentPages = offsetPages<Segment>({ offset: 'offset', size: 'count', usual: 20, most: 500 })

const listRoutes = [
  list({
    method: 'POST',
    path: '/crm/v3/lists/search',
    scopes: ['crm.lists.read'],
    params: { additionalProperties: param.required(texts), sort: param.text() },
    rows: ({ world, args }) => (args.sort?.startsWith('-') ? world.lists.rows.toReversed() : world.lists.rows),
    filters: {
      query: filter(param.text(), ({ name }: Segment, query) => name.toLowerCase().includes(query.toLowerCase())),
      listIds: filter(texts, ({ listId }: Segment, ids) => ids.includes(listId)),
      objectTypeId: filter(param.text(), (segment: Segment, type) => segment.objectTypeId === type),
      processingTypes: filter(texts, ({ processingType }: Segment, types) => types.includes(processingType)),
    },
    pages: { ...segmentPages, params: { ...segmentPages.params, offset: param.required(segmentPages.params.offset!) } },
    show: (segment, { args }) => ({
      ...shownSegment(segment),
      additionalProperties: {
        ...(args.additionalProperties.includes('hs_list_size') && { hs_list_size: String(segment.members.length) }),
      },
    }),
    body: (lists, { next, total }) => ({
      offset: Number(next ?? total()),
      hasMore: next !== null,
      total: total(),
      lists,
    }),
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
