/** The account of a grant; also the check of a connector, because it requires no scope beyond `oauth`. */
import { arrayOf, entity, get, integer, nullable, optional, text } from '../../kit/connector.ts'

const accountOfGrant = get({
  description: 'Get the account that the credentials belong to.',
  path: '/account-info/v3/details',
  recordsAt: [],
  record: {
    portalId: nullable(integer('The number of the account, also called hub id.')),
    accountType: nullable(text('STANDARD, DEVELOPER_TEST, SANDBOX or APP_DEVELOPER.')),
    timeZone: nullable(text('The time zone of the account, by its IANA name.')),
    companyCurrency: nullable(text('The currency of the account, by its ISO 4217 code.')),
    additionalCurrencies: optional(arrayOf(text(), 'Other currencies in use.')),
    utcOffset: optional(text('The present offset from UTC.')),
    utcOffsetMilliseconds: optional(integer('The same in milliseconds.')),
    uiDomain: nullable(text('The domain of the account’s pages.')),
    dataHostingLocation: nullable(text('The region with the data, for example na1 or eu1.')),
  },
  scopes: ['oauth'],
})

export const account = entity({ description: 'The account that the credentials belong to.', get: accountOfGrant })
