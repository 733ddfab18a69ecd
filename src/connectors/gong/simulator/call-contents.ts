/** The contents of a call in an extensive answer, block by block as its contentSelector asks. */
import { type Draw, pick, seededRandom } from '../../../kit/simulator.ts'
import { dateTime, minute } from './calendar.ts'
import type { CallFacts } from './calls.ts'
import { idOf } from './ids.ts'
import type { People } from './people.ts'
import type { State } from './state.ts'
import { briefs, comments, sentences, topics, trackerWords } from './vocabulary.ts'

type Flags = Readonly<Record<string, boolean | undefined>>

export interface Selector {
  readonly context?: string
  readonly contextTiming?: readonly string[]
  readonly exposedFields?: {
    readonly collaboration?: Flags
    readonly content?: Flags
    readonly interaction?: Flags
    readonly media?: boolean
    readonly parties?: boolean
  }
}

export interface Contents {
  /** Everything besides the metadata and the media's addresses. */
  blocks(call: CallFacts, selector: Selector): Record<string, unknown>
  /** The speakers, in the order of their numbers. */
  speakers(call: CallFacts): string[]
}

export function createContents(seed: number, people: People, state: State): Contents {
  const draw = seededRandom(seed, 'contents')

  function speakers({ index, kind }: CallFacts): string[] {
    return kind === 'imported' ? [] : [idOf('speaker', index * 4), idOf('speaker', index * 4 + 1)]
  }

  function parties(call: CallFacts): unknown[] {
    const { first, last } = people.name(call.host)
    const [host, guest] = speakers(call)
    const person = pick(['Marit Vance', 'Joaquin Brandao', 'Siobhan Keane', 'Tomoko Ueda'], draw(call.index))
    const domain = `${call.customer.toLowerCase().replace(/[^a-z]/g, '')}.example`
    return [
      {
        id: idOf('party', call.index * 4),
        emailAddress: people.email(call.host),
        name: `${first} ${last}`,
        title: 'Account Executive',
        userId: idOf('user', call.host),
        speakerId: host,
        affiliation: 'Internal',
        methods: ['Invitee', 'Attendee'],
      },
      {
        id: idOf('party', call.index * 4 + 1),
        emailAddress: `${person.split(' ')[0]!.toLowerCase()}@${domain}`,
        name: person,
        title: 'Harbour Master',
        userId: null,
        speakerId: guest,
        affiliation: 'External',
        phoneNumber: call.kind === 'telephone' ? '+44 1632 960123' : null,
        methods: ['Attendee'],
      },
      // A participant who never spoke.
      {
        id: idOf('party', call.index * 4 + 2),
        name: 'Guest',
        userId: null,
        speakerId: null,
        affiliation: 'Unknown',
        methods: ['Attendee'],
      },
    ]
  }

  function context(call: CallFacts, timing: readonly string[]): unknown[] {
    return timing.map((when) => ({
      system: 'Salesforce',
      objects: [
        {
          objectType: 'Account',
          objectId: `0015f${String(call.index).padStart(10, '0')}AAA`,
          fields: [{ name: 'Name', value: call.customer }],
          timing: when,
        },
        {
          objectType: 'Opportunity',
          objectId: `0065f${String(call.index).padStart(10, '0')}AAA`,
          fields: [
            { name: 'StageName', value: when === 'Now' ? 'Negotiation' : 'Discovery' },
            { name: 'Amount', value: 12_000 + (draw(call.index) % 90) * 1000 },
          ],
          timing: when,
        },
      ],
    }))
  }

  return {
    speakers,
    blocks(call, selector) {
      const exposed = selector.exposedFields ?? {}
      const blocks: Record<string, unknown> = {}
      if (selector.context === 'Extended') blocks.context = context(call, selector.contextTiming ?? ['Now'])
      if (exposed.parties === true && call.kind !== 'imported') blocks.parties = parties(call)
      const said = content(call, exposed.content ?? {}, speakers(call), draw, state.edits.get(call.id)?.brief)
      if (said !== null) blocks.content = said
      const spoken = interaction(call, exposed.interaction ?? {}, speakers(call), draw)
      if (spoken !== null) blocks.interaction = spoken
      if (exposed.collaboration?.publicComments === true) blocks.collaboration = { publicComments: told(call, people) }
      return blocks
    },
  }
}

function content(
  { index, duration }: CallFacts,
  wanted: Flags,
  speakers: readonly string[],
  draw: Draw,
  brief: unknown,
): object | null {
  const part = Math.floor(duration / topics.length)
  const line = (n: number) => pick(sentences, draw(index * 31 + n))
  const occurrences =
    wanted.trackerOccurrences === true
      ? { occurrences: speakers.map((speakerId, n) => ({ startTime: 12.5 + n * 40, speakerId })) }
      : {}
  const all: Record<string, () => unknown> = {
    structure: () => topics.map((name) => ({ name, duration: part })),
    topics: () => topics.map((name) => ({ name, duration: part })),
    trackers: () =>
      trackerWords.map(({ name, keywords }, n) => ({
        id: idOf('tracker', n),
        name,
        count: speakers.length,
        type: 'KEYWORD',
        ...occurrences,
        phrases: [{ phrase: keywords[0], count: speakers.length, ...occurrences }],
      })),
    brief: () => brief ?? pick(briefs, draw(index)),
    outline: () =>
      topics.map((section, n) => ({
        section,
        startTime: n * part,
        duration: part,
        items: [{ text: line(n), startTime: n * part + 3 }],
      })),
    highlights: () => [{ title: 'Next steps', items: [{ text: line(9), startTimes: [duration - 20] }] }],
    callOutcome: () =>
      index % 3 === 0 ? null : { id: idOf('outcome', index % 4), category: 'ANSWERED', name: 'Meeting booked' },
    keyPoints: () => [{ text: line(1) }, { text: line(2) }],
  }
  const given = Object.entries(all).filter(([name]) => wanted[name] === true)
  // Gong still accepts a request for points of interest, but returns none.
  return given.length === 0 ? null : Object.fromEntries(given.map(([name, make]) => [name, make()]))
}

function interaction(
  { index, duration }: CallFacts,
  wanted: Flags,
  speakers: readonly string[],
  draw: Draw,
): object | null {
  const block: Record<string, unknown> = {}
  // Requested under one name, returned under another.
  if (wanted.personInteractionStats === true)
    block.interactionStats = [
      'Talk Ratio',
      'Longest Monologue',
      'Longest Customer Story',
      'Interactivity',
      'Patience',
    ].map((name, n) => ({ name, value: (draw(index * 7 + n) % 1000) / 10 }))
  if (wanted.speakers === true)
    block.speakers = speakers.map((id, n) => ({
      id,
      userId: n === 0 ? idOf('user', 0) : null,
      talkTime: duration / 2.5,
    }))
  if (wanted.video === true) block.video = [{ name: 'Presentation', duration: Math.floor(duration / 3) }]
  if (wanted.questions === true) block.questions = { companyCount: draw(index) % 20, nonCompanyCount: draw(index) % 15 }
  return Object.keys(block).length === 0 ? null : block
}

function told({ index, started, host }: CallFacts, people: People): unknown[] {
  if (index % 4 !== 0) return []
  const manager = people.managerOf(host) ?? host
  return [
    {
      id: idOf('comment', index),
      audioStartTime: 61.25,
      audioEndTime: 75,
      commenterUserId: idOf('user', manager),
      comment: `${pick(comments, index)} @[${people.name(host).first}](${idOf('user', host)})`,
      posted: dateTime(started + 90 * minute, -10, 3),
      inReplyTo: null,
      duringCall: false,
    },
  ]
}
