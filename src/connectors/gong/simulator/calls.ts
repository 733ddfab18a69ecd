/** The company's calls in the order of their start, each made from its index when it is read; time adds more. */
import { pick, type Rows, seededRandom } from '../../../kit/simulator.ts'
import { dateTime, day, hour, minute, second, workday, workdayAt } from './calendar.ts'
import { idOf, indexOf } from './ids.ts'
import type { People, User } from './people.ts'
import { customers, subjects } from './vocabulary.ts'

export interface CallFacts {
  readonly index: number
  readonly id: string
  readonly kind: 'meeting' | 'telephone' | 'imported'
  readonly started: number
  /** Null for unscheduled calls. */
  readonly scheduled: number | null
  /** Seconds. */
  readonly duration: number
  readonly host: User
  readonly customer: string
  readonly workspace: 0 | 1
  readonly isPrivate: boolean
  /** When the system has processed it. */
  readonly available: number
  readonly hasMedia: boolean
  /** Transcripts may exist before the details do. */
  readonly detailsAvailable: number
}

export type Calls = ReturnType<typeof createCalls>

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
    let low = first
    let high = Math.max(first, (workdayAt(moment) + 1) * perDay)
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (start(middle) < moment) low = middle + 1
      else high = middle
    }
    return low
  }

  function facts(index: number): CallFacts {
    const drawn = draw(index)
    const kind = index % 10 === 3 ? 'telephone' : index % 50 === 7 ? 'imported' : 'meeting'
    const started = start(index)
    const duration = index % 40 === 1 ? 30 : 300 + (drawn % 3300)
    const available = started + duration * second + (index % 97 === 5 ? 20 * hour : (5 + (drawn % 50)) * minute)
    return {
      index,
      id: idOf('call', index),
      kind,
      started,
      // A meeting starts up to a quarter of an hour late.
      scheduled: kind === 'meeting' ? Math.floor(started / (15 * minute)) * 15 * minute : null,
      duration,
      host: pick(people.hosts, draw(index + 7)),
      customer: pick(customers, draw(index + 11)),
      workspace: index % 5 === 2 ? 1 : 0,
      isPrivate: index % 25 === 4,
      available,
      hasMedia: kind !== 'imported' && index % 60 !== 11,
      detailsAvailable: available + (index % 90 === 8 ? 3 * hour : 0),
    }
  }

  /** The calls of a period that have started, processed or not. */
  function between(now: number, from = 0, to = now): Rows<CallFacts> & Iterable<CallFacts> {
    const begin = indexAt(from)
    const length = Math.max(0, indexAt(Math.min(to, now)) - begin)
    const at = (place: number) => (place < length ? facts(begin + place) : undefined)
    return {
      length,
      at,
      *[Symbol.iterator]() {
        for (let place = 0; place < length; place++) yield facts(begin + place)
      },
    }
  }

  return {
    first,
    facts,
    between,
    find(id: string): CallFacts | undefined {
      const index = indexOf('call', id)
      return index === undefined || index < first ? undefined : facts(index)
    },
    /** Whether the system shows it: processed, and not deleted. */
    isVisible: (call: CallFacts, now: number): boolean => call.available <= now && !gone.has(call.id),
    /** A call in Gong's form. */
    metaData(call: CallFacts) {
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
        workspaceId: idOf('workspace', call.workspace),
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
