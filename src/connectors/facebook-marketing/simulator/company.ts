/** The advertising company, its person, and the records of its ad accounts. */
import type { Account } from './accounts.ts'
import type { FieldsOf } from './record.ts'
import { accountTime, anchor, day } from './times.ts'

export const business = { id: '402177316530812', name: 'Northpass Outfitters Inc.' }
export const pageId = '108234567890123'
export const pixelId = '1029384756473829'

export const user = { kind: 'user', id: '10223344556677889', name: 'Mara Lindqvist' } as const

export const userRecord: FieldsOf<typeof user> = ({ id, name }) => ({
  id,
  name,
  first_name: 'Mara',
  last_name: 'Lindqvist',
  short_name: 'Mara',
})

export const accountRecord: FieldsOf<Account> = (account) => {
  const isManaged = account.sight !== 'unmanaged'
  const isAmerican = account.timezone.hours === -8
  const fundingId = account.status === 2 ? undefined : String(6_012_345_678_901 + account.index)
  const minor = (amount: number) => String(account.decimals === 2 ? amount : Math.round(amount / 100))
  /** The account exists before everything else. */
  const createdAt = anchor - 1_400 * day - account.index * 3 * day
  return {
    id: `act_${account.id}`,
    account_id: account.id,
    name: account.name,
    account_status: account.status,
    age: Number(((anchor - createdAt) / day + 0.6937847222).toFixed(10)),
    amount_spent: minor(account.counts.ad * 48_231),
    balance: minor(account.counts.ad === 0 ? 0 : 12_507),
    business: isManaged ? business : undefined,
    business_city: isAmerican ? 'Boulder' : '',
    business_country_code: countries[account.currency],
    business_name: 'Northpass Outfitters',
    business_state: isAmerican ? 'CO' : undefined,
    business_street: isAmerican ? '1200 Pearl St' : '',
    business_street2: '',
    business_zip: isAmerican ? '80302' : '',
    created_time: accountTime(createdAt, account),
    currency: account.currency,
    disable_reason: account.status === 2 ? 3 : 0,
    end_advertiser: business.id,
    end_advertiser_name: business.name,
    funding_source: fundingId,
    funding_source_details: fundingId && { id: fundingId, display_string: 'Visa *4242', type: 1 },
    has_migrated_permissions: true,
    is_personal: 0,
    is_prepay_account: false,
    is_tax_id_required: account.currency === 'EUR',
    min_campaign_group_spend_cap: minor(10_000),
    min_daily_budget: account.decimals === 2 ? 100 : 155,
    owner: business.id,
    spend_cap: account.index === 1 ? '2500000' : '0',
    timezone_id: account.timezone.id,
    timezone_name: account.timezone.name,
    timezone_offset_hours_utc: account.timezone.hours,
    capabilities: ['CAN_USE_REACH_AND_FREQUENCY'],
    media_agency: 'UNFOUND',
    offsite_pixels_tos_accepted: true,
    owner_business: isManaged ? business : undefined,
    partner: 'UNFOUND',
    tax_id_status: 0,
    tos_accepted: { web_custom_audience_tos: 1 },
    user_tasks: isManaged ? ['DRAFT', 'ANALYZE', 'ADVERTISE', 'MANAGE'] : ['ANALYZE'],
  }
}

/** By currency. */
export const countries: Readonly<Record<string, string>> = { USD: 'US', EUR: 'DE', JPY: 'JP' }
