/** One-time settings of administrators: workspaces, scorecards, trackers and the library's folders. */
import { dateTime, day } from './calendar.ts'
import { idOf, systemUser } from './ids.ts'
import { trackerWords } from './vocabulary.ts'

const founded = Date.UTC(2022, 5, 14, 19, 30)

export const workspaces = [
  { id: idOf('workspace', 0), name: 'Sales', description: 'Calls of the sales teams' },
  { id: idOf('workspace', 1), name: 'Customer Success', description: 'Calls with customers who bought' },
] as const

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

const scorecardNames = ['Discovery', 'Demo', 'Closing', 'Onboarding', 'Renewal', 'Keelworks basics'] as const

export const scorecards = scorecardNames.map((scorecardName, index) => {
  // The system came with the last scorecard, for all workspaces.
  const isBuiltIn = index === 5
  const about = {
    updaterUserId: isBuiltIn ? systemUser : idOf('user', 9),
    created: dateTime(founded + index * day, -10, 6),
    updated: dateTime(founded + index * 9 * day, 2, 3),
  }
  return {
    scorecardId: idOf('scorecard', index),
    scorecardName,
    workspaceId: isBuiltIn ? null : idOf('workspace', index < 3 ? 0 : 1),
    enabled: index !== 2,
    reviewMethod: index === 4 ? 'AUTOMATIC' : 'MANUAL',
    questions: questionTexts.map((questionText, n) => {
      const isSelect = n === 2
      return {
        questionId: idOf('question', index * 10 + n),
        questionRevisionId: idOf('revision', index * 10 + n),
        questionText,
        isOverall: n === 0,
        questionType: isSelect ? 'SINGLE_SELECT' : 'RANGE',
        answerGuide: n === 1 ? 'Count questions that cannot be answered with yes or no.' : null,
        minRange: isSelect ? null : '1',
        maxRange: isSelect ? null : '5',
        answerOptions: isSelect ? options : n === 3 ? null : [],
        ...about,
      }
    }),
    ...about,
  }
})

export const trackers = trackerWords.map(({ name, keywords, said }, index) => {
  const isBuiltIn = index === 4
  return {
    trackerId: idOf('tracker', index),
    trackerName: name,
    workspaceId: isBuiltIn ? null : idOf('workspace', index % 2),
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
    creatorUserId: isBuiltIn ? null : idOf('user', 9),
    updated: dateTime(founded + index * 3 * day, 0, 3),
    updaterUserId: isBuiltIn ? null : idOf('user', 18),
  }
})

/** With the number of calls in each. */
const library = [
  { name: 'Best of', parent: null, workspace: 0, calls: 6 },
  { name: 'Great openings', parent: 0, workspace: 0, calls: 12 },
  { name: 'Hard questions', parent: 0, workspace: 0, calls: 130 },
  { name: 'To be sorted', parent: null, workspace: 0, calls: 0 },
  { name: 'Kick-offs', parent: null, workspace: 1, calls: 8 },
] as const

export const folders = library.map(({ name, parent, workspace, calls }, index) => ({
  index,
  calls,
  workspaceId: workspaces[workspace].id,
  parentFolderId: parent === null ? null : idOf('folder', parent),
  record: {
    id: idOf('folder', index),
    name,
    ...(index !== 3 && { createdBy: idOf('user', 9) }),
    updated: dateTime(founded + index * 40 * day, -10, 3),
  },
}))
