/** The lists of calls, one call, and transcripts. */
import { type Ask, param, type Rows } from '../../../kit/simulator.ts'
import { minute } from './calendar.ts'
import type { CallFacts } from './calls.ts'
import { byIndex, type Caller, filter as filterBy, list, metaData, paged, route } from './declare.ts'
import { mediaOf } from './media-host.ts'
import { contentSelector, id, idIn, ids, inOrder, time } from './params.ts'
import { noCalls, refuse, scopeMissing } from './replies.ts'
import type { World } from './world.ts'

const filter = param.required(
  param.object({ fromDateTime: time, toDateTime: time, callIds: ids, workspaceId: id, primaryUserIds: ids }),
)

type Asked = Ask<World, Caller, { filter: NonNullable<ReturnType<(typeof filter)['read']>> }>

export const mediaScope = 'api:calls:read:media-url'

/** The lists that take a filter in their body: by the start of calls, their ids, workspace and hosts. */
const filtered = {
  method: 'POST',
  rows({ world: { calls }, args, now }: Asked): Rows<CallFacts> {
    const { fromDateTime, toDateTime, callIds } = args.filter
    inOrder(args.filter, 'fromDateTime', 'toDateTime', 'filter.')
    if (callIds === undefined) return calls.between(now, fromDateTime, toDateTime)
    const named = [...new Set(callIds)].flatMap((one) => calls.find(one) ?? [])
    return named.sort((a, b) => a.index - b.index)
  },
  visible(call: CallFacts, { world, args, now }: Asked): boolean {
    const { fromDateTime = 0, toDateTime = Number.POSITIVE_INFINITY, workspaceId, primaryUserIds } = args.filter
    return (
      call.started >= fromDateTime &&
      call.started < toDateTime &&
      (workspaceId === undefined || call.workspaceId === workspaceId) &&
      (primaryUserIds === undefined || primaryUserIds.includes(call.host.record.id)) &&
      world.calls.isVisible(call, now)
    )
  },
  pages: byIndex<CallFacts>(),
}

export const callRoutes = [
  list({
    path: '/calls',
    scopes: ['api:calls:read:basic'],
    rows({ world, args, now }) {
      inOrder(args, 'fromDateTime', 'toDateTime')
      // Web conferences count by their scheduled time, all others by their start, so this looks a little further.
      const [from, to] = [args.fromDateTime ?? 0, args.toDateTime ?? now]
      return world.calls.between(now, from - 20 * minute, to + 20 * minute)
    },
    filters: {
      fromDateTime: filterBy(time, ({ scheduled, started }: CallFacts, from) => (scheduled ?? started) >= from),
      toDateTime: filterBy(time, ({ scheduled, started }: CallFacts, to) => (scheduled ?? started) < to),
      workspaceId: filterBy(id, ({ workspaceId }: CallFacts, wanted) => workspaceId === wanted),
    },
    visible: (call, { world, now }) => world.calls.isVisible(call, now),
    pages: byIndex<CallFacts>(),
    show: (call: CallFacts, { world }) => metaData(world, call),
    body: paged('calls', noCalls),
  }),
  route({
    path: '/calls/{id}',
    scopes: ['api:calls:read:basic'],
    answer({ world, path, now }) {
      const call = world.calls.find(idIn(path))
      if (call === undefined || !world.calls.isVisible(call, now))
        return refuse(404, `Call ID ${path.id} was not found`)
      return { call: metaData(world, call) }
    },
  }),
  list({
    ...filtered,
    path: '/calls/extensive',
    scopes: ['api:calls:read:extensive'],
    params: { filter, contentSelector },
    rows(ask) {
      const { context, contextTiming, exposedFields } = ask.args.contentSelector ?? {}
      if (contextTiming !== undefined && context !== 'Extended')
        refuse(400, 'contentSelector.contextTiming: only with an Extended context')
      if (exposedFields?.media === true && !ask.caller.scopes.includes(mediaScope))
        refuse(401, scopeMissing(mediaScope))
      return filtered.rows(ask)
    },
    visible: (call, ask) => filtered.visible(call, ask) && call.detailsAvailable <= ask.now,
    show: (call: CallFacts, { world, args: { contentSelector: selector = {} }, now }) => ({
      metaData: metaData(world, call),
      ...world.contents.blocks(call, selector, world.edits.get(call.id)?.brief),
      ...(selector.exposedFields?.media === true && { media: mediaOf(call, world, now) }),
    }),
    body: paged('calls', noCalls),
  }),
  list({
    ...filtered,
    path: '/calls/transcript',
    scopes: ['api:calls:read:transcript'],
    params: { filter },
    visible: (call, ask) => filtered.visible(call, ask) && call.hasMedia,
    show: (call: CallFacts, { world }) => world.contents.transcript(call),
    body: paged('callTranscripts', noCalls),
  }),
]
