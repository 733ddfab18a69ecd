/** The fields of ad accounts, and those of their reader. */
import type { Account } from './accounts.ts'
import { empty, type FieldTable } from './field-table.ts'
import { accountTime, anchor, day } from './times.ts'
import { unsetAccountFields, unsetUserFields } from './unset-fields.ts'

export const business = { id: '402177316530812', name: 'Northpass Outfitters Inc.' }
export const user = { id: '10223344556677889', name: 'Mara Lindqvist' }

/** The account exists before everything else. */
const createdAt = (account: Account): number => anchor - 1_400 * day - account.index * 3 * day

const minor = (account: Account, amount: number): string =>
  String(account.decimals === 2 ? amount : Math.round(amount / 100))

const isDisabled = (account: Account): boolean => account.status === 2

export const accountFields: FieldTable<Account> = {
  ...unsetAccountFields,
  id: (account) => `act_${account.id}`,
  account_id: (account) => account.id,
  name: (account, world) => world.changesOf(account).name ?? account.name,
  account_status: (account) => account.status,
  age: (account) => Number(((anchor - createdAt(account)) / day + 0.6937847222).toFixed(10)),
  amount_spent: (account) => minor(account, account.counts.ad * 48_231),
  balance: (account) => minor(account, account.counts.ad === 0 ? 0 : 12_507),
  business: (account) => (account.sight === 'unmanaged' ? undefined : business),
  business_city: (account) => (account.timezone.hours === -8 ? 'Boulder' : ''),
  business_country_code: (account) => ({ USD: 'US', EUR: 'DE', JPY: 'JP' })[account.currency],
  business_name: () => 'Northpass Outfitters',
  business_state: (account) => (account.timezone.hours === -8 ? 'CO' : undefined),
  business_street: (account) => (account.timezone.hours === -8 ? '1200 Pearl St' : ''),
  business_street2: () => '',
  business_zip: (account) => (account.timezone.hours === -8 ? '80302' : ''),
  created_time: (account) => accountTime(createdAt(account), account),
  currency: (account) => account.currency,
  disable_reason: (account) => (isDisabled(account) ? 3 : 0),
  end_advertiser: () => business.id,
  end_advertiser_name: () => business.name,
  funding_source: (account) => (isDisabled(account) ? undefined : String(6_012_345_678_901 + account.index)),
  funding_source_details: (account) =>
    isDisabled(account)
      ? undefined
      : { id: String(6_012_345_678_901 + account.index), display_string: 'Visa *4242', type: 1 },
  has_migrated_permissions: () => true,
  is_personal: () => 0,
  is_prepay_account: () => false,
  is_tax_id_required: (account) => account.currency === 'EUR',
  min_campaign_group_spend_cap: (account) => minor(account, 10_000),
  min_daily_budget: (account) => (account.decimals === 2 ? 100 : 155),
  owner: () => business.id,
  spend_cap: (account) => (account.index === 1 ? '2500000' : '0'),
  timezone_id: (account) => account.timezone.id,
  timezone_name: (account) => account.timezone.name,
  timezone_offset_hours_utc: (account) => account.timezone.hours,
  agency_client_declaration: empty,
  attribution_spec: empty,
  capabilities: () => ['CAN_USE_REACH_AND_FREQUENCY'],
  io_number: empty,
  line_numbers: empty,
  media_agency: () => 'UNFOUND',
  offsite_pixels_tos_accepted: () => true,
  owner_business: (account) => (account.sight === 'unmanaged' ? undefined : business),
  partner: () => 'UNFOUND',
  tax_id: empty,
  tax_id_status: () => 0,
  tos_accepted: () => ({ web_custom_audience_tos: 1 }),
  user_tasks: (account) => (account.sight === 'unmanaged' ? ['ANALYZE'] : ['DRAFT', 'ANALYZE', 'ADVERTISE', 'MANAGE']),
}

export const userFields: FieldTable<typeof user> = {
  ...unsetUserFields,
  id: () => user.id,
  name: () => user.name,
  first_name: () => 'Mara',
  last_name: () => 'Lindqvist',
  short_name: () => 'Mara',
  email: empty,
  link: empty,
}
