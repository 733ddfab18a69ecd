/** Ids of records that tests and demonstrations look for. */
import { tokenLandmarks } from './access.ts'
import { accountLandmarks } from './accounts.ts'
import { accountIdOf, idOf } from './ids.ts'

const accounts = accountLandmarks.map((name, index) => [name, accountIdOf(index)])

/** The same for any seed and scale. */
export const landmarks = {
  ...(Object.fromEntries(accounts) as Record<(typeof accountLandmarks)[number], string>),
  campaign: idOf('campaign', 0, 0),
  ad_set: idOf('adset', 0, 0),
  ad_set_bid_1: idOf('adset', 0, 0),
  ad_set_bid_2: idOf('adset', 0, 1),
  ad_set_bid_null: idOf('adset', 0, 2),
  ad: idOf('ad', 0, 0),
  creative: idOf('creative', 0, 0),
  video: idOf('video', 0, 0),
  custom_conversion: idOf('conversion', 0, 0),
  campaign_yen: idOf('campaign', accountLandmarks.indexOf('account_yen'), 0),
  ...tokenLandmarks,
} as const
