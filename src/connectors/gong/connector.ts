/** The call-analytics connector: Gong's public API v2 (help.gong.io/apidocs). */
import { authMethod, connector, grantMethod, secret, text } from '../../kit/connector.ts'
import { statsActivityAggregate, statsActivityDayByDay, statsInteraction } from './activity.ts'
import { statsActivityScorecards } from './answered-scorecards.ts'
import { calls, callsExtensive } from './calls.ts'
import { coaching } from './coaching.ts'
import { readRefusal } from './errors.ts'
import { examples } from './examples.ts'
import { libraryFolderContent, libraryFolders } from './library.ts'
import { callAudio, callVideo } from './recordings.ts'
import { settingsScorecards, settingsTrackers } from './settings.ts'
import { callTranscripts } from './transcripts.ts'
import { users, workspaces } from './users.ts'

export const gong = connector({
  kind: 'gong',
  definitionId: '32382e40-3b49-4b99-9c5c-4076501914e7',
  title: 'Gong',
  // Answers for companies of any region; grants work only at the address that comes with their token.
  baseUrl: 'https://api.gong.io',
  authMethods: [
    grantMethod({
      refreshToken: 'The refresh token of the company’s grant; every renewal replaces it.',
      // Gong help, "Create an OAuth app for Gong".
      tokens: {
        tokenAddress: {
          url: 'https://app.gong.io/oauth2/generate-customer-token',
          relativeToBase: 'oauth2/generate-customer-token',
        },
        clientAuthentication: 'basic',
      },
      customerAddress: 'api_base_url_for_customer',
      consent: {
        consentAddress: { url: 'https://app.gong.io/oauth2/authorize', relativeToBase: 'oauth2/authorize' },
        scopes: [
          'api:users:read',
          'api:calls:read:basic',
          'api:calls:read:extensive',
          'api:calls:read:media-url',
          'api:calls:read:transcript',
          'api:workspaces:read',
          'api:stats:user-actions',
          'api:stats:user-actions:detailed',
          'api:stats:interaction',
          'api:stats:scorecards',
          'api:settings:scorecards:read',
          'api:settings:trackers:read',
          'api:library:read',
          'api:coaching:read',
        ],
        scopeSeparator: ' ',
        pkce: false,
      },
    }),
    authMethod({
      name: 'access_key',
      title: 'Access key',
      credentials: {
        access_key: text('An access key that a technical administrator of Gong created.', { minLength: 1 }),
        access_key_secret: secret('The secret of that key.'),
      },
      authorization: { style: 'basic', user: 'access_key', password: 'access_key_secret' },
    }),
  ],
  replicationConfig: null,
  check: { entity: 'workspaces', action: 'list', params: {} },
  rawReads: { get: ['/v2/**'] },
  readRefusal,
  // Three calls a second and 10,000 a day for a whole company (Gong reference, introduction). The second is a little
  // longer here, because calls do not arrive as evenly as they are sent.
  limits: [
    { calls: 3, seconds: 1.2, reserve: 1 / 3 },
    { calls: 10_000, seconds: 86_400, reserve: 0.3 },
  ],
  examples,
  entities: {
    users,
    calls,
    calls_extensive: callsExtensive,
    call_audio: callAudio,
    call_video: callVideo,
    workspaces,
    call_transcripts: callTranscripts,
    stats_activity_aggregate: statsActivityAggregate,
    stats_activity_day_by_day: statsActivityDayByDay,
    stats_interaction: statsInteraction,
    settings_scorecards: settingsScorecards,
    settings_trackers: settingsTrackers,
    library_folders: libraryFolders,
    library_folder_content: libraryFolderContent,
    coaching,
    stats_activity_scorecards: statsActivityScorecards,
  },
})
