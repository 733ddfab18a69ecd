/** What `filtering` and `effective_status` leave of an edge, judged against everything that the edge has. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type RunningSimulators, startSimulators } from '../../../kit/simulator.ts'
import { facebookMarketingSimulator } from './simulator.ts'

interface Shown {
  readonly id: string
  readonly effective_status: string
  readonly updated_time: string
}

type Condition = readonly [field: string, operator: string, value: unknown]

const levels = { campaigns: 'campaign', adsets: 'adset', ads: 'ad' } as const
const everyStatus = {
  campaigns: ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'WITH_ISSUES'],
  adsets: ['ACTIVE', 'PAUSED', 'CAMPAIGN_PAUSED', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'WITH_ISSUES'],
  ads: [
    ...['ACTIVE', 'PAUSED', 'CAMPAIGN_PAUSED', 'ADSET_PAUSED', 'ARCHIVED', 'DELETED', 'DISAPPROVED', 'IN_PROCESS'],
    ...['PENDING_BILLING_INFO', 'PENDING_REVIEW', 'PREAPPROVED', 'WITH_ISSUES'],
  ],
} as const

describe('filters of the simulated Marketing API', () => {
  let systems: RunningSimulators
  let account: string
  before(async () => {
    systems = await startSimulators([facebookMarketingSimulator], { scale: 600, now: () => Date.UTC(2026, 10, 20, 20) })
    account = `act_${systems.landmarks('facebook-marketing').account}`
  })
  after(() => systems.close())

  async function ask(edge: string, query: Readonly<Record<string, string>>) {
    const token = systems.describe()['facebook-marketing']!.credentials[0]!.access_token!
    const asked = new URLSearchParams({ limit: '2000', fields: 'id,effective_status,updated_time', ...query })
    const url = `${systems.origin}/facebook-marketing/v26.0/${account}/${edge}?${asked}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return { status: answer.status, body: (await answer.json()) as any }
  }

  const written = (...conditions: readonly Condition[]): string =>
    JSON.stringify(conditions.map(([field, operator, value]) => ({ field, operator, value })))

  async function found(edge: string, query: Readonly<Record<string, string>>): Promise<readonly Shown[]> {
    const { status, body } = await ask(edge, query)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.paging?.next, undefined)
    return body.data
  }

  const all = (edge: keyof typeof everyStatus) => found(edge, { effective_status: JSON.stringify(everyStatus[edge]) })

  for (const [edge, level] of Object.entries(levels) as [keyof typeof levels, string][]) {
    it(`compare ids, statuses and times of ${edge}`, async () => {
      const everything = await all(edge)
      const seconds = ({ updated_time }: Shown): number =>
        Date.parse(updated_time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) / 1000
      const times = everything.map(seconds).toSorted((one, other) => one - other)
      const middle = times[times.length >> 1]!
      const { id, effective_status: status } = everything[5]!
      const some = everything.slice(0, 3).map((one) => one.id)
      const cases: readonly (readonly [Condition, (one: Shown) => boolean])[] = [
        [['id', 'EQUAL', id], (one) => one.id === id],
        [['id', 'NOT_EQUAL', id], (one) => one.id !== id],
        [['id', 'IN', some], (one) => some.includes(one.id)],
        [['id', 'NOT_IN', some], (one) => !some.includes(one.id)],
        [['effective_status', 'EQUAL', status], (one) => one.effective_status === status],
        [['effective_status', 'NOT_EQUAL', status], (one) => one.effective_status !== status],
        [['effective_status', 'IN', ['PAUSED', 'DELETED']], (one) => /^(PAUSED|DELETED)$/.test(one.effective_status)],
        [['effective_status', 'NOT_IN', ['ACTIVE']], (one) => one.effective_status !== 'ACTIVE'],
        [['updated_time', 'GREATER_THAN', middle], (one) => seconds(one) > middle],
        [['updated_time', 'GREATER_THAN_OR_EQUAL', middle], (one) => seconds(one) >= middle],
        [['updated_time', 'LESS_THAN', middle], (one) => seconds(one) < middle],
        [['updated_time', 'LESS_THAN_OR_EQUAL', middle], (one) => seconds(one) <= middle],
      ]
      for (const [[field, operator, value], fits] of cases) {
        const expected = everything.filter(fits)
        assert.ok(expected.length > 0 && expected.length < everything.length, `${operator} tells nothing apart`)
        const query = {
          filtering: written([`${level}.${field}`, operator, value]),
          ...(field !== 'effective_status' && { effective_status: JSON.stringify(everyStatus[edge]) }),
        }
        assert.deepEqual(await found(edge, query), expected, `${field} ${operator}`)
      }
    })

    it(`have all to be met by ${edge}, those of the status beside them too`, async () => {
      const everything = await all(edge)
      const status = everything[0]!.effective_status
      const some = everything.filter((_, index) => index % 2 === 0).map(({ id }) => id)
      const filtering = written([`${level}.id`, 'IN', some], [`${level}.updated_time`, 'GREATER_THAN', 0])
      assert.deepEqual(
        await found(edge, { filtering, effective_status: JSON.stringify([status]) }),
        everything.filter((one) => some.includes(one.id) && one.effective_status === status),
      )
      // Nobody asked for a status, so that archived and deleted ones stay out.
      assert.deepEqual(
        await found(edge, { filtering }),
        everything.filter((one) => some.includes(one.id) && !/^(ARCHIVED|DELETED)$/.test(one.effective_status)),
      )
    })

    it(`that ${edge} cannot meet are refused`, async () => {
      const foreign = level === 'ad' ? 'NONSENSE' : 'ADSET_PAUSED'
      for (const [filtering, subcode] of [
        [written([`${level}.effective_status`, 'IN', ['ACTIVE', foreign]]), 1487561],
        [written([`${level}.effective_status`, 'EQUAL', foreign]), 1487561],
        [written([`${level}.nonsense`, 'EQUAL', 1]), undefined],
        [written([`${level}.id`, 'LOOKS_LIKE', '1']), undefined],
        [written([`${level}.id`, 'constructor', '1']), undefined],
        [written(['business.id', 'EQUAL', '1']), undefined],
        ['{"field":"id"}', undefined],
      ] as const) {
        const { status, body } = await ask(edge, { filtering })
        assert.deepEqual([status, body.error?.code, body.error?.error_subcode], [400, 100, subcode], filtering)
      }
    })
  }

  it('ask about the levels above a node too, and not about those below', async () => {
    const [campaign] = await found('campaigns', {})
    const filtering = written(['campaign.id', 'EQUAL', campaign!.id])
    for (const edge of ['adsets', 'ads'] as const) {
      const below = await found(edge, { filtering, fields: 'id,campaign_id' })
      assert.ok(below.length > 0)
      for (const one of below) assert.equal((one as { campaign_id?: string }).campaign_id, campaign!.id)
    }
    const { status } = await ask('campaigns', { filtering: written(['ad.id', 'EQUAL', '1']) })
    assert.equal(status, 400)
  })

  it('choose the ads whose figures are given', async () => {
    const ads = await all('ads')
    const rowsOf = async (statuses: readonly string[]) => {
      const filtering = written(['ad.effective_status', 'IN', statuses])
      const query = { level: 'ad', date_preset: 'last_30d', fields: 'ad_id', filtering }
      const { status, body } = await ask('insights', query)
      assert.equal(status, 200, JSON.stringify(body))
      return body.data.map(({ ad_id: id }: { ad_id: string }) => id) as string[]
    }
    const whole = await rowsOf(everyStatus.ads)
    const active = await rowsOf(['ACTIVE'])
    assert.ok(active.length > 0 && active.length < whole.length)
    const status = new Map(ads.map(({ id, effective_status }) => [id, effective_status]))
    assert.deepEqual(
      active,
      whole.filter((id) => status.get(id) === 'ACTIVE'),
    )
  })
})
