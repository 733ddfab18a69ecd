/** Params for every operation with which it finds something, for any seed and scale. */
import type { SystemExamples } from '../../../kit/simulator.ts'
import { landmarks as at } from './landmarks.ts'

const ofAccount = { account_id: at.account }

export const examples: SystemExamples = {
  current_user: { get: {} },
  ad_accounts: { list: {} },
  campaigns: { list: ofAccount, get: { campaign_id: at.campaign } },
  ad_sets: { list: ofAccount, get: { adset_id: at.ad_set } },
  ads: { list: ofAccount, get: { ad_id: at.ad } },
  ad_creatives: { list: ofAccount },
  ads_insights: { list: { ...ofAccount, date_preset: 'last_30d', level: 'campaign' } },
  ad_account: { get: ofAccount },
  custom_conversions: { list: ofAccount },
  images: { list: ofAccount },
  videos: { list: ofAccount },
}
