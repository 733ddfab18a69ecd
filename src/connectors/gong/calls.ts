/** Calls: only their metadata, or everything that Gong found in them. */
import {
  arrayOf,
  boolean,
  closedObjectOf,
  dateTime,
  days,
  entity,
  get,
  id,
  identifiedBy,
  integer,
  list,
  nullable,
  objectOf,
  optional,
  type Reader,
  searchableFields,
  text,
  withOptional,
} from '../../kit/connector.ts'
import { collaboration, content, context, interaction, media, parties } from './call-blocks.ts'
import { blocksOf, contentSelector, contextTimingRule, withTrackers } from './content-selector.ts'
import { noneFound } from './errors.ts'
import { extensiveStream } from './extensive-stream.ts'
import { filterOf, gongId, inOrder, noEmptyLists, pages, tidy } from './fields.ts'
import { metaDataOf, showable } from './private-calls.ts'
import { monthly, ofCalls } from './windows.ts'

const call = {
  id: id(),
  url: text(),
  title: text(),
  // Null for calls by telephone, which have neither.
  scheduled: nullable(text()),
  started: text(),
  duration: integer('Seconds.'),
  primaryUserId: text(),
  direction: text('Inbound, Outbound, Conference or Unknown.'),
  system: text('The system of the call, for example Zoom.'),
  scope: text('Internal, External or Unknown.'),
  media: text('Video or Audio.'),
  language: text('An ISO 639-2/B code.'),
  workspaceId: text(),
  sdrDisposition: nullable(text()),
  clientUniqueId: nullable(text()),
  customData: nullable(text()),
  purpose: nullable(text()),
  meetingUrl: nullable(text()),
  isPrivate: boolean(),
  calendarEventId: nullable(text()),
} as const

const shared = {
  record: call,
  reshape: (records: readonly unknown[], reader: Reader) => tidy(call)(showable(records, reader)),
  scopes: ['api:calls:read:basic'],
} as const

const listCalls = list({
  ...shared,
  description: 'List the calls of a period, or all of them.',
  path: '/v2/calls',
  params: {
    fromDateTime: optional(dateTime('Only calls at or after this time.')),
    toDateTime: optional(dateTime('Only calls before this time.')),
  },
  rules: [inOrder('fromDateTime', 'toDateTime', (params) => params, ['fromDateTime', 'toDateTime'])],
  recordsAt: ['calls'],
  paging: pages,
  readRefusal: noneFound('calls', 'calls'),
})

const getCall = get({
  ...shared,
  description: 'Get one call.',
  path: '/v2/calls/{id}',
  params: { id: gongId('The call.') },
  recordsAt: ['call'],
})

export const calls = entity({
  description: 'Calls with their time, length, people and system.',
  list: listCalls,
  get: getCall,
  searchable: searchableFields(call, [
    'calendarEventId',
    'clientUniqueId',
    'customData',
    'direction',
    'duration',
    'id',
    'isPrivate',
    'language',
    'media',
    'meetingUrl',
    'primaryUserId',
    'purpose',
    'scheduled',
    'scope',
    'sdrDisposition',
    'started',
    'system',
    'title',
    'url',
    'workspaceId',
  ]),
  sync: {
    listings: [{ list: listCalls, windows: monthly('started', ofCalls, (period) => period) }],
    identity: identifiedBy('id'),
    confirm: { get: getCall, param: 'id', field: 'id' },
    fullEvery: 7 * days,
  },
})

/** A block that the caller did not request is null, and so is one that Gong does not have. */
const extensive = withOptional(
  {
    metaData: objectOf(call, 'The fields of a record of calls.'),
    parties: nullable(parties),
    interaction: nullable(interaction),
    collaboration: nullable(collaboration),
    content: nullable(content),
    media: nullable(media),
  },
  { context },
)

const listExtensive = list({
  description: 'List calls with the contents that contentSelector asks for.',
  method: 'POST',
  path: '/v2/calls/extensive',
  params: {
    filter: closedObjectOf(
      {
        fromDateTime: optional(dateTime('Only calls that started at or after this time.')),
        toDateTime: optional(dateTime('Only calls that started before this time.')),
        callIds: optional(arrayOf(gongId(), 'Only these calls.')),
        workspaceId: optional(gongId('Only calls of this workspace.')),
      },
      'The calls; {} for all.',
    ),
    contentSelector: optional(contentSelector),
  },
  rules: [noEmptyLists, inOrder('fromDateTime', 'toDateTime', filterOf, ['filter']), contextTimingRule],
  choose: blocksOf,
  prepare: async (params) => withTrackers(params),
  recordsAt: ['calls'],
  record: extensive,
  reshape: (records, reader) => tidy(extensive)(showable(records, reader, metaDataOf)),
  paging: pages,
  readRefusal: noneFound('calls', 'calls'),
  scopes: ['api:calls:read:extensive', 'api:calls:read:media-url'],
})

export const callsExtensive = entity({
  description: 'Calls with their participants, contents, interaction and comments.',
  list: listExtensive,
  searchable: {
    collaboration: 'object',
    content: 'object',
    context: 'object',
    id: 'integer',
    interaction: 'object',
    media: 'object',
    metaData: 'object',
    parties: 'array',
    startdatetime: 'string',
  },
  indexed: ['metaData.duration', 'metaData.primaryUserId'],
  sync: extensiveStream(listExtensive),
})
