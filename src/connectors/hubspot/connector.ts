/**
 * The CRM connector: HubSpot's APIs (developers.hubspot.com). Its entities come later; callers can create and check
 * connectors.
 */
import { connector, grantMethod, type TokenEndpoint } from '../../kit/connector.ts'
import { account } from './account.ts'
import { readRefusal } from './errors.ts'

/** Version 1 of the token endpoints ends on 16 February 2027; the migration guide names this version. */
const version = '2026-03'

const tokens: TokenEndpoint = {
  tokenAddress: {
    url: `https://api.hubapi.com/oauth/${version}/token`,
    relativeToBase: `oauth/${version}/token`,
  },
  // Only in the body from version 3 on ("Manage OAuth tokens").
  clientAuthentication: 'body',
  // The older `status` comes beside the standard's code and says more: a dead refresh token is an invalid_request.
  refusals: {
    codesAt: [['status'], ['error']],
    passing: [423, 477],
    grant: ['BAD_REFRESH_TOKEN', 'BAD_AUTH_CODE', 'BAD_HUB', 'invalid_grant', 'access_denied'],
  },
}

export const hubspot = connector({
  kind: 'hubspot',
  definitionId: '36c891d9-4bd9-43ac-bad2-10e12756272c',
  title: 'HubSpot',
  baseUrl: 'https://api.hubapi.com',
  authMethods: [
    grantMethod({
      refreshToken: 'The refresh token of the account’s grant.',
      tokens,
      consent: {
        consentAddress: { url: 'https://app.hubspot.com/oauth/authorize', relativeToBase: 'oauth/authorize' },
        scopes: [
          'oauth',
          'crm.objects.contacts.read',
          'crm.objects.companies.read',
          'crm.objects.deals.read',
          'crm.objects.owners.read',
        ],
        scopeSeparator: ' ',
        // Scopes that not every plan can grant would stop the page as required ones.
        parameters: {
          optional_scope: [
            'crm.schemas.contacts.read',
            'crm.schemas.companies.read',
            'crm.schemas.deals.read',
            'crm.schemas.custom.read',
            'crm.objects.custom.read',
            'crm.lists.read',
            'crm.objects.leads.read',
            'crm.objects.quotes.read',
            'tickets',
            'files.read',
          ].join(' '),
        },
        pkce: false,
      },
      // Ends the refresh token; an existing access token lasts for its half hour ("Manage OAuth tokens").
      revocation: {
        address: {
          url: `https://api.hubapi.com/oauth/${version}/token/revoke`,
          relativeToBase: `oauth/${version}/token/revoke`,
        },
        token: 'refresh_token',
        tokenIn: 'form',
        application: true,
      },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'account', action: 'get', params: {}, operation: account },
  readRefusal,
  // "Usage guidelines": for each account and application, on any plan.
  limits: [{ calls: 110, seconds: 10, reserve: 0.2 }],
  entities: {},
})
