/** The CRM connector against its specification, written down by hand: a wrong catalog fails here. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TSchema } from 'typebox'
import { requiredFields } from '../../catalog/authorization.ts'
import { connectorFaults } from '../../catalog/check-connector.ts'
import { checkCredentials } from '../../catalog/check-credentials.ts'
import { describeConnector } from '../../catalog/describe.ts'
import type { Operation } from '../../catalog/operation.ts'
import { hubspot } from './connector.ts'

const chosen = 'properties string, propertiesWithHistory string, associations string, archived boolean'
const page = 'limit integer, after string'
const record = `${chosen}, ${page}`
const one = `${chosen}, idProperty string`
const found = `filterGroups array, sorts array, query string, properties array, ${page}`
const definition = 'archived boolean, dataSensitivity string, locale string'

/** `*` marks a required param. */
const ofType = (path: string, idParam: string) => ({
  list: `GET /crm/v3/objects/${path}: ${record}`,
  get: `GET /crm/v3/objects/${path}/{${idParam}}: ${idParam}* string, ${one}`,
})
const searchOf = (path: string) => ({ list: `POST /crm/v3/objects/${path}/search: ${found}` })

const operations: Record<string, Record<string, string>> = {
  contacts: ofType('contacts', 'contactId'),
  contact_search: searchOf('contacts'),
  companies: ofType('companies', 'companyId'),
  company_search: searchOf('companies'),
  deals: ofType('deals', 'dealId'),
  deal_search: searchOf('deals'),
  tickets: ofType('tickets', 'ticketId'),
  ticket_search: searchOf('tickets'),
  schemas: {
    list: 'GET /crm-object-schemas/v3/schemas: archived boolean',
    get: 'GET /crm-object-schemas/v3/schemas/{objectType}: objectType* string',
  },
  objects: {
    list: `GET /crm/v3/objects/{objectType}: objectType* string, ${record}`,
    get: `GET /crm/v3/objects/{objectType}/{objectId}: objectType* string, objectId* string, ${one}`,
  },
  object_search: { list: `POST /crm/v3/objects/{objectType}/search: objectType* string, ${found}` },
  line_items: ofType('line_items', 'lineItemId'),
  products: ofType('products', 'productId'),
  quotes: ofType('quotes', 'quoteId'),
  leads: ofType('leads', 'leadId'),
  calls: ofType('calls', 'callId'),
  emails: ofType('emails', 'emailId'),
  meetings: ofType('meetings', 'meetingId'),
  notes: ofType('notes', 'noteId'),
  tasks: ofType('tasks', 'taskId'),
  communications: ofType('communications', 'communicationId'),
  postal_mail: ofType('postal_mail', 'postalMailId'),
  goal_targets: ofType('goal_targets', 'goalTargetId'),
  feedback_submissions: ofType('feedback_submissions', 'feedbackSubmissionId'),
  invoices: ofType('invoices', 'invoiceId'),
  orders: ofType('orders', 'orderId'),
  carts: ofType('carts', 'cartId'),
  subscriptions: ofType('subscriptions', 'subscriptionId'),
  commerce_payments: ofType('commerce_payments', 'commercePaymentId'),
  crm_users: ofType('users', 'userId'),
  owners: {
    list: `GET /crm/v3/owners: email string, archived boolean, ${page}`,
    get: 'GET /crm/v3/owners/{ownerId}: ownerId* integer, idProperty string, archived boolean',
  },
  pipelines: {
    list: 'GET /crm/v3/pipelines/{objectType}: objectType* string',
    get: 'GET /crm/v3/pipelines/{objectType}/{pipelineId}: objectType* string, pipelineId* string',
  },
  pipeline_stages: {
    list: 'GET /crm/v3/pipelines/{objectType}/{pipelineId}/stages: objectType* string, pipelineId* string',
    get: 'GET /crm/v3/pipelines/{objectType}/{pipelineId}/stages/{stageId}: objectType* string, pipelineId* string, stageId* string',
  },
  properties: {
    list: `GET /crm/v3/properties/{objectType}: objectType* string, ${definition}`,
    get: `GET /crm/v3/properties/{objectType}/{propertyName}: objectType* string, propertyName* string, ${definition}`,
  },
  property_groups: {
    list: 'GET /crm/v3/properties/{objectType}/groups: objectType* string, locale string',
    get: 'GET /crm/v3/properties/{objectType}/groups/{groupName}: objectType* string, groupName* string, locale string',
  },
  associations: {
    list: `GET /crm/v4/objects/{objectType}/{objectId}/associations/{toObjectType}: objectType* string, objectId* string, toObjectType* string, ${page}`,
  },
  association_labels: {
    list: 'GET /crm/v4/associations/{fromObjectType}/{toObjectType}/labels: fromObjectType* string, toObjectType* string',
  },
  lists: {
    list: 'POST /crm/v3/lists/search: query string, listIds array, objectTypeId string, processingTypes array, additionalProperties array, sort string, count integer, offset integer',
    get: 'GET /crm/v3/lists/{listId}: listId* string, includeFilters boolean',
  },
  list_memberships: { list: `GET /crm/v3/lists/{listId}/memberships: listId* string, before string, ${page}` },
  account: { get: 'GET /account-info/v3/details: ' },
  files: {
    list: `GET /files/v3/files/search: ids array, name string, path string, parentFolderIds array, type string, extension string, createdAtGte string, createdAtLte string, updatedAtGte string, updatedAtLte string, sort array, ${page}`,
    get: 'GET /files/v3/files/{fileId}: fileId* string',
    download:
      'GET /files/v3/files/{fileId}/signed-url: fileId* string, size string, upscale boolean, expirationSeconds integer, range_header string',
  },
}

const common = 'archived boolean, createdAt string, id string, properties object, updatedAt string'
const withIds = (...targets: string[]) =>
  `${common}, ${targets.map((target) => `${target} array`).join(', ')}`.split(', ').toSorted().join(', ')
const everything = withIds('companies', 'contacts', 'deals', 'tickets')

const searchable: Record<string, string> = {
  contacts: withIds('companies'),
  companies: withIds('contacts'),
  deals: withIds('companies', 'contacts', 'line_items'),
  tickets: withIds('companies', 'contacts'),
  schemas:
    'archived boolean, associations array, createdAt string, description string, fullyQualifiedName string, id string, labels object, name string, objectTypeId string, primaryDisplayProperty string, properties array, requiredProperties array, searchableProperties array, secondaryDisplayProperties array, updatedAt string',
  objects: `${everything}, objectType string`.split(', ').toSorted().join(', '),
  ...Object.fromEntries(
    ['line_items', 'products', 'quotes', 'leads', 'calls', 'emails', 'meetings', 'notes', 'tasks'].map((entity) => [
      entity,
      everything,
    ]),
  ),
  owners:
    'archived boolean, createdAt string, email string, firstName string, id string, lastName string, teams array, type string, updatedAt string, userId integer',
  pipelines:
    'archived boolean, createdAt string, displayOrder integer, id string, label string, objectType string, stages array, updatedAt string',
}

/** The properties that HubSpot returns by default, beside its id and times. */
const defaults: Record<string, string> = {
  contacts: 'createdate email firstname hs_object_id lastmodifieddate lastname',
  companies: 'createdate domain hs_lastmodifieddate hs_object_id name',
  deals: 'amount closedate createdate dealname dealstage hs_lastmodifieddate hs_object_id pipeline',
  tickets:
    'content createdate hs_lastmodifieddate hs_object_id hs_pipeline hs_pipeline_stage hs_ticket_category hs_ticket_priority subject',
  products: 'createdate description hs_lastmodifieddate hs_object_id name price',
  line_items: 'amount createdate hs_lastmodifieddate hs_object_id price quantity',
  quotes: 'hs_createdate hs_expiration_date hs_lastmodifieddate hs_object_id hs_public_url_key hs_status hs_title',
  notes: 'hs_createdate hs_lastmodifieddate hs_object_id',
  objects: 'hs_createdate hs_lastmodifieddate hs_object_id',
}

/** The fields of other records: `?` may be null, `~` may be absent. */
const records: Record<string, string> = {
  contacts:
    'id string, properties object, createdAt string, updatedAt string, archived boolean, archivedAt~ string?, propertiesWithHistory~ object, associations~ object, objectWriteTraceId~ string?, url~ string?',
  owners:
    'id string, type string, email string?, firstName string?, lastName string?, userId integer?, userIdIncludingInactive integer?, teams array?, archived boolean, createdAt string, updatedAt string',
  pipelines:
    'id string, label string, displayOrder integer, stages array, archived boolean, archivedAt~ string?, createdAt string, updatedAt string',
  pipeline_stages:
    'id string, label string, displayOrder integer, metadata~ object, writePermissions~ string?, archived boolean, archivedAt~ string?, createdAt string, updatedAt string',
  property_groups: 'name string, label string, displayOrder integer, archived boolean',
  associations: 'toObjectId string, associationTypes array',
  association_labels: 'category string, typeId integer, label string?',
  lists:
    'listId string, name string, objectTypeId string, processingType string, processingStatus string, listVersion integer, createdAt string?, updatedAt string?, filtersUpdatedAt string?, deletedAt string?, createdById string?, updatedById string?, additionalProperties object',
  list_memberships: 'recordId string, membershipTimestamp string',
  files:
    'id string, name string?, path string?, type string?, extension string?, encoding string?, access string, url string?, defaultHostingUrl string?, fileMd5 string?, parentFolderId string?, sourceGroup string?, size integer?, width integer?, height integer?, expiresAt integer?, isUsableInContent boolean?, archived boolean, archivedAt~ string?, createdAt string, updatedAt string',
}

type Schema = TSchema & {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const typeOf = ({ anyOf, type }: Schema): string =>
  anyOf === undefined ? String(type) : `${anyOf[0]!.type}${anyOf.some((one) => one.type === 'null') ? '?' : ''}`

const paramsOf = ({ params }: Operation): string => {
  const { properties = {}, required = [] } = params as Schema
  return Object.entries(properties)
    .map(([name, schema]) => `${name}${required.includes(name) ? '*' : ''} ${typeOf(schema)}`)
    .join(', ')
}

const fieldsOf = (schema: Schema): string =>
  Object.entries(schema.properties ?? {})
    .map(([name, field]) => `${name}${schema.required?.includes(name) ? '' : '~'} ${typeOf(field)}`)
    .join(', ')

const entities = hubspot.entities as unknown as Readonly<
  Record<string, { readonly [action: string]: Operation } & { readonly searchable?: Readonly<Record<string, string>> }>
>
const actions = ['list', 'get', 'download']

describe('the CRM connector', () => {
  it('has exactly the specified operations with their addresses and params', () => {
    const declared = Object.fromEntries(
      Object.entries(entities).map(([name, entity]) => [
        name,
        Object.fromEntries(
          actions.flatMap((action) => {
            const operation = entity[action]
            if (operation === undefined) return []
            return [[action, `${operation.method ?? 'GET'} ${operation.path}: ${paramsOf(operation)}`]]
          }),
        ),
      ]),
    )
    assert.deepEqual(declared, operations)
  })

  it('has exactly the specified searchable fields', () => {
    const declared = Object.entries(entities).flatMap(([name, { searchable: fields }]) =>
      fields === undefined
        ? []
        : [
            [
              name,
              Object.entries(fields)
                .map((pair) => pair.join(' '))
                .toSorted()
                .join(', '),
            ],
          ],
    )
    assert.deepEqual(Object.fromEntries(declared), searchable)
  })

  it('lists the properties that HubSpot returns by default, and takes every other', () => {
    for (const [entity, names] of Object.entries(defaults)) {
      const { properties } = (entities[entity]!.list as unknown as { record: Schema }).record.properties as never
      const listed = (properties as Schema).properties!
      assert.equal(Object.keys(listed).toSorted().join(' '), names, entity)
      for (const schema of Object.values(listed)) assert.equal(typeOf(schema), 'string?')
    }
  })

  it('has the documented fields of every record', () => {
    for (const [entity, fields] of Object.entries(records))
      assert.equal(fieldsOf((entities[entity]!.list as unknown as { record: Schema }).record), fields, entity)
    const search = (entities.contact_search!.list as unknown as { record: Schema }).record
    assert.ok(!fieldsOf(search).includes('associations'))
  })

  it('declares nothing that a check finds wrong', () => assert.deepEqual(connectorFaults(hubspot), []))

  it('takes OAuth credentials alone, with the fields of the specification', () => {
    assert.deepEqual(
      hubspot.authMethods.map((method) => [
        method.name,
        requiredFields(method),
        Object.keys(method.credentials.properties).toSorted(),
      ]),
      [['oauth', ['refresh_token'], ['access_token', 'client_id', 'client_secret', 'refresh_token']]],
    )
    for (const credentials of [
      { refresh_token: 'r' },
      { refresh_token: 'r', access_token: 'a' },
      { refresh_token: 'r', client_id: 'a', client_secret: 'b' },
    ])
      checkCredentials(hubspot, credentials)
  })

  it('takes no token of a private application, and no access token alone', () => {
    for (const credentials of [
      { access_token: 'a' },
      { token: 'pat-na1-1' },
      { api_token: 'pat-na1-1' },
      { api_key: 'k' },
      { refresh_token: 'r', token: 'pat-na1-1' },
      { refresh_token: 'r', client_id: 'a' },
      { refresh_token: '' },
      { refresh_token: null },
      {},
    ])
      assert.throws(() => checkCredentials(hubspot, credentials), { code: 'invalid_credentials' })
  })

  it('keeps its name and its id, has no replication_config, and is checked by its account', () => {
    const { connector_type, definition_id, title, replication_config } = describeConnector(hubspot)
    assert.deepEqual(
      [connector_type, definition_id, title, replication_config],
      ['hubspot', '36c891d9-4bd9-43ac-bad2-10e12756272c', 'HubSpot', null],
    )
    assert.deepEqual([hubspot.check.entity, hubspot.check.action], ['account', 'get'])
  })
})
