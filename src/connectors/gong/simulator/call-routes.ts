/** The lists of calls, one call, and transcripts. */

import { minute } from './calendar.ts'
import type { CallFacts } from './calls.ts'
import { contentSelector } from './content-selector.ts'
import { indexOf } from './ids.ts'
import { id, ids, type Json, object, type Period, period } from './inputs.ts'
import { mediaOf } from './media-host.ts'
import type { Row } from './pages.ts'
import { messages, refuse } from './replies.ts'
import { pageOf, type RequestContext, span } from './request-context.ts'

export function listCalls(context: RequestContext): object {
  const { company, query, now } = context
  const asked = {
    fromDateTime: query.get('fromDateTime'),
    toDateTime: query.get('toDateTime'),
    workspaceId: query.get('workspaceId'),
  }
  const within = period(asked, '')
  // Web conferences count by their scheduled time, all others by their start, so this looks a little further.
  const wider = { from: within.from - 20 * minute, to: within.to + 20 * minute }
  const row: Row<CallFacts> = {
    ...span(context, wider),
    match(index) {
      const call = company.calls.facts(index)
      const counts = call.scheduled ?? call.started
      const fits = counts >= within.from && counts < within.to && inWorkspace(call, asked.workspaceId)
      return fits && company.calls.isVisible(call, now) ? call : null
    },
  }
  const { found, records } = pageOf(context, row, asked, query.get('cursor'))
  if (found.length === 0) refuse(404, messages.noCalls)
  return { records, calls: found.map((call) => company.calls.metaData(call)) }
}

export function getCall({ company, id: given, now }: RequestContext): object {
  const call = company.calls.find(id(given))
  if (call === undefined || !company.calls.isVisible(call, now)) return refuse(404, `Call ID ${given} was not found`)
  return { call: company.calls.metaData(call) }
}

export function listExtensive(context: RequestContext): object {
  const { company, body, now } = context
  const filter = object(body.filter, 'filter')
  const selector = contentSelector(body.contentSelector)
  const media = selector.exposedFields?.media === true
  if (media) context.need('api:calls:read:media-url')
  const row = filtered(context, filter, (call) => call.detailsAvailable <= now)
  const { found, records } = pageOf(context, row, { filter, selector }, body.cursor)
  if (found.length === 0) refuse(404, messages.noCalls)
  return {
    records,
    calls: found.map((call) => ({
      metaData: company.calls.metaData(call),
      ...company.contents.blocks(call, selector),
      ...(media ? { media: mediaOf(call, context.filesOrigin, now, company.state.settings.mediaSeconds) } : {}),
    })),
  }
}

export function listTranscripts(context: RequestContext): object {
  const { company, body } = context
  const filter = object(body.filter, 'filter')
  const row = filtered(context, filter, (call) => call.hasMedia)
  const { found, records } = pageOf(context, row, { filter }, body.cursor)
  if (found.length === 0) refuse(404, messages.noCalls)
  return { records, callTranscripts: found.map((call) => company.transcript(call, company.contents.speakers(call))) }
}

/** Calls that match the filter of both POST lists: dates, ids and workspace. */
function filtered(context: RequestContext, filter: Json, also: (call: CallFacts) => boolean): Row<CallFacts> {
  const { calls } = context.company
  const within = period(filter, 'filter.')
  const callIds = ids(filter.callIds, 'filter.callIds')
  const workspace = filter.workspaceId === undefined ? undefined : id(filter.workspaceId)
  const hosts = ids(filter.primaryUserIds, 'filter.primaryUserIds')
  const fits = (call: CallFacts) =>
    call.started >= within.from &&
    call.started < within.to &&
    inWorkspace(call, workspace) &&
    (hosts === null || hosts.has(String(calls.metaData(call).primaryUserId))) &&
    calls.isVisible(call, context.now) &&
    also(call)
  if (callIds === null) return rowBetween(context, within, fits)
  const named = [...callIds].flatMap((one) => calls.find(one) ?? []).sort((a, b) => a.index - b.index)
  return {
    first: 0,
    end: named.length,
    match: (index) => (fits(named[index]!) ? named[index]! : null),
  }
}

const rowBetween = (context: RequestContext, within: Period, fits: (call: CallFacts) => boolean): Row<CallFacts> => ({
  ...span(context, within),
  match(index) {
    const call = context.company.calls.facts(index)
    return fits(call) ? call : null
  },
})

const inWorkspace = (call: CallFacts, workspace: string | undefined): boolean =>
  workspace === undefined || indexOf('workspace', workspace) === call.workspace
