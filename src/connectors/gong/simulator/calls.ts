/** The company's calls in the order of their start, each made from its index when it is read; time adds more. */
import { firstPlace, pick, seededRandom } from '../../../kit/simulator.ts'
import { dateTime, day, hour, minute, second, workday, workdayAt } from './calendar.ts'
import { idOf, indexOf } from './ids.ts'
import type { People } from './people.ts'
import { customers, subjects } from './vocabulary.ts'

export type Calls = ReturnType<typeof createCalls>

export type CallFacts = ReturnType<Calls['facts']>

/** How long the company has used the system. */
const historyDays = 400
const workdaysOfHistory = Math.round((historyDays * 5) / 7)
/** Calls start within ten hours, from eight on. */
const dayStart = 8 * hour
const dayLength = 10 * hour

const systems = {
  meeting: ['Zoom', 'Google Meet', 'Microsoft Teams', 'Webex'],
  telephone: ['Outreach', 'Salesloft', 'Aircall'],
  imported: ['Manual upload'],
} as const

/** `gone` has the ids of deleted calls. */
export function createCalls(seed: number, scale: number, people: People, gone: ReadonlySet<string>, begun: number) {
  const perDay = Math.max(1, Math.ceil(Math.max(scale, 300) / workdaysOfHistory))
  const slot = dayLength / perDay
  const jitter = seededRandom(seed, 'call start')
  const draw = seededRandom(seed, 'call')
  // From the beginning of a month, so that a restart within it shows the same calls.
  const since = new Date(begun - historyDays * day)
  const first = workdayAt(Date.UTC(since.getUTCFullYear(), since.getUTCMonth(), 1)) * perDay

  function start(index: number): number {
    const at = workday(Math.floor(index / perDay)) + dayStart + (index % perDay) * slot
    const moment = at + (jitter(index) / 2 ** 32) * slot * 0.9
    // Without a written fraction, the second is whole.
    return index % 3 === 0 ? Math.floor(moment / second) * second : Math.floor(moment)
  }

  /** The first index whose start is not before a moment. */
  function indexAt(moment: number): number {
    const end = Math.max(first, (workdayAt(moment) + 1) * perDay)
    return firstPlace(first, end, (index) => start(index) >= moment)
  }

  function facts(index: number) {
    const drawn = draw(index)
    const kind: keyof typeof systems = index % 10 === 3 ? 'telephone' : index % 50 === 7 ? 'imported' : 'meeting'
    const started = start(index)
    const duration = index % 40 === 1 ? 30 : 300 + (drawn % 3300)
    const available = started + duration * second + (index % 97 === 5 ? 20 * hour : (5 + (drawn % 50)) * minute)
    return {
      index,
      id: idOf('call', index),
      kind,
      started,
      /** Null for unscheduled calls; a meeting starts up to a quarter of an hour late. */
      scheduled: kind === 'meeting' ? Math.floor(started / (15 * minute)) * 15 * minute : null,
      /** Seconds. */
      duration,
      host: pick(people.hosts, draw(index + 7)),
      customer: pick(customers, draw(index + 11)),
      workspaceId: idOf('workspace', index % 5 === 2 ? 1 : 0),
      isPrivate: index % 25 === 4,
      /** When the system has processed it. */
      available,
      hasMedia: kind !== 'imported' && index % 60 !== 11,
      /** Transcripts may exist before the details do. */
      detailsAvailable: available + (index % 90 === 8 ? 3 * hour : 0),
    }
  }

  /** The calls of a period that have started, processed or not. */
  function between(now: number, from = 0, to = now) {
    const begin = indexAt(from)
    const length = Math.max(0, indexAt(Math.min(to, now)) - begin)
    return { length, at: (place: number) => (place < length ? facts(begin + place) : undefined) }
  }

  /** Whether the system shows a call: processed, and not deleted. */
  const isVisible = ({ id, available }: ReturnType<typeof facts>, now: number) => available <= now && !gone.has(id)

  /** Those of a period that the system shows. */
  function* seen(now: number, from?: number, to?: number) {
    const { length, at } = between(now, from, to)
    for (let place = 0; place < length; place++) {
      const call = at(place)!
      if (isVisible(call, now)) yield call
    }
  }

  return {
    first,
    facts,
    between,
    isVisible,
    seen,
    find(id: string) {
      const index = indexOf('call', id)
      return index === undefined || index < first ? undefined : facts(index)
    },
    /** A call in Gong's form. */
    metaData(call: ReturnType<typeof facts>) {
      const { index, id, kind, started, scheduled, duration, isPrivate } = call
      const digits = index % 3 === 0 ? 0 : index % 3 === 1 ? 3 : 6
      const offset = index % 8 === 6 ? 2 : index % 8 === 2 ? 0 : -10
      return {
        id,
        url: `https://us-14321.app.gong.io/call?id=${id}`,
        title: `${pick(subjects, draw(index + 13))}: ${call.customer}`,
        scheduled: scheduled === null ? null : dateTime(scheduled, offset),
        started: dateTime(started, offset, digits),
        duration,
        primaryUserId: call.host.record.id,
        direction: kind === 'meeting' ? 'Conference' : index % 4 === 3 ? 'Inbound' : 'Outbound',
        system: pick(systems[kind], draw(index + 17)),
        scope: index % 12 === 0 ? 'Internal' : 'External',
        media: kind === 'meeting' ? 'Video' : 'Audio',
        language: index % 30 === 9 ? 'und' : 'eng',
        workspaceId: call.workspaceId,
        sdrDisposition: kind === 'telephone' ? 'Connected' : null,
        // Absent and null mean the same here.
        ...(kind === 'imported' && { clientUniqueId: `upload-${index}` }),
        // Notes of the program that uploaded the call.
        customData: kind === 'imported' ? `source=dialer;row=${index}` : null,
        purpose: index % 20 === 0 ? 'Demo' : null,
        meetingUrl: kind === 'meeting' ? `https://meet.example/${index.toString(36)}` : null,
        isPrivate,
        calendarEventId: scheduled === null ? null : `event-${index.toString(36)}@calendar.example`,
        recordedBy: 'simulator',
      }
    },
  }
}
