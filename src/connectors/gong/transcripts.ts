/** Transcripts of calls. */
import {
  arrayOf,
  closedObjectOf,
  dateTime,
  entity,
  id,
  integer,
  list,
  nullable,
  optional,
  partialOf,
  plainText,
  type Reader,
  rule,
  text,
} from '../../kit/connector.ts'
import { noneFound } from './errors.ts'
import { filterOf, gongId, inOrder, isObject, noEmptyLists, pages, tidy } from './fields.ts'
import { isOpen, readMetaData } from './private-calls.ts'

const transcript = {
  callId: id(),
  transcript: arrayOf(
    partialOf({
      speakerId: nullable(text('As in parties of extensive calls.')),
      topic: nullable(text()),
      sentences: arrayOf(
        partialOf({
          start: integer('Milliseconds from the start of the call.'),
          end: integer('Milliseconds from the start of the call.'),
          text: text(),
        }),
      ),
    }),
    'Each with speakerId, topic and sentences; their start and end are in milliseconds.',
  ),
} as const

export const callTranscripts = entity({
  description: 'The transcripts of calls, sentence by sentence.',
  list: list({
    description: 'List the transcripts of a period or of certain calls.',
    method: 'POST',
    path: '/v2/calls/transcript',
    params: {
      filter: optional(
        closedObjectOf(
          {
            fromDateTime: optional(dateTime('Only calls that started at or after this time.')),
            toDateTime: optional(dateTime('Only calls that started before this time.')),
            callIds: optional(arrayOf(gongId(), 'Only these calls.')),
          },
          'The calls: by period, by id, or both.',
        ),
      ),
    },
    rules: [
      noEmptyLists,
      rule(
        'Give filter.callIds, or both filter.fromDateTime and filter.toDateTime; the dates are optional only with callIds.',
        (params) => {
          const { callIds, fromDateTime, toDateTime } = filterOf(params)
          return callIds !== undefined || (fromDateTime !== undefined && toDateTime !== undefined) ? null : ['filter']
        },
      ),
      inOrder('fromDateTime', 'toDateTime', filterOf, ['filter']),
    ],
    recordsAt: ['callTranscripts'],
    record: transcript,
    reshape: async (records, reader) => tidy(transcript)(await withoutPrivate(records, reader)),
    paging: pages,
    readRefusal: noneFound('callTranscripts', 'calls'),
    scopes: ['api:calls:read:transcript'],
  }),
})

/**
 * A transcript does not say whether its call is private, so Conex reads the calls; transcripts of unreadable calls
 * stay hidden.
 */
async function withoutPrivate(records: readonly unknown[], reader: Reader): Promise<readonly unknown[]> {
  if (reader.privateRecords || records.length === 0) return records
  const idOf = (record: unknown): string => (isObject(record) ? plainText(record.callId) : '')
  const calls = await readMetaData(records.map(idOf), reader)
  return records.filter((record) => isOpen(calls, idOf(record)))
}
