/**
 * The CRM connector: HubSpot's APIs (developers.hubspot.com), version 3, and version 4 for associations. Versions by date
 * exist beside them, with the same answers.
 */
import { connector, grantMethod, type TokenEndpoint } from '../../kit/connector.ts'
import { account } from './account.ts'
import { associationLabels, associations } from './associations.ts'
import * as crm from './crm-entities.ts'
import { readRefusal } from './errors.ts'
import { examples } from './examples.ts'
import { files } from './files.ts'
import { listMemberships, lists } from './lists.ts'
import { owners } from './owners.ts'
import { pipelineStages, pipelines } from './pipelines.ts'
import { properties, propertyGroups } from './properties.ts'
import { schemas } from './schemas.ts'
import { usage } from './usage.ts'

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
            'crm.objects.line_items.read',
            'crm.objects.products.read',
            'crm.objects.goals.read',
            'crm.objects.feedback_submissions.read',
            'crm.objects.invoices.read',
            'crm.objects.orders.read',
            'crm.objects.carts.read',
            'crm.objects.subscriptions.read',
            'crm.objects.commercepayments.read',
            'crm.objects.users.read',
            'sales-email-read',
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
  check: { entity: 'account', action: 'get', params: {} },
  // Tokens, too, are shown by reading; a GET of one names it in its path (OAuth reference), so that part is left out.
  rawReads: {
    get: [
      '/account-info/**',
      '/automation/**',
      '/cms/**',
      '/communication-preferences/**',
      '/conversations/**',
      '/crm/**',
      '/crm-object-schemas/**',
      '/files/**',
      '/forms/**',
      '/marketing/**',
      '/settings/**',
    ],
    post: ['/crm/v3/objects/*/search', '/crm/v3/objects/*/batch/read', '/crm/v4/associations/*/*/batch/read'],
  },
  readRefusal,
  // "Usage guidelines": for each account and application 110 calls in ten seconds, without searches, of which an account
  // may make 5 a second, by whatever application. The calls of a day belong to the account too; only its plan says how
  // many they are, and no answer names it.
  limits: [
    { calls: 110, seconds: 10, reserve: 0.2 },
    { calls: 1_000_000, seconds: 86_400, reserve: 0.2, smallestPlan: 250_000 },
    { calls: 4, seconds: 1, reserve: 0.25, only: { name: 'search', path: /^\/crm\/v3\/objects\/[^/]+\/search$/ } },
  ],
  atOnce: 10,
  usage,
  examples,
  entities: {
    contacts: crm.contacts,
    contact_search: crm.contactSearch,
    companies: crm.companies,
    company_search: crm.companySearch,
    deals: crm.deals,
    deal_search: crm.dealSearch,
    tickets: crm.tickets,
    ticket_search: crm.ticketSearch,
    schemas,
    objects: crm.objects,
    object_search: crm.objectSearch,
    line_items: crm.lineItems,
    products: crm.products,
    quotes: crm.quotes,
    leads: crm.leads,
    calls: crm.calls,
    emails: crm.emails,
    meetings: crm.meetings,
    notes: crm.notes,
    tasks: crm.tasks,
    communications: crm.communications,
    postal_mail: crm.postalMail,
    goal_targets: crm.goalTargets,
    feedback_submissions: crm.feedbackSubmissions,
    invoices: crm.invoices,
    orders: crm.orders,
    carts: crm.carts,
    subscriptions: crm.subscriptions,
    commerce_payments: crm.commercePayments,
    crm_users: crm.crmUsers,
    owners,
    pipelines,
    pipeline_stages: pipelineStages,
    properties,
    property_groups: propertyGroups,
    associations,
    association_labels: associationLabels,
    lists,
    list_memberships: listMemberships,
    account,
    files,
  },
})
