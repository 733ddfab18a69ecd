/** The official client reads every entity. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from '@hubspot/api-client'
import { startSimulators } from '../../../simulator/simulators.ts'
import { hubspotSimulator } from './simulator.ts'

const simulators = await startSimulators([hubspotSimulator], { scale: 40, callsPerMinute: null })
after(() => simulators.close())
const { base_url: basePath, credentials } = simulators.describe().hubspot!
const at = simulators.landmarks('hubspot')
const client = new Client({ basePath, accessToken: credentials[0]!.access_token!, numberOfApiCallRetries: 0 })
const { crm } = client

interface Listed {
  readonly results: readonly { readonly id: string }[]
  readonly paging?: { readonly next?: { readonly after: string } }
}

/** Ids of all pages, none of them twice. */
async function walk(read: (after: string | undefined) => Promise<Listed>): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | undefined, pages = 0; pages === 0 || next !== undefined; pages++) {
    const page = await read(next)
    ids.push(...page.results.map(({ id }) => id))
    next = page.paging?.next?.after
  }
  assert.equal(new Set(ids).size, ids.length)
  return ids
}

const own = {
  contacts: [crm.contacts.basicApi, crm.contacts.searchApi],
  companies: [crm.companies.basicApi, crm.companies.searchApi],
  deals: [crm.deals.basicApi, crm.deals.searchApi],
  tickets: [crm.tickets.basicApi, crm.tickets.searchApi],
  line_items: [crm.lineItems.basicApi, crm.lineItems.searchApi],
  products: [crm.products.basicApi, crm.products.searchApi],
  quotes: [crm.quotes.basicApi, crm.quotes.searchApi],
} as const

for (const [plural, [basic, search]] of Object.entries(own))
  test(`reads ${plural} with its own part of the client`, async () => {
    const getPage = basic.getPage.bind(basic) as (limit: number, after?: string) => Promise<Listed>
    const ids = await walk((next) => getPage(3, next))
    assert.ok(ids.length >= 3)
    const getById = basic.getById.bind(basic) as (id: string) => Promise<{ id: string; properties: object }>
    const one = await getById(ids[0]!)
    assert.deepEqual([one.id, typeof one.properties], [ids[0], 'object'])
    const found = await search.doSearch({
      filterGroups: [{ filters: [{ propertyName: 'hs_object_id', operator: 'GT' as never, value: ids[0]! }] }],
      sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }] as never,
      limit: 200,
      after: '0',
      properties: [],
      query: undefined as never,
    })
    assert.deepEqual(
      found.results.map(({ id }) => id),
      ids.slice(1),
    )
    assert.equal(found.total, ids.length - 1)
  })

const others = [
  ...['calls', 'emails', 'meetings', 'notes', 'tasks', 'leads', 'communications', 'postal_mail', 'goal_targets'],
  ...['feedback_submissions', 'invoices', 'orders', 'carts', 'subscriptions', 'commerce_payments', 'users', '2-48213'],
]
for (const type of others)
  test(`reads ${type} as objects of any type`, async () => {
    const ids = await walk((next) => crm.objects.basicApi.getPage(type, 2, next))
    assert.ok(ids.length > 2)
    const { id, archived } = await crm.objects.basicApi.getById(type, ids[0]!)
    assert.deepEqual([id, archived], [ids[0], false])
    const batch = await crm.objects.batchApi.read(type, {
      inputs: ids.map((one) => ({ id: one })),
      properties: ['hs_object_id'],
      propertiesWithHistory: [],
    })
    assert.deepEqual(batch.results.map((one) => one.properties.hs_object_id).toSorted(), ids.toSorted())
  })

test('reads chosen properties, their earlier values, and associated ids', async () => {
  const one = await crm.contacts.basicApi.getById(at.contacts!, ['phone', 'nothing'], ['email'], ['companies'])
  assert.deepEqual(Object.keys(one.properties).toSorted(), [
    ...['createdate', 'email', 'hs_object_id', 'lastmodifieddate', 'phone'],
  ])
  assert.equal(one.propertiesWithHistory!.email![0]!.value, one.properties.email)
  assert.ok(one.associations!.companies!.results[0]!.id)
  const byEmail = await crm.contacts.basicApi.getById(one.properties.email!, [], [], [], false, 'email')
  assert.equal(byEmail.id, at.contacts)
})

test('reads archived records alone, on request', async () => {
  const archived = await crm.contacts.basicApi.getPage(100, undefined, undefined, undefined, undefined, true)
  assert.ok(archived.results.length > 0)
  assert.ok(archived.results.every((one) => one.archived && one.archivedAt instanceof Date))
  await assert.rejects(crm.contacts.basicApi.getById(at.archived_contact!), { code: 404 })
  const one = await crm.contacts.basicApi.getById(at.archived_contact!, undefined, undefined, undefined, true)
  assert.equal(one.id, at.archived_contact)
})

test('reads associations and their labels', async () => {
  const { results } = await crm.associations.v4.basicApi.getPage('deals', at.associated_deal!, 'contacts')
  assert.ok(results.length > 0)
  assert.equal(results[0]!.associationTypes[0]!.typeId, 3)
  const batch = await crm.associations.v4.batchApi.getPage('deals', 'contacts', {
    inputs: [{ id: at.associated_deal! }],
  })
  assert.deepEqual(
    batch.results[0]!.to.map(({ toObjectId }) => toObjectId),
    results.map(({ toObjectId }) => toObjectId),
  )
  const labels = await crm.associations.v4.schema.definitionsApi.getAll('contacts', 'companies')
  assert.deepEqual(
    labels.results.map(({ label }) => label ?? null),
    ['Primary', null],
  )
})

test('reads owners, those who left too', async () => {
  const ids = await walk((next) => crm.owners.ownersApi.getPage(undefined, next, 2))
  const { results: archived } = await crm.owners.ownersApi.getPage(undefined, undefined, 100, true)
  assert.ok(ids.length > 2 && archived.length > 0)
  assert.equal((await crm.owners.ownersApi.getById(Number(ids[0]))).type, 'PERSON')
})

test('reads pipelines, stages, properties, groups and schemas', async () => {
  const pipelines = await crm.pipelines.pipelinesApi.getAll('deals')
  const [first] = pipelines.results
  assert.equal((await crm.pipelines.pipelinesApi.getById('deals', first!.id)).label, first!.label)
  const stages = await crm.pipelines.pipelineStagesApi.getAll('deals', first!.id)
  const { id } = stages.results[0]!
  assert.equal((await crm.pipelines.pipelineStagesApi.getById('deals', first!.id, id)).id, id)
  const properties = await crm.properties.coreApi.getAll('contacts')
  assert.ok(properties.results.some(({ name }) => name === 'email'))
  assert.ok(properties.results.every(({ name }) => name !== 'passport_number'))
  assert.equal((await crm.properties.coreApi.getByName('contacts', 'email')).hasUniqueValue, true)
  const groups = await crm.properties.groupsApi.getAll('contacts')
  assert.equal((await crm.properties.groupsApi.getByName('contacts', groups.results[0]!.name)).archived, false)
  const schemas = await crm.schemas.coreApi.getAll()
  assert.equal(schemas.results.length, 2)
  const schema = await crm.schemas.coreApi.getById(schemas.results[0]!.objectTypeId!)
  assert.deepEqual(schema.requiredProperties, ['tent_name'])
})

test('reads lists and their members', async () => {
  const request = { offset: 0, count: 5, additionalProperties: ['hs_list_size'] }
  const page = await crm.lists.listsApi.doSearch(request)
  assert.deepEqual([page.lists.length, page.offset, page.hasMore], [5, 5, true])
  const { list } = await crm.lists.listsApi.getById(at.list!)
  assert.equal(page.lists[0]!.additionalProperties.hs_list_size, String(list.size))
  const members = await crm.lists.membershipsApi.getPage(at.list!, undefined, undefined, 4)
  assert.equal(members.results.length, 4)
})

test('reads files', async () => {
  const { results } = await client.files.filesApi.doSearch(undefined, undefined, undefined, 3)
  assert.equal(results.length, 3)
  const file = await client.files.filesApi.getById(at.file!)
  const { url, size } = await client.files.filesApi.getSignedUrl(at.file!)
  const bytes = await (await fetch(url)).arrayBuffer()
  assert.deepEqual([bytes.byteLength, file.size], [size, size])
  assert.equal((await fetch(url.split('?')[0]!)).status, 403)
})

test('is told why a request is refused', async () => {
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => assert.fail('not refused'),
      ({ code, body }: { code: number; body: { category?: string; message: string } }) => ({ code, ...body }),
    )
  const unknown = await refusal(crm.objects.basicApi.getPage('unicorns'))
  assert.deepEqual([unknown.code, unknown.category], [400, undefined])
  assert.match(unknown.message, /Unable to infer object type.*unicorns/)
  assert.equal((await refusal(crm.contacts.basicApi.getById('1'))).category, 'OBJECT_NOT_FOUND')
  assert.equal((await refusal(crm.contacts.basicApi.getPage(101))).category, 'VALIDATION_ERROR')
})
