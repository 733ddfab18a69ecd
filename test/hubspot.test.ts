/** HubSpot live: properties chosen or all, the window of its search, and its limits. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { connect } from '../src/client/connect.ts'
import { type SkippingClock, skippingClock } from '../src/conformance/skipping-clock.ts'
import { hubspotSimulator } from '../src/connectors/hubspot/simulator/simulator.ts'
import { ConexError } from '../src/errors.ts'
import { type RunningSimulators, startSimulators } from '../src/simulator/simulators.ts'

describe('HubSpot, live', () => {
  let simulators: RunningSimulators
  let clock: SkippingClock
  let hubspot: ReturnType<typeof connect<'hubspot'>>
  const change = (name: string, fields: object = {}) => simulators.change('hubspot', { change: name, ...fields })
  const asked = () => simulators.requests.map(({ method, path }) => `${method} ${path.replace('/hubspot', '')}`)

  before(async () => {
    clock = skippingClock(() => Date.UTC(2026, 5, 15, 20))
    simulators = await startSimulators([hubspotSimulator], { now: clock.now, scale: 60 })
    const { base_url: baseUrl, credentials } = simulators.describe().hubspot!
    hubspot = connect('hubspot', {
      credentials: credentials[0] as never,
      baseUrl,
      allowPrivateNetwork: true,
      engine: { clock, random: () => 0.5 },
    })
  })
  beforeEach(() => simulators.clearRequests())
  after(async () => {
    await hubspot.close()
    await simulators.close()
  })

  const refusal = (promise: Promise<unknown>): Promise<ConexError> =>
    promise.then(
      () => assert.fail('the call succeeded'),
      (error) => {
        assert.ok(error instanceof ConexError, String(error))
        return error
      },
    )

  it('returns HubSpot’s own properties by default, and the chosen ones', async () => {
    const [usual] = (await hubspot.contacts.list({ limit: 1 })).result
    assert.ok('email' in usual!.properties && !('jobtitle' in usual!.properties))
    const [chosen] = (await hubspot.contacts.list({ limit: 1, properties: 'jobtitle', associations: 'companies' }))
      .result
    assert.ok(!('email' in chosen!.properties) && 'jobtitle' in chosen!.properties)
    assert.ok(chosen!.associations!.companies!.results.length > 0)
  })

  it('returns all properties for *, by a batch read where their names fit into no address', async () => {
    const { result } = await hubspot.contacts.list({ limit: 5, properties: '*' })
    assert.equal(result.length, 5)
    for (const { properties } of result)
      assert.ok('survey_answer_on_camping_gear_090' in properties && 'email' in properties)
    assert.deepEqual(asked(), [
      'GET /crm/v3/properties/contacts',
      'GET /crm/v3/objects/contacts',
      'POST /crm/v3/objects/contacts/batch/read',
    ])
    simulators.clearRequests()
    const { result: deal } = await hubspot.deals.get({
      dealId: simulators.landmarks('hubspot').deals!,
      properties: '*',
    })
    assert.ok('hubspot_owner_id' in deal.properties)
    assert.equal(asked().length, 2)
  })

  it('asks HubSpot only for the properties in select_fields', async () => {
    const { result } = await hubspot.contacts.list({ limit: 1 }, { select_fields: ['id', 'properties.jobtitle'] })
    assert.deepEqual(Object.keys(result[0]!), ['id', 'properties'])
    assert.deepEqual(Object.keys(result[0]!.properties), ['jobtitle'])
    assert.match(simulators.requests[0]!.query, /properties=jobtitle(&|$)/)
  })

  it('returns the total of a search beside its cursor', async () => {
    const { connector_metadata: told } = await hubspot.execute('contact_search', 'list', { limit: 2 })
    assert.deepEqual([told.next_cursor, told.next_link, Number(told.total) > 2], ['2', null, true])
  })

  it('refuses filters that HubSpot would refuse, and asks nothing', async () => {
    const filter = { propertyName: 'email', operator: 'EQ', value: 'x' }
    const groups = (...sizes: number[]) => sizes.map((size) => ({ filters: Array(size).fill(filter) }))
    for (const filterGroups of [
      groups(1, 1, 1, 1, 1, 1),
      groups(7),
      groups(6, 6, 6, 1),
      [{ filters: [{ propertyName: 'email', operator: 'BETWEEN', value: 'x' }] }],
      [{ filters: [{ propertyName: 'email', operator: 'IN', values: [] }] }],
      [{ filters: [{ ...filter, operator: 'LIKE' }] }],
    ])
      assert.equal((await refusal(hubspot.execute('contact_search', 'list', { filterGroups }))).code, 'invalid_params')
    assert.deepEqual(asked(), [])
  })

  it('waits for the limits of calls and of searches instead of running into them', async () => {
    for (let nth = 0; nth < 12; nth++) await hubspot.execute('contact_search', 'list', { limit: 1 })
    for (let nth = 0; nth < 130; nth++) await hubspot.account.get()
    assert.equal(simulators.requests.length, 142)
    assert.ok(simulators.requests.every(({ status }) => status === 200))
  })

  it('does not repeat a call once the day’s calls are used up', async () => {
    change('settings', { calls_per_day: 0 })
    simulators.clearRequests()
    const { code, retryAfter } = await refusal(hubspot.account.get())
    change('settings', { calls_per_day: null })
    assert.deepEqual([code, retryAfter, asked().length], ['upstream_rate_limited', 3600, 1])
  })
})
