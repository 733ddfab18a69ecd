/** The company's settings: scorecards to judge calls by, and trackers of words. */
import {
  arrayOf,
  boolean,
  entity,
  id,
  identifiedBy,
  integer,
  list,
  nowhere,
  nullable,
  objectOf,
  optional,
  partialOf,
  searchableFields,
  text,
  withOptional,
} from '../../kit/connector.ts'
import { neverNone, noneFound } from './errors.ts'
import { gongId, isObject, tidy } from './fields.ts'

const workspaceId = (description: string) => ({ workspaceId: optional(gongId(description)) }) as const

/** Gong writes ids and ranges as text although it documents numbers (recordings); both become text. */
const scorecard = {
  scorecardId: id(),
  scorecardName: text(),
  workspaceId: nullable(text('Null for scorecards of the whole company.')),
  enabled: boolean(),
  updaterUserId: text(),
  created: text(),
  updated: text(),
  reviewMethod: text('MANUAL or AUTOMATIC.'),
  questions: arrayOf(
    objectOf({
      questionId: text(),
      questionRevisionId: text(),
      questionText: text(),
      questionType: text(),
      updaterUserId: text(),
      created: text(),
      updated: text(),
      // Gong does not report it at present.
      isRequired: nullable(boolean()),
      isOverall: boolean(),
      answerGuide: nullable(text()),
      minRange: nullable(text()),
      maxRange: nullable(text()),
      answerOptions: arrayOf(partialOf({ id: integer(), text: text() })),
    }),
  ),
} as const

const listScorecards = list({
  description: 'List the scorecards of the company, or only those for one workspace.',
  path: '/v2/settings/scorecards',
  params: workspaceId('Only scorecards of this workspace or of the whole company.'),
  // Gong has no such parameter.
  send: { workspaceId: nowhere },
  recordsAt: ['scorecards'],
  record: scorecard,
  reshape: (records, { params }) =>
    tidy(scorecard)(records)
      .filter((record) => params.workspaceId === undefined || countsIn(record, params.workspaceId))
      .map(withAnswerOptions),
  readRefusal: noneFound('scorecards', 'scorecards'),
  scopes: ['api:settings:scorecards:read'],
})

export const settingsScorecards = entity({
  description: 'Scorecards with their questions.',
  list: listScorecards,
  searchable: searchableFields(scorecard, [
    'created',
    'enabled',
    'questions',
    'scorecardId',
    'scorecardName',
    'updated',
    'updaterUserId',
    'workspaceId',
  ]),
  sync: { listings: [{ list: listScorecards }], identity: identifiedBy('scorecardId') },
})

function countsIn(record: unknown, workspace: unknown): boolean {
  const own = isObject(record) ? (record.workspaceId ?? null) : null
  return own === null || own === workspace
}

/** On the wire, questions without options lack the field or have null. */
function withAnswerOptions(record: unknown): unknown {
  if (!isObject(record) || !Array.isArray(record.questions)) return record
  const questions = record.questions.map((question: unknown) =>
    isObject(question) ? { ...question, answerOptions: question.answerOptions ?? [] } : question,
  )
  return { ...record, questions }
}

const tracker = withOptional(
  {
    trackerId: id(),
    trackerName: text(),
    workspaceId: nullable(text('Null for trackers of the whole company.')),
    languageKeywords: arrayOf(
      partialOf({
        language: text('An ISO 639-2/B code; mul for all languages.'),
        keywords: arrayOf(text()),
        includeRelatedForms: boolean('Whether other forms of the words count.'),
      }),
      'Each with language, keywords and includeRelatedForms.',
    ),
    affiliation: text('Anyone, Company or NonCompany.'),
    partOfQuestion: boolean(),
    saidAt: text('Anytime, First or Last.'),
    saidAtInterval: nullable(text()),
    saidAtUnit: nullable(text()),
    saidInTopics: arrayOf(text()),
    filterQuery: text('JSON, as text.'),
    created: text(),
    creatorUserId: nullable(text()),
    updated: text(),
    updaterUserId: nullable(text('Null for built-in trackers.')),
  },
  { saidInCallParts: nullable(arrayOf(text(), 'The parts of calls to look in.')) },
)

export const settingsTrackers = entity({
  description: 'Trackers: words that Gong counts in calls.',
  list: list({
    description: 'List the keyword trackers of the company, or only those for one workspace.',
    path: '/v2/settings/trackers',
    params: workspaceId('Only trackers of this workspace or of the whole company.'),
    recordsAt: ['keywordTrackers'],
    record: tracker,
    reshape: tidy(tracker),
    readRefusal: neverNone,
    scopes: ['api:settings:trackers:read'],
  }),
})
