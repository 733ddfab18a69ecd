/** How Conex fills the copy of extensive calls: Gong's findings in each call, as searchable fields. */
import {
  days,
  get,
  id,
  identifiedBy,
  integer,
  type ListOperation,
  list,
  nullable,
  object,
  type Stream,
  text,
} from '../../kit/connector.ts'
import { gongId, isObject } from './fields.ts'
import { metaDataOf, showable } from './private-calls.ts'
import { monthly, ofCalls } from './windows.ts'

/** Everything but the addresses of recordings, which are secrets, and the blocks that Gong no longer fills. */
const contentSelector = {
  context: 'Extended',
  exposedFields: {
    collaboration: { publicComments: true },
    content: {
      structure: true,
      topics: true,
      trackers: true,
      trackerOccurrences: true,
      brief: true,
      outline: true,
      highlights: true,
      callOutcome: true,
      keyPoints: true,
    },
    interaction: { personInteractionStats: true, questions: true, speakers: true, video: true },
    parties: true,
  },
}

/** The fields of a record in the copy besides the blocks of callers. */
const added = {
  callId: id(),
  id: integer(),
  startdatetime: nullable(text()),
  context: nullable(object()),
} as const

/** `live` is the list of callers; the copy's list reshapes the records differently. */
export function extensiveStream(live: ListOperation): Stream {
  const { reshape } = live
  const record = { ...live.record.properties, ...added }
  const shaped: NonNullable<ListOperation['reshape']> = async (records, context) =>
    ((await reshape?.(records, context)) ?? records).map(asSearched)
  const listing = list({
    ...live,
    params: live.params.properties as Record<string, never>,
    record,
    paging: live.paging,
    reshape: shaped,
  })
  const one = get({
    description: 'For the copy.',
    method: 'POST',
    path: '/v2/calls/extensive',
    params: { callId: gongId(), contentSelector: object() },
    // Gong returns one call as a list of one.
    send: { callId: { in: 'body', at: ['filter', 'callIds'], as: (callId) => [callId] } },
    prepare: async (params) => ({ ...params, contentSelector }),
    recordsAt: ['calls', '0'],
    record,
    reshape: async (records, context) => shaped(showable(records, context, metaDataOf), context),
  })
  return {
    listings: [
      {
        list: listing,
        params: { contentSelector },
        windows: monthly('startdatetime', ofCalls, (filter) => ({ filter })),
      },
    ],
    identity: identifiedBy('callId'),
    note: 'media is always null in the copy: addresses of recordings are secrets and expire after 8 hours. calls_extensive list returns new ones.',
    confirm: { get: one, param: 'callId', field: 'id' },
    fullEvery: 7 * days,
  }
}

function asSearched(call: unknown): unknown {
  if (!isObject(call)) return call
  const metaData = isObject(call.metaData) ? call.metaData : {}
  return {
    ...call,
    callId: metaData.id,
    id: metaData.id,
    startdatetime: metaData.started ?? metaData.scheduled,
    context: inOne(call.context),
    media: null,
  }
}

/** Gong lists the data of each connected system. Here it is one object, whose objects name their system. */
function inOne(context: unknown): unknown {
  if (!Array.isArray(context)) return isObject(context) ? context : null
  const systems = context.filter(isObject)
  if (systems.length === 0) return null
  const objects = systems.flatMap(({ system, objects: own }) =>
    Array.isArray(own) ? own.filter(isObject).map((one) => ({ ...one, system })) : [],
  )
  return { system: systems[0]!.system ?? null, objects }
}
