/** Transcripts of calls. */
import { entity } from '../../catalog/entity.ts'
import { arrayOf, closedObjectOf, dateTime, id, object, optional } from '../../catalog/fields.ts'
import { list } from '../../catalog/operation.ts'
import { rule } from '../../catalog/rules.ts'
import { noCalls } from './errors.ts'
import { filterOf, gongId, inOrder, noEmptyLists, pages, tidy } from './fields.ts'

const transcript = {
  callId: id(),
  transcript: arrayOf(object(), 'Each with speakerId, topic and sentences; their start and end are in milliseconds.'),
} as const

export const callTranscripts = entity({
  description: 'What was said in calls, sentence by sentence.',
  list: list({
    description: 'List the transcripts of a period or of certain calls.',
    method: 'POST',
    path: '/v2/calls/transcript',
    params: {
      filter: optional(
        closedObjectOf(
          {
            fromDateTime: optional(dateTime('Only calls that started at this time or later.')),
            toDateTime: optional(dateTime('Only calls that started before this time.')),
            callIds: optional(arrayOf(gongId(), 'Only these calls.')),
          },
          'Which calls: a period, certain calls, or both.',
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
    reshape: tidy(transcript),
    paging: pages,
    readRefusal: noCalls('callTranscripts'),
    scopes: ['api:calls:read:transcript'],
  }),
})
