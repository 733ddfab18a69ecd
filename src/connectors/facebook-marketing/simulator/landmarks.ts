/** Ids of records that tests and demonstrations look for. */
import { tokenLandmarks } from './access.ts'
import { accountIndex } from './accounts.ts'
import { accountIdOf, idOf } from './ids.ts'

const { main, japan } = accountIndex

/** The same for any seed and scale. */
export const landmarks = {
  account: accountIdOf(main),
  account_euro: accountIdOf(accountIndex.europe),
  account_yen: accountIdOf(japan),
  account_disabled: accountIdOf(accountIndex.disabled),
  account_empty: accountIdOf(accountIndex.empty),
  account_unmanaged: accountIdOf(accountIndex.agency),
  account_hidden: accountIdOf(accountIndex.hidden),
  account_closed: accountIdOf(accountIndex.closed),
  campaign: idOf('campaign', main, 0),
  ad_set: idOf('adset', main, 0),
  ad_set_bid_1: idOf('adset', main, 0),
  ad_set_bid_2: idOf('adset', main, 1),
  ad_set_bid_null: idOf('adset', main, 2),
  ad: idOf('ad', main, 0),
  creative: idOf('creative', main, 0),
  video: idOf('video', main, 0),
  custom_conversion: idOf('conversion', main, 0),
  campaign_yen: idOf('campaign', japan, 0),
  ...tokenLandmarks,
} as const
