/** The advertising connector: Meta's Marketing API, reading only (developers.facebook.com/docs/marketing-api). */
import { applicationOf, authMethod, connector, secret } from '../../kit/connector.ts'
import { adAccount, adAccounts, currentUser } from './accounts.ts'
import { adCreatives } from './ad-creatives.ts'
import { adSets } from './ad-sets.ts'
import { ads } from './ads.ts'
import { adsInsights } from './ads-insights.ts'
import { campaigns } from './campaigns.ts'
import { customConversions } from './custom-conversions.ts'
import { readRefusal } from './errors.ts'
import { examples } from './examples.ts'
import { images } from './images.ts'
import { fullAccess, readUsage } from './usage.ts'
import { version, versionNotice } from './version.ts'
import { videos } from './videos.ts'

/** By name, so that a published declaration refers to what it would otherwise have to repeat. */
export type Entities = {
  readonly current_user: typeof currentUser
  readonly ad_accounts: typeof adAccounts
  readonly campaigns: typeof campaigns
  readonly ad_sets: typeof adSets
  readonly ads: typeof ads
  readonly ad_creatives: typeof adCreatives
  readonly ads_insights: typeof adsInsights
  readonly ad_account: typeof adAccount
  readonly custom_conversions: typeof customConversions
  readonly images: typeof images
  readonly videos: typeof videos
}

const entities: Entities = {
  current_user: currentUser,
  ad_accounts: adAccounts,
  campaigns,
  ad_sets: adSets,
  ads,
  ad_creatives: adCreatives,
  ads_insights: adsInsights,
  ad_account: adAccount,
  custom_conversions: customConversions,
  images,
  videos,
}

export const facebookMarketing = connector({
  kind: 'facebook-marketing',
  definitionId: 'e7778cfc-e97c-4458-9ecb-b4f2bba8946c',
  title: 'Facebook Marketing',
  baseUrl: `https://graph.facebook.com/${version}`,
  authMethods: [
    authMethod({
      name: 'oauth',
      title: 'OAuth 2.0',
      credentials: {
        access_token: secret('The token of a user or a system user.'),
        ...applicationOf({
          id: 'The application that the token belongs to.',
          secret: 'The secret of that application; Conex then signs each request with it.',
        }),
      },
      // "Securing Graph API requests": applications may require the proof, and all accept it.
      authorization: { style: 'bearer', token: 'access_token', proof: 'appsecret_proof' },
      consent: {
        consentAddress: { url: `https://www.facebook.com/${version}/dialog/oauth`, relativeToBase: 'dialog/oauth' },
        tokenAddress: {
          url: `https://graph.facebook.com/${version}/oauth/access_token`,
          relativeToBase: 'oauth/access_token',
        },
        clientAuthentication: 'body',
        refusals: {
          codesAt: [
            ['error', 'error_subcode'],
            ['error', 'code'],
          ],
          // Throttling and outages; wrong secrets and applications ("Handling errors").
          passing: ['2', '4', '17', '341'],
          application: ['1', '101', '191'],
        },
        scopes: ['ads_read', 'business_management'],
        scopeSeparator: ',',
        pkce: false,
        // A token for a code is valid for an hour or two. Meta exchanges it for one of 60 days ("Long-lived tokens").
        exchange: {
          grantType: 'fb_exchange_token',
          token: 'fb_exchange_token',
          seconds: 60 * 86_400,
          aheadSeconds: 10 * 86_400,
        },
      },
    }),
    authMethod({
      name: 'token',
      title: 'System user token',
      credentials: { account_key: secret('A long-lived token of a system user.') },
      authorization: { style: 'bearer', token: 'account_key' },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'current_user', action: 'get', params: {} },
  // Graph takes credentials, and by some accounts the method and a batch of requests, from the query of a GET.
  rawReads: { get: ['/**'], refusedQuery: ['method', 'batch', 'access_token', 'appsecret_proof'] },
  readRefusal,
  // "Rate limits": the calls of full access for an ad account without active ads. The answers report the share in
  // use.
  limits: [{ calls: fullAccess, seconds: 3600, reserve: 0.15 }],
  usage: readUsage,
  notice: versionNotice,
  examples,
  entities,
})
