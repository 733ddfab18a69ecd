/** What a copy of HubSpot has to get right beyond its lists: changes in bulk, archives, merges, associations, scopes. */
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { type Synced, startSynced } from './synced.ts'

const day = 86_400_000

async function synced(t: TestContext): Promise<Synced> {
  const on = await startSynced('hubspot', { simulators: { scale: 10 } })
  t.after(() => on.close())
  return on
}

const changeOn =
  ({ hosted }: Synced) =>
  (change: string, fields: object = {}) =>
    hosted.systems.change('hubspot', { change, ...fields }) as { id: string }

it('more than 10,000 records with one time of change all come, by their ids and without a full pass', async (t) => {
  const on = await synced(t)
  const change = changeOn(on)
  const entities = ['products']
  await on.sync({ entities })
  const before = (await on.copy('products')).size
  on.hosted.clock.advance(3_600_000)
  change('create', { type: 'products', properties: { name: 'In bulk' }, times: 10_050 })
  on.hosted.calm()
  await on.sync({ entities })
  assert.equal((await on.state('products')).records, before + 10_050)
  const { body } = await on.search('products', {
    query: { filter: { eq: { 'properties.name': 'In bulk' } } },
    limit: 1,
  })
  assert.equal(body.result.hits.length, 1)
  const searches = on.hosted.received().filter(({ path }) => path.endsWith('/search'))
  assert.ok(searches.length > 50 && searches.every(({ status }) => status === 200))
})

it('archived, restored, merged and deleted records, and associations that no time tells of', async (t) => {
  const on = await synced(t)
  const change = changeOn(on)
  const entities = ['contacts', 'companies']
  await on.sync({ entities })
  const active = [...(await on.copy('contacts'))].filter(([, { archived }]) => !archived).map(([id]) => id)
  const [archived, winner, loser, deleted, joined] = active as [string, string, string, string, string]
  const [company] = [...(await on.copy('companies'))].find(([, { archived }]) => !archived)!
  const of = (id: string) => ({ type: 'contacts', id })
  on.hosted.clock.advance(3_600_000)
  change('archive', of(archived))
  change('merge', { ...of(winner), to_id: loser })
  change('delete', of(deleted))
  change('associate', { ...of(joined), to_type: 'companies', to_id: company })
  await on.sync({ entities })
  assert.equal((await on.copy('contacts')).get(archived).archived, true)
  on.hosted.clock.advance(day)
  change('restore', of(archived))
  await on.sync({ entities })
  const contacts = await on.copy('contacts')
  assert.equal(contacts.get(archived).archived, false)
  assert.deepEqual([contacts.has(loser), contacts.has(deleted)], [false, false])
  assert.equal(contacts.get(winner).properties.hs_merged_object_ids, loser)
  assert.ok(contacts.get(joined).companies.includes(company))
  await on.isTrueOf(entities)
})

it('every associated id, however HubSpot pages and writes them', async (t) => {
  const on = await synced(t)
  const change = changeOn(on)
  change('settings', { association_page: 2, association_ids_as_text: true })
  const type = { type: 'companies', id: on.hosted.systems.landmarks('hubspot').companies }
  for (let nth = 0; nth < 7; nth++) {
    const { id } = change('create', { type: 'contacts' })
    change('associate', { ...type, to_type: 'contacts', to_id: id })
  }
  await on.sync({ entities: ['companies'] })
  assert.ok((await on.copy('companies')).get(type.id!).contacts.length >= 7)
  await on.isTrueOf(['companies'])
})

it('a change that the index of the search shows late', async (t) => {
  const on = await synced(t)
  const change = changeOn(on)
  change('settings', { index_lag_seconds: 60 })
  const entities = ['notes']
  await on.sync({ entities })
  const id = on.hosted.systems.landmarks('hubspot').notes!
  on.hosted.clock.advance(600_000)
  change('update', { type: 'notes', id, properties: { hs_note_body: 'Late' } })
  await on.sync({ entities })
  assert.notEqual((await on.copy('notes')).get(id).properties.hs_note_body, 'Late')
  on.hosted.clock.advance(120_000)
  await on.sync({ entities })
  assert.equal((await on.copy('notes')).get(id).properties.hs_note_body, 'Late')
})

it('what the scopes allow: ids of other types are null, and an entity of its own fails alone', async (t) => {
  const on = await synced(t)
  changeOn(on)('scopes', {
    without: ['crm.objects.line_items.read', 'e-commerce', 'tickets', 'crm.schemas.custom.read'],
  })
  await on.sync({ entities: ['contacts', 'deals', 'tickets', 'schemas'] })
  const deals = [...(await on.copy('deals')).values()]
  assert.ok(deals.length > 0 && deals.every(({ line_items: ids, contacts }) => ids === null && Array.isArray(contacts)))
  assert.equal((await on.state('deals')).complete, true)
  for (const entity of ['tickets', 'schemas'])
    assert.equal((await on.state(entity)).last_error.code, 'upstream_forbidden', entity)
  assert.equal((await on.state('contacts')).complete, true)
})
