/** HubSpot's live search beyond the 10,000 results that HubSpot gives of one query. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { connect } from '../src/client/connect.ts'
import { skippingClock } from '../src/conformance/skipping-clock.ts'
import { hubspotSimulator } from '../src/connectors/hubspot/simulator/simulator.ts'
import { type RunningSimulators, startSimulators } from '../src/simulator/simulators.ts'

const clock = skippingClock(() => Date.UTC(2026, 5, 15, 20))
let simulators: RunningSimulators
let hubspot: ReturnType<typeof connect<'hubspot'>>

before(async () => {
  simulators = await startSimulators([hubspotSimulator], { now: clock.now, scale: 10 })
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

/** Adds so many records of one time of creation, and puts the clock forward. */
function create(type: string, times: number): void {
  simulators.change('hubspot', {
    change: 'create',
    type,
    properties: { hs_note_body: 'In bulk', dealname: 'In bulk' },
    times,
  })
  clock.advance(1_000)
}

interface Walk {
  readonly ids: readonly string[]
  readonly totals: ReadonlySet<unknown>
}

/** Reads a search from a place on, page by page, to its end or so many pages. */
async function walk(entity: string, params: object, mostPages = Number.POSITIVE_INFINITY): Promise<Walk> {
  let pages = 0
  const ids: string[] = []
  const totals = new Set<unknown>()
  for await (const { result, connector_metadata: told } of hubspot.pages(entity as 'deal_search', {
    limit: 200,
    ...params,
  })) {
    ids.push(...(result as { id: string }[]).map(({ id }) => id))
    totals.add(told.total)
    if (++pages >= mostPages) break
  }
  assert.ok(simulators.requests.every(({ status }) => status === 200))
  return { ids, totals }
}

const byId = (direction: string) => [{ propertyName: 'hs_object_id', direction }]

describe('a search of more than 10,000 results', () => {
  it('goes on in the order of ids, window after window, and its total stays', async () => {
    create('deals', 20_150)
    const { ids, totals } = await walk('deal_search', { sorts: byId('ASCENDING') })
    assert.ok(ids.length > 20_150)
    assert.deepEqual([...totals], [ids.length])
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => Number(a) - Number(b)),
    )
    const descending = await walk('deal_search', { sorts: byId('DESCENDING'), after: '9900' }, 4)
    assert.deepEqual(descending.ids, ids.toReversed().slice(9900, 10_600))
  })

  it('goes on in the order of creation, though many records of one moment are on both sides of its end', async () => {
    // Of the records of the second moment, 20 are in the window and 280 beyond it.
    const before = (await walk('object_search', { objectType: 'notes' })).ids.length
    create('notes', 9_980 - before)
    create('notes', 300)
    for (let nth = 0; nth < 25; nth++) create('notes', 1)
    const whole = await walk('object_search', { objectType: 'notes', sorts: byId('ASCENDING') })
    const filterGroups = [{ filters: [{ propertyName: 'hs_object_id', operator: 'GT', value: '0' }] }]
    for (const more of [{}, { filterGroups }, { sorts: [{ propertyName: 'hs_createdate' }] }, { query: 'bulk' }]) {
      const { ids, totals } = await walk('object_search', { objectType: 'notes', after: '9900', ...more })
      assert.equal(new Set(ids).size, ids.length)
      assert.deepEqual([...totals], [ids.length + 9900])
      if (!('query' in more)) assert.deepEqual(ids, whole.ids.slice(9900))
    }
  })

  it('gives the chosen properties beyond the window, too', async () => {
    const page = await hubspot.deal_search.list({
      sorts: [{ propertyName: 'hs_object_id' }],
      properties: ['dealname'],
      limit: 2,
      after: '10000',
    })
    assert.deepEqual(
      page.result.map(({ properties }) => properties),
      page.result.map(({ id }) => ({ hs_object_id: id, dealname: 'In bulk' })),
    )
    const all = await hubspot.deal_search.list({
      ...{ sorts: [{ propertyName: 'hs_object_id' }], limit: 2 },
      ...{ properties: ['*'], after: String(page.connector_metadata.next_cursor) },
    })
    assert.equal(all.result.length, 2)
    for (const { properties } of all.result) assert.ok(Object.keys(properties).length > 6)
  })

  it('ends with a sentence where that many have one time of creation', async () => {
    await assert.rejects(walk('deal_search', { after: '10000' }), {
      code: 'invalid_cursor',
      message: /more than 10000 results that have the same createdate or lack it; sort by hs_object_id/,
    })
  })

  it('ends with a sentence, and asks nothing, where its order or its filters cannot be continued', async () => {
    const filter = { propertyName: 'dealname', operator: 'HAS_PROPERTY' as const }
    const of = (count: number) => ({ filters: Array.from({ length: count }, () => filter) })
    for (const more of [
      { sorts: [{ propertyName: 'dealname' }] },
      { filterGroups: [of(6)] },
      { filterGroups: [of(5), of(5), of(5), of(1)] },
    ])
      await assert.rejects(hubspot.deal_search.list({ after: '10000', ...more }), {
        code: 'invalid_params',
        message: /first 10000 results .* sort by hs_object_id/,
      })
    for (const wrong of ['10001', '-1', '99-', 'x', '5-1', '5-x-1'])
      await assert.rejects(hubspot.deal_search.list({ after: wrong }), { code: 'invalid_params' })
    assert.deepEqual(simulators.requests, [])
  })

  it('ends as HubSpot does where nothing lies beyond', async () => {
    assert.deepEqual((await hubspot.contact_search.list({ after: '9990', limit: 25 })).result, [])
    assert.equal(JSON.parse(String(simulators.requests.at(-1)!.body)).limit, 10)
    const beyond = await hubspot.contact_search.list({ after: '10000' })
    assert.deepEqual([beyond.result, beyond.connector_metadata.next_cursor], [[], null])
  })
})
