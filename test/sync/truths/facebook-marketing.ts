/** All that a simulated Meta holds. */
import { type Any, ask, byId, field, type Truth } from './ask.ts'

export async function facebookTruth(base: string, token: string, now: number): Promise<Truth> {
  async function list(path: string, fields: readonly string[], more: Record<string, string> = {}): Promise<Any[]> {
    const found: Any[] = []
    for (let after = ''; ; ) {
      const query = new URLSearchParams({ fields: fields.join(), limit: '80', ...more, ...(after && { after }) })
      const answer = await ask(`${base}${path}?${query}`, `Bearer ${token}`)
      found.push(...answer.data)
      if (answer.paging?.next === undefined) return found
      after = answer.paging.cursors.after
    }
  }
  const kind = 'facebook-marketing'
  const all: Record<string, Map<string, Any>> = {}
  const add = (entity: string, records: readonly Any[], id = (record: Any): string => record.id): void => {
    all[entity] = new Map([...(all[entity] ?? []), ...byId(records, id)])
  }
  add('ad_accounts', await list('/me/adaccounts', field(kind, 'ad_accounts')))
  all.ad_account = all.ad_accounts!
  const own = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'WITH_ISSUES']
  const below = ['ADSET_PAUSED', 'DISAPPROVED', 'PENDING_BILLING_INFO', 'PENDING_REVIEW', 'PREAPPROVED']
  const status = (values: readonly string[]) => ({ effective_status: JSON.stringify(values) })
  const day = (back: number): string => new Date(now - back * 86_400_000).toISOString().slice(0, 10)
  for (const { id: account, account_id } of all.ad_accounts!.values()) {
    add('campaigns', await list(`/${account}/campaigns`, field(kind, 'campaigns'), status(own)))
    add('ad_sets', await list(`/${account}/adsets`, field(kind, 'ad_sets'), status([...own, 'CAMPAIGN_PAUSED'])))
    const ads = status([...own, 'CAMPAIGN_PAUSED', ...below])
    add('ads', await list(`/${account}/ads`, field(kind, 'ads'), ads))
    add('ad_creatives', await list(`/${account}/adcreatives`, field(kind, 'ad_creatives')))
    add('custom_conversions', await list(`/${account}/customconversions`, field(kind, 'custom_conversions')))
    add('images', await list(`/${account}/adimages`, field(kind, 'images')))
    const ofVideo = field(kind, 'videos').filter((name) => name !== 'account_id')
    const videos = await list(`/${account}/advideos`, ofVideo)
    add(
      'videos',
      videos.map((video) => ({ ...video, account_id })),
    )
    for (let back = 80; back > 0; back -= 10) {
      const rows = await list(`/${account}/insights`, field(kind, 'ads_insights'), {
        level: 'ad',
        time_increment: '1',
        time_range: JSON.stringify({ since: day(back), until: day(back - 9) }),
        filtering: JSON.stringify([
          {
            field: 'ad.effective_status',
            operator: 'IN',
            value: [...own, 'CAMPAIGN_PAUSED', ...below],
          },
        ]),
        action_attribution_windows: '["1d_click","7d_click","28d_click","1d_view"]',
      })
      add('ads_insights', rows, (row) => `${row.account_id}:ad:${row.ad_id}:${row.date_start}`)
    }
  }
  return all
}
