/** One-time settings of administrators: workspaces, scorecards, trackers and the library's folders. */
import { dateTime, day } from './calendar.ts'
import { idOf, systemUser } from './ids.ts'
import { trackerWords } from './vocabulary.ts'

const founded = Date.UTC(2022, 5, 14, 19, 30)

export const workspaces = [
  { id: idOf('workspace', 0), name: 'Sales', description: 'Calls of the sales teams' },
  { id: idOf('workspace', 1), name: 'Customer Success', description: 'Calls with customers who bought' },
] as const

export interface Question {
  readonly id: string
  readonly revision: string
  readonly kind: 'RANGE' | 'SELECT'
  readonly isOverall: boolean
}

export interface Scorecard {
  readonly index: number
  readonly id: string
  readonly name: string
  readonly workspace: 0 | 1 | null
  readonly questions: readonly Question[]
}

const names = ['Discovery', 'Demo', 'Closing', 'Onboarding', 'Renewal', 'Keelworks basics'] as const
const questionsEach = 4

export const scorecards: readonly Scorecard[] = names.map((name, index) => ({
  index,
  id: idOf('scorecard', index),
  name,
  workspace: index === 5 ? null : index < 3 ? 0 : 1,
  questions: Array.from({ length: questionsEach }, (_, n) => ({
    id: idOf('question', index * 10 + n),
    revision: idOf('revision', index * 10 + n),
    kind: n === 2 ? ('SELECT' as const) : ('RANGE' as const),
    isOverall: n === 0,
  })),
}))

const questionTexts = [
  'How good was the call over all?',
  'Did they ask open questions?',
  'Which next step was agreed?',
  'Did they listen?',
] as const

export const options = [
  { id: 1, text: 'Meeting' },
  { id: 2, text: 'Pilot' },
  { id: 3, text: 'None' },
] as const

export function scorecardRecord({ index, id, name, workspace, questions }: Scorecard): Record<string, unknown> {
  const times = { created: dateTime(founded + index * day, -10, 6), updated: dateTime(founded + index * 9 * day, 2, 3) }
  // The system came with the last scorecard.
  const updaterUserId = workspace === null ? systemUser : idOf('user', 9)
  return {
    scorecardId: id,
    scorecardName: name,
    workspaceId: workspace === null ? null : idOf('workspace', workspace),
    enabled: index !== 2,
    updaterUserId,
    ...times,
    reviewMethod: index === 4 ? 'AUTOMATIC' : 'MANUAL',
    questions: questions.map((question, n) => ({
      questionId: question.id,
      questionRevisionId: question.revision,
      questionText: questionTexts[n],
      isOverall: question.isOverall,
      questionType: question.kind === 'RANGE' ? 'RANGE' : 'SINGLE_SELECT',
      answerGuide: n === 1 ? 'Count questions that cannot be answered with yes or no.' : null,
      minRange: question.kind === 'RANGE' ? '1' : null,
      maxRange: question.kind === 'RANGE' ? '5' : null,
      answerOptions: question.kind === 'RANGE' ? (n === 3 ? null : []) : options,
      updaterUserId,
      ...times,
    })),
  }
}

export const trackerRecords: readonly Record<string, unknown>[] = trackerWords.map(
  ({ name, keywords, said }, index) => ({
    trackerId: idOf('tracker', index),
    trackerName: name,
    workspaceId: index === 4 ? null : idOf('workspace', index % 2),
    languageKeywords: [{ language: index === 2 ? 'mul' : 'eng', keywords, includeRelatedForms: index % 2 === 0 }],
    affiliation: ['Anyone', 'Company', 'NonCompany'][index % 3],
    partOfQuestion: false,
    saidAt: said,
    // A number, although the text around it suggests otherwise.
    ...(said === 'Anytime' ? { saidAtInterval: null } : { saidAtInterval: 5, saidAtUnit: 'minutes' }),
    saidInTopics: index === 1 ? ['Pricing'] : [],
    saidInCallParts: [],
    filterQuery: '{}',
    created: dateTime(founded + index * day, 0, 3),
    creatorUserId: index === 4 ? null : idOf('user', 9),
    updated: dateTime(founded + index * 3 * day, 0, 3),
    updaterUserId: index === 4 ? null : idOf('user', 18),
  }),
)

export interface Folder {
  readonly index: number
  readonly id: string
  readonly name: string
  readonly parent: number | null
  readonly workspace: 0 | 1
  /** The number of its calls. */
  readonly calls: number
}

export const folders: readonly Folder[] = [
  { index: 0, id: idOf('folder', 0), name: 'Best of', parent: null, workspace: 0, calls: 6 },
  { index: 1, id: idOf('folder', 1), name: 'Great openings', parent: 0, workspace: 0, calls: 12 },
  { index: 2, id: idOf('folder', 2), name: 'Hard questions', parent: 0, workspace: 0, calls: 130 },
  { index: 3, id: idOf('folder', 3), name: 'To be sorted', parent: null, workspace: 0, calls: 0 },
  { index: 4, id: idOf('folder', 4), name: 'Kick-offs', parent: null, workspace: 1, calls: 8 },
]

export function folderRecord({ index, id, name, parent }: Folder): Record<string, unknown> {
  return {
    id,
    name,
    parentFolderId: parent === null ? null : idOf('folder', parent),
    ...(index === 3 ? {} : { createdBy: idOf('user', 9) }),
    updated: dateTime(founded + index * 40 * day, -10, 3),
  }
}
