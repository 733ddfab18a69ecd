/** The contents of a call, block by block as a contentSelector asks, and its transcript. */
import { pick, seededRandom } from '../../../kit/simulator.ts'
import { dateTime, minute } from './calendar.ts'
import type { CallFacts } from './calls.ts'
import { idOf } from './ids.ts'
import type { Selector } from './params.ts'
import type { People } from './people.ts'
import { briefs, comments, guests, sentences, topics, trackerWords } from './vocabulary.ts'

type Switches = Readonly<Record<string, boolean | undefined>>

/** Milliseconds. */
const sentenceLength = 4200

/** The parts of a block that are wanted; no block without any. */
function chosen(parts: Readonly<Record<string, () => unknown>>, wanted: Switches = {}): object | undefined {
  const given = Object.entries(parts).filter(([name]) => wanted[name] === true)
  return given.length === 0 ? undefined : Object.fromEntries(given.map(([name, make]) => [name, make()]))
}

export function createContents(seed: number, people: People) {
  const draw = seededRandom(seed, 'contents')
  const drawSpeech = seededRandom(seed, 'transcript')

  /** In the order of their numbers. */
  const speakersOf = ({ index, kind }: CallFacts): string[] =>
    kind === 'imported' ? [] : [idOf('speaker', index * 4), idOf('speaker', index * 4 + 1)]

  function parties(call: CallFacts): unknown[] {
    const { id: userId, emailAddress, firstName, lastName } = call.host.record
    const [host, guest] = speakersOf(call)
    const person = pick(guests, draw(call.index))
    const domain = `${call.customer.toLowerCase().replace(/[^a-z]/g, '')}.example`
    const party = (n: number) => idOf('party', call.index * 4 + n)
    return [
      {
        ...{ id: party(0), emailAddress, name: `${firstName} ${lastName}`, title: 'Account Executive' },
        ...{ userId, speakerId: host, affiliation: 'Internal', methods: ['Invitee', 'Attendee'] },
      },
      {
        ...{ id: party(1), emailAddress: `${person.split(' ')[0]!.toLowerCase()}@${domain}` },
        ...{ name: person, title: 'Harbour Master', userId: null, speakerId: guest, affiliation: 'External' },
        ...{ phoneNumber: call.kind === 'telephone' ? '+44 1632 960123' : null, methods: ['Attendee'] },
      },
      // A participant who never spoke.
      {
        ...{ id: party(2), name: 'Guest', userId: null, speakerId: null },
        ...{ affiliation: 'Unknown', methods: ['Attendee'] },
      },
    ]
  }

  /** The records of the customer in the CRM, now or at the time of the call. */
  function context({ index, customer }: CallFacts, timing: string): object {
    const object = (objectType: string, prefix: string, fields: Readonly<Record<string, unknown>>) => ({
      objectType,
      objectId: `${prefix}${String(index).padStart(10, '0')}AAA`,
      fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
      timing,
    })
    const deal = {
      StageName: timing === 'Now' ? 'Negotiation' : 'Discovery',
      Amount: 12_000 + (draw(index) % 90) * 1000,
    }
    return {
      system: 'Salesforce',
      objects: [object('Account', '0015f', { Name: customer }), object('Opportunity', '0065f', deal)],
    }
  }

  function content({ index, duration }: CallFacts, speakers: readonly string[], wanted: Switches, brief: unknown) {
    const part = Math.floor(duration / topics.length)
    const line = (n: number) => pick(sentences, draw(index * 31 + n))
    const found = {
      count: speakers.length,
      ...(wanted.trackerOccurrences === true && {
        occurrences: speakers.map((speakerId, n) => ({ startTime: 12.5 + n * 40, speakerId })),
      }),
    }
    const lengths = () => topics.map((name) => ({ name, duration: part }))
    // Gong still accepts a request for points of interest, but returns none.
    return chosen(
      {
        structure: lengths,
        topics: lengths,
        trackers: () =>
          trackerWords.map(({ name, keywords }, n) => ({
            ...{ id: idOf('tracker', n), name, type: 'KEYWORD', ...found },
            phrases: [{ phrase: keywords[0], ...found }],
          })),
        brief: () => brief ?? pick(briefs, draw(index)),
        outline: () =>
          topics.map((section, n) => ({
            ...{ section, startTime: n * part, duration: part },
            items: [{ text: line(n), startTime: n * part + 3 }],
          })),
        highlights: () => [{ title: 'Next steps', items: [{ text: line(9), startTimes: [duration - 20] }] }],
        callOutcome: () =>
          index % 3 === 0 ? null : { id: idOf('outcome', index % 4), category: 'ANSWERED', name: 'Meeting booked' },
        keyPoints: () => [{ text: line(1) }, { text: line(2) }],
      },
      wanted,
    )
  }

  const measures = ['Talk Ratio', 'Longest Monologue', 'Longest Customer Story', 'Interactivity', 'Patience']

  const interaction = ({ index, duration }: CallFacts, speakers: readonly string[], wanted: Switches) =>
    chosen(
      {
        interactionStats: () => measures.map((name, n) => ({ name, value: (draw(index * 7 + n) % 1000) / 10 })),
        speakers: () =>
          speakers.map((id, n) => ({ id, userId: n === 0 ? idOf('user', 0) : null, talkTime: duration / 2.5 })),
        video: () => [{ name: 'Presentation', duration: Math.floor(duration / 3) }],
        questions: () => ({ companyCount: draw(index) % 20, nonCompanyCount: draw(index) % 15 }),
      },
      // Requested under one name, returned under another.
      { ...wanted, interactionStats: wanted.personInteractionStats },
    )

  function publicComments({ index, started, host: { manager, record } }: CallFacts): unknown[] {
    if (index % 4 !== 0) return []
    return [
      {
        ...{ id: idOf('comment', index), audioStartTime: 61.25, audioEndTime: 75, inReplyTo: null, duringCall: false },
        commenterUserId: people.all[manager ?? 0]!.record.id,
        comment: `${pick(comments, index)} @[${record.firstName}](${record.id})`,
        posted: dateTime(started + 90 * minute, -10, 3),
      },
    ]
  }

  return {
    /** Everything besides the metadata and the media's addresses; `brief` replaces the usual one. */
    blocks(call: CallFacts, { context: depth, contextTiming = ['Now'], exposedFields }: Selector, brief: unknown) {
      const speakers = speakersOf(call)
      return {
        context: depth === 'Extended' ? contextTiming.map((timing) => context(call, timing)) : undefined,
        parties: exposedFields?.parties === true && call.kind !== 'imported' ? parties(call) : undefined,
        content: content(call, speakers, exposedFields?.content ?? {}, brief),
        interaction: interaction(call, speakers, exposedFields?.interaction ?? {}),
        collaboration: chosen({ publicComments: () => publicComments(call) }, exposedFields?.collaboration),
      }
    },

    /** In monologues of some sentences. Times are milliseconds from the start of the call. */
    transcript(call: CallFacts) {
      const speakers = speakersOf(call)
      const turns = Math.max(2, Math.min(24, Math.floor(call.duration / 60)))
      const transcript = Array.from({ length: turns }, (_, turn) => {
        const begins = Math.floor((turn * call.duration * 1000) / turns)
        return {
          speakerId: speakers[turn % speakers.length] ?? null,
          topic: turn % 5 === 4 ? null : pick(topics, turn),
          sentences: Array.from({ length: 1 + (drawSpeech(call.index * 32 + turn) % 4) }, (_, n) => ({
            start: begins + n * sentenceLength,
            end: begins + (n + 1) * sentenceLength - 200,
            text: pick(sentences, drawSpeech(call.index * 320 + turn * 8 + n)),
          })),
        }
      })
      return { callId: call.id, transcript }
    },
  }
}
