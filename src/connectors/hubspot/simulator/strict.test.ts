/** How strict the simulated HubSpot is. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startSimulators } from '../../../simulator/simulators.ts'
import { hubspotSimulator } from './simulator.ts'

const simulators = await startSimulators([hubspotSimulator], { scale: 60, callsPerMinute: null })
after(() => simulators.close())
const { base_url: base, credentials } = simulators.describe().hubspot!
const authorization = `Bearer ${credentials[0]!.access_token}`
const at = simulators.landmarks('hubspot')
const change = (name: string, fields: object = {}) => simulators.change('hubspot', { change: name, ...fields })

// biome-ignore lint/suspicious/noExplicitAny: answers are what these tests look into
async function ask(path: string, body?: object): Promise<{ status: number; body: any; headers: Headers }> {
  const response = await fetch(`${base}${path}`, {
    headers: { authorization, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
}

const contacts = '/crm/v3/objects/contacts'
const filter = { propertyName: 'email', operator: 'HAS_PROPERTY' }
const search = (body: object) => ask(`${contacts}/search`, body)
const only = (...filters: object[]) => search({ filterGroups: [{ filters }], limit: 200 })

describe('lists and records', () => {
  it('have at most 100 records, and 50 with earlier values; a cursor is good for its own list', async () => {
    assert.equal((await ask(`${contacts}?limit=101`)).status, 400)
    assert.equal((await ask(`${contacts}?limit=51&propertiesWithHistory=email`)).status, 400)
    const { after: token } = (await ask(`${contacts}?limit=2`)).body.paging.next
    assert.equal((await ask(`${contacts}?limit=2&after=${encodeURIComponent(token)}`)).status, 200)
    assert.equal((await ask(`/crm/v3/objects/deals?after=${encodeURIComponent(token)}`)).status, 400)
  })

  it('know plural, singular and number of a type; the scope comes before the record, and the type before the scope', async () => {
    for (const name of ['contacts', 'contact', '0-1'])
      assert.equal((await ask(`/crm/v3/objects/${name}/${at.contacts}`)).status, 200)
    change('scopes', { without: ['tickets'] })
    const refused = await ask('/crm/v3/objects/tickets/1')
    assert.deepEqual([refused.status, refused.body.category], [403, 'MISSING_SCOPES'])
    assert.deepEqual(refused.body.errors[0].context.requiredGranularScopes, ['tickets'])
    change('scopes', { without: [] })
    const unknown = await ask('/crm/v3/objects/0-999')
    assert.deepEqual([unknown.status, unknown.body.category], [400, undefined])
    assert.match(unknown.body.message, /0-999/)
  })

  it('refuse an address that is too long with a page, leave out unknown properties, and show unset ones as null', async () => {
    const long = await ask(`${contacts}?properties=${'a'.repeat(8_000)}`)
    assert.deepEqual([long.status, typeof long.body], [414, 'string'])
    const { properties } = (await ask(`${contacts}/${at.contacts}?properties=fax_number,nothing,hs_lastmodifieddate`))
      .body
    assert.deepEqual(Object.keys(properties), ['createdate', 'hs_lastmodifieddate', 'hs_object_id', 'lastmodifieddate'])
    assert.equal(properties.hs_lastmodifieddate, null)
  })

  it('read in a batch tell which ids are missing', async () => {
    const inputs = [{ id: at.contacts! }, { id: '1' }]
    const { status, body } = await ask(`${contacts}/batch/read`, { inputs, properties: ['email'] })
    assert.deepEqual([status, body.status, body.numErrors, body.results.length], [207, 'COMPLETE', 1, 1])
    const many = Array.from({ length: 101 }, (_, n) => ({ id: String(n) }))
    assert.equal((await ask(`${contacts}/batch/read`, { inputs: many })).status, 400)
  })

  it('lead from a merged id to the record into which it was merged', async () => {
    const [winner, loser] = (await ask(`${contacts}?limit=2`)).body.results
    change('merge', { type: 'contacts', id: winner.id, to_id: loser.id })
    assert.equal((await ask(`${contacts}/${loser.id}`)).body.id, winner.id)
  })
})

describe('the search', () => {
  it('refuses too many filters, two orders, unknown properties, large pages and the end of its window', async () => {
    const groups = (...sizes: number[]) => ({
      filterGroups: sizes.map((size) => ({ filters: Array(size).fill(filter) })),
    })
    const order = { propertyName: 'email' }
    for (const body of [
      groups(1, 1, 1, 1, 1, 1),
      groups(7),
      groups(6, 6, 6, 1),
      { sorts: [order, order] },
      { filterGroups: [{ filters: [{ propertyName: 'nothing', operator: 'HAS_PROPERTY' }] }] },
      { limit: 201 },
      { after: '10000' },
      { after: '9990', limit: 11 },
    ]) {
      const { status, body: told } = await search(body)
      assert.deepEqual([status, told.category], [400, 'VALIDATION_ERROR'], JSON.stringify(body))
    }
    assert.equal((await search({ ...groups(6, 6, 6), after: '9990', limit: 10 })).status, 200)
  })

  it('compares numbers and times as such, texts without regard to case, and finds no archived record', async () => {
    const all = (await search({ limit: 200, properties: ['email', 'lifecyclestage'] })).body
    assert.equal(all.total, all.results.length)
    assert.ok(
      all.results.every(
        ({ archived, associations }: { archived: boolean; associations?: object }) => !archived && !associations,
      ),
    )
    const { email } = all.results[0].properties
    assert.equal((await only({ ...filter, operator: 'EQ', value: email.toUpperCase() })).body.total, 1)
    assert.equal((await only({ ...filter, operator: 'IN', values: [email] })).body.total, 1)
    const stage = { propertyName: 'lifecyclestage', operator: 'EQ' }
    assert.equal((await only({ ...stage, value: 'CUSTOMER' })).body.total, 0)
    assert.ok((await only({ ...stage, value: 'customer' })).body.total > 0)
    const since = { operator: 'GTE', value: '0' }
    assert.equal((await only({ propertyName: 'lastmodifieddate', ...since })).body.total, all.total)
    // The property of other types exists here too, and finds nothing.
    assert.equal((await only({ propertyName: 'hs_lastmodifieddate', ...since })).body.total, 0)
    const ids = { propertyName: 'hs_object_id', operator: 'BETWEEN', value: '9', highValue: at.contacts! }
    assert.equal((await only(ids)).body.total, 1)
  })

  it('lags behind, and tells of no limits', async () => {
    change('settings', { index_lag_seconds: 30 })
    const named = { propertyName: 'firstname', operator: 'EQ', value: 'Zoë' }
    change('update', { type: 'contacts', id: at.contacts, properties: { firstname: 'Zoë' } })
    assert.equal((await only(named)).body.total, 0)
    simulators.advance(31_000)
    const found = await only(named)
    assert.equal(found.body.total, 1)
    assert.equal(found.headers.get('x-hubspot-ratelimit-max'), null)
  })
})

describe('the limits', () => {
  it('are 110 calls in ten seconds, told by headers, and five searches a second apart from them', async () => {
    const limited = await startSimulators([hubspotSimulator], { scale: 1 })
    const system = limited.describe().hubspot!
    const headers = {
      authorization: `Bearer ${system.credentials[0]!.access_token}`,
      'content-type': 'application/json',
    }
    const call = (path: string, body?: string) =>
      fetch(`${system.base_url}${path}`, { headers, ...(body !== undefined && { method: 'POST', body }) })
    try {
      const searches = await Promise.all(Array.from({ length: 6 }, () => call(`${contacts}/search`, '{}')))
      const refused = searches.filter(({ status }) => status === 429)
      assert.equal(((await refused[0]!.json()) as { policyName: string }).policyName, 'SECONDLY')
      const first = await call('/account-info/v3/details')
      assert.equal(first.headers.get('x-hubspot-ratelimit-remaining'), '109')
      const rest = await Promise.all(Array.from({ length: 110 }, () => call('/account-info/v3/details')))
      const [last] = rest.filter(({ status }) => status === 429)
      assert.equal(((await last!.json()) as { policyName: string }).policyName, 'TEN_SECONDLY_ROLLING')
      assert.equal(last!.headers.get('retry-after'), null)
    } finally {
      await limited.close()
    }
  })
})
