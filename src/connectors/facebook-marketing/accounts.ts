/** The user of the token, and the ad accounts that it gives access to. */
import {
  boolean,
  entity,
  get,
  id,
  integer,
  list,
  nullable,
  number,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { fundingSource, furtherAccount } from './account-fields.ts'
import { accountId, bareAccountId, closedFields, fields, pages, select } from './fields.ts'
import { asSent, onRequest } from './on-request.ts'
import { business } from './shapes.ts'
import { accountStream } from './streams.ts'
import { furtherUser } from './user-fields.ts'

const user = { id: id(), name: nullable(text()) } as const

export const currentUser = entity({
  description: 'The person or system user that the credentials belong to.',
  get: get({
    description: 'Get the user that the credentials belong to.',
    path: '/me',
    params: { fields },
    rules: [closedFields],
    select: select(user),
    recordsAt: [],
    record: { ...user, ...furtherUser },
  }),
})

/** An account's money is text in the smallest unit of its currency (Marketing API reference, "Ad Account"). */
const money = nullable(text('In the smallest unit of the account’s currency.'))

const listedAccount = {
  id: id('The account id with the prefix act_.'),
  account_id: nullable(text('Without the prefix.')),
  name: nullable(text()),
  account_status: nullable(
    integer('1 active, 2 disabled, 3 unsettled, 7 to 9 under review or in grace, 100 and up closed.'),
  ),
  age: nullable(number('Days.')),
  amount_spent: money,
  balance: money,
  business: nullable(business('The business that it belongs to.')),
  business_name: nullable(text()),
  created_time: nullable(text()),
  currency: nullable(text()),
  disable_reason: nullable(integer('0 if the account is not disabled.')),
  spend_cap: money,
  timezone_id: nullable(integer()),
  timezone_name: nullable(text()),
} as const

const addedInGet = {
  business_city: nullable(text('The city of the business.')),
  business_country_code: nullable(text('Two letters.')),
  business_state: nullable(text('The state or province, in short.')),
  business_street: nullable(text('The street of the business.')),
  business_street2: nullable(text('The second line of the street.')),
  business_zip: nullable(text('The postal code of the business.')),
  end_advertiser: nullable(text('The Page or app for which it advertises.')),
  end_advertiser_name: nullable(text('The name of that Page or app.')),
  funding_source: nullable(text('The id of the payment method; null if the account is disabled.')),
  funding_source_details: nullable(fundingSource('The payment method.')),
  has_migrated_permissions: nullable(boolean('Whether its permissions are those of today’s system.')),
  is_personal: nullable(integer('1 if it is for private purposes, which matters for taxes.')),
  is_prepay_account: nullable(boolean('Whether it pays in advance.')),
  is_tax_id_required: nullable(boolean('Whether it needs a tax number.')),
  min_campaign_group_spend_cap: nullable(text('The least that a campaign’s cap may be, in the smallest unit.')),
  min_daily_budget: nullable(integer('The least that a daily budget may be, in the smallest unit.')),
  owner: nullable(text('The id of the owner.')),
  timezone_offset_hours_utc: nullable(number('Hours from UTC.')),
} as const

const wholeAccount = { ...listedAccount, ...addedInGet } as const

const furtherInList = {
  ...onRequest(asSent(addedInGet)),
  ...furtherAccount,
}

/**
 * They require the task MANAGE or the permission business_management; without it, Meta refuses the whole request ("Ad
 * Account").
 */
const restricted = ['funding_source_details', 'is_prepay_account', 'owner', 'business']

const searchable = searchableFields(listedAccount, [
  'id',
  'account_id',
  'name',
  'balance',
  'currency',
  'amount_spent',
  'business_name',
  'created_time',
  'spend_cap',
  'timezone_name',
  'account_status',
])

export const adAccounts = entity({
  description: 'Ad accounts that the credentials give access to.',
  list: list({
    description: 'List the ad accounts that the credentials give access to.',
    path: '/me/adaccounts',
    params: { fields },
    rules: [closedFields],
    select: select(listedAccount, { restricted }),
    paging: pages,
    recordsAt: ['data'],
    record: { ...listedAccount, ...furtherInList },
    scopes: ['ads_read'],
  }),
  searchable,
  sync: accountStream(listedAccount, searchable, restricted),
})

export const adAccount = entity({
  description: 'One ad account with its business, address and funding.',
  get: get({
    description: 'Get one ad account.',
    path: '/act_{account_id}',
    params: { account_id: accountId, fields },
    rules: [closedFields],
    prepare: bareAccountId,
    select: select(wholeAccount, { restricted }),
    recordsAt: [],
    record: { ...wholeAccount, ...furtherAccount },
    scopes: ['ads_read'],
  }),
  searchable,
  sync: accountStream(listedAccount, searchable, restricted),
})
