/**
 * The contents of an extensive call, block by block (Gong reference, retrieve extensive calls). Gong leaves out what it
 * lacks, or writes null.
 */
import {
  anyOf,
  array,
  arrayOf,
  boolean,
  integer,
  nullable,
  number,
  object,
  partialOf,
  text,
} from '../../kit/connector.ts'

const seconds = (description: string) => number(`${description}, in seconds from the start of the call.`)

const startTime = seconds('Its start')

const length = number('Seconds.')

/** What connected systems, such as a CRM, know about a call or a participant. */
const contextOf = (objectTypes: string) =>
  arrayOf(
    partialOf({
      system: text('Salesforce, HubSpot, MicrosoftDynamic or Generic.'),
      objects: arrayOf(
        partialOf({
          objectType: text(objectTypes),
          objectId: text(),
          fields: arrayOf(
            partialOf({
              name: text(),
              value: nullable(anyOf([text(), number(), boolean(), array(), object()])),
            }),
          ),
          timing: nullable(text('Now or TimeOfCall.')),
        }),
      ),
    }),
    'What connected systems know.',
  )

export const context = nullable(contextOf('Opportunity or Account.'))

export const parties = arrayOf(
  partialOf({
    id: text(),
    emailAddress: nullable(text()),
    name: nullable(text()),
    title: nullable(text('The job title.')),
    userId: nullable(text('The user, if the participant is one.')),
    speakerId: nullable(text('As in transcripts; null for participants who never spoke.')),
    affiliation: text('Internal, External or Unknown.'),
    phoneNumber: nullable(text()),
    methods: arrayOf(text('Invitee or Attendee.')),
    context: nullable(contextOf('Contact, User or Lead.')),
  }),
  'The participants. Imported calls may have none.',
)

const timed = partialOf({ name: text(), duration: length })

const occurrences = arrayOf(partialOf({ startTime, speakerId: nullable(text()) }))

const trackers = arrayOf(
  partialOf({
    id: text(),
    name: text(),
    count: integer('How often the call has it.'),
    type: text('KEYWORD or SMART.'),
    occurrences,
    phrases: arrayOf(partialOf({ phrase: text(), count: integer(), occurrences })),
  }),
)

const actionItems = arrayOf(
  partialOf({
    snippetStartTime: startTime,
    snippetEndTime: seconds('Its end'),
    speakerID: nullable(text()),
    snippet: text(),
  }),
)

const outline = arrayOf(
  partialOf({
    section: text(),
    startTime,
    duration: length,
    items: arrayOf(partialOf({ text: text(), startTime })),
  }),
  'A summary of each part of the call.',
)

const highlights = arrayOf(
  partialOf({
    title: text(),
    items: arrayOf(partialOf({ text: text(), startTimes: arrayOf(seconds('When it was said')) })),
  }),
)

export const content = partialOf(
  {
    structure: nullable(arrayOf(timed, 'The parts of the call.')),
    topics: nullable(arrayOf(timed)),
    trackers: nullable(trackers),
    pointsOfInterest: nullable(partialOf({ actionItems }, 'No longer filled; use highlights.')),
    brief: nullable(text('A short summary.')),
    outline: nullable(outline),
    highlights: nullable(highlights),
    callOutcome: nullable(partialOf({ id: text(), category: text(), name: text() }, 'The outcome that Gong found.')),
    keyPoints: nullable(arrayOf(partialOf({ text: text() }))),
  },
  'Topics, trackers, outline and other findings.',
)

export const interaction = partialOf(
  {
    interactionStats: nullable(
      arrayOf(
        partialOf({ name: text(), value: nullable(number()) }),
        'Talk Ratio, Longest Monologue, Longest Customer Story, Interactivity and Patience.',
      ),
    ),
    speakers: nullable(
      arrayOf(partialOf({ id: text('The participant.'), userId: nullable(text()), talkTime: nullable(length) })),
    ),
    video: nullable(arrayOf(timed, 'What was shown: Browser, Presentation or a kind of webcam.')),
    questions: nullable(
      partialOf({ companyCount: integer(), nonCompanyCount: integer() }, 'How many questions each side asked.'),
    ),
  },
  'Who spoke, how long and how.',
)

export const collaboration = partialOf(
  {
    publicComments: nullable(
      arrayOf(
        partialOf({
          id: text(),
          audioStartTime: nullable(seconds('The beginning of what it is about')),
          audioEndTime: nullable(seconds('The end of that')),
          commenterUserId: text(),
          comment: text('People are named as @[name](id of the user).'),
          posted: text('ISO 8601.'),
          inReplyTo: nullable(text('The comment that it answers.')),
          duringCall: boolean('false if it was written after the call.'),
        }),
      ),
    ),
  },
  'Public comments.',
)

export const media = partialOf(
  { audioUrl: nullable(text()), videoUrl: nullable(text()) },
  'Addresses of the recording, which are secrets and expire after 8 hours.',
)
