/** The account of a grant: the check of a connector. */
import { get, nullable, text } from '../../kit/connector.ts'

/** Requires no scope beyond `oauth`, which every grant has. */
export const account = get({
  description: 'The account that the grant belongs to.',
  path: '/account-info/v3/details',
  recordsAt: [],
  record: {
    accountType: nullable(text()),
    timeZone: nullable(text()),
    companyCurrency: nullable(text()),
    uiDomain: nullable(text()),
    dataHostingLocation: nullable(text()),
  },
})
