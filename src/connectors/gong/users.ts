/** Users and workspaces of the company. */
import {
  arrayOf,
  boolean,
  entity,
  get,
  id,
  identifiedBy,
  list,
  nullable,
  partialOf,
  searchableFields,
  text,
} from '../../kit/connector.ts'
import { gongId, isObject, pages, tidy } from './fields.ts'

const user = {
  id: id(),
  emailAddress: text(),
  created: text(),
  active: boolean('Deactivated users stay in the list.'),
  emailAliases: arrayOf(text()),
  trustedEmailAddress: nullable(text()),
  firstName: text(),
  lastName: text(),
  title: nullable(text()),
  phoneNumber: nullable(text()),
  extension: nullable(text()),
  personalMeetingUrls: arrayOf(text()),
  settings: partialOf(
    {
      webConferencesRecorded: boolean(),
      preventWebConferenceRecording: boolean('Whether their invitation keeps a conference from being recorded.'),
      telephonyCallsImported: boolean(),
      emailsImported: boolean(),
      preventEmailImport: boolean(),
      nonRecordedMeetingsImported: boolean(),
      gongConnectEnabled: boolean(),
    },
    'What Gong records and imports for the user.',
  ),
  managerId: nullable(text()),
  meetingConsentPageUrl: nullable(text()),
  spokenLanguages: arrayOf(
    partialOf({ language: text('A BCP 47 tag.'), primary: boolean('true for one language of the user.') }),
    'Each with language and primary.',
  ),
} as const

const shared = { record: user, reshape: tidy(user), scopes: ['api:users:read'] } as const

const listUsers = list({
  ...shared,
  description: 'List the users of the company.',
  path: '/v2/users',
  recordsAt: ['users'],
  paging: pages,
})

const getUser = get({
  ...shared,
  description: 'Get one user.',
  path: '/v2/users/{id}',
  params: { id: gongId('The user.') },
  recordsAt: ['user'],
})

export const users = entity({
  description: 'Users of the company.',
  list: listUsers,
  get: getUser,
  searchable: searchableFields(user, [
    'active',
    'created',
    'emailAddress',
    'emailAliases',
    'extension',
    'firstName',
    'id',
    'lastName',
    'managerId',
    'meetingConsentPageUrl',
    'personalMeetingUrls',
    'phoneNumber',
    'settings',
    'spokenLanguages',
    'title',
    'trustedEmailAddress',
  ]),
  sync: {
    listings: [{ list: listUsers }],
    identity: identifiedBy('id'),
    confirm: { get: getUser, param: 'id', field: 'id' },
  },
})

const workspace = { id: id(), workspaceId: text(), name: text(), description: text() } as const

export const workspaces = entity({
  description: 'Workspaces of the company.',
  list: list({
    description: 'List the workspaces of the company.',
    path: '/v2/workspaces',
    recordsAt: ['workspaces'],
    record: workspace,
    // Gong sends the id once; records have it under both names.
    reshape: (records) =>
      tidy(workspace)(records.map((record) => (isObject(record) ? { workspaceId: record.id, ...record } : record))),
    scopes: ['api:workspaces:read'],
  }),
})
