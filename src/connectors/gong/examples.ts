/** Example values of Gong for the documents. The simulated Gong has these records in the middle of June 2026. */
import type { Examples } from '../../kit/connector.ts'

const workspaceId = '6234342274025937895'
const callId = '7782342274025942875'
const shortCallId = '7782342274025942056'
const manager = { userId: '6843342274025937904', userEmailAddress: 'ugo.baumann9@keelworks.example' }
const seller = { userId: '6843342274025937910', userEmailAddress: 'giulia.kamaka15@keelworks.example' }
const scorecardId = '6813342274025937895'

const period = { fromDateTime: '2026-05-18T00:00:00Z', toDateTime: '2026-06-15T00:00:00Z' }
const days = { filter: { fromDate: '2026-05-18', toDate: '2026-06-15' } }
const recording = {
  filter: { callIds: [shortCallId] },
  contentSelector: { exposedFields: { media: true } },
}

const call = {
  id: callId,
  url: `https://us-14321.app.gong.io/call?id=${callId}`,
  title: 'Berth planning walkthrough: Oceanic Reefer Group',
  scheduled: '2026-05-18T08:30:00-10:00',
  started: '2026-05-18T08:40:40-10:00',
  duration: 2775,
  primaryUserId: '6843342274025937971',
  direction: 'Conference',
  system: 'Webex',
  scope: 'Internal',
  media: 'Video',
  language: 'eng',
  workspaceId,
  purpose: 'Demo',
  meetingUrl: 'https://meet.example/3uc',
  isPrivate: false,
  calendarEventId: 'event-3uc@calendar.example',
}

export const examples: Examples = {
  values: { workspaceId },
  entities: {
    users: {
      id: '6843342274025937896',
      emailAddress: 'gareth.heikkinen1@keelworks.example',
      created: '2019-03-01T16:00:00-10:00',
      active: true,
      emailAliases: [],
      firstName: 'Gareth',
      lastName: 'Heikkinen',
      personalMeetingUrls: [],
      settings: { webConferencesRecorded: true, emailsImported: true },
      managerId: '6843342274025937895',
      spokenLanguages: [{ language: 'en-US', primary: true }],
    },
    calls: call,
    calls_extensive: {
      id: BigInt(callId),
      metaData: call,
      startdatetime: call.started,
      parties: [{ id: '1987342274025957815', name: 'Sunita Villanueva', affiliation: 'Internal' }],
      content: { topics: [{ name: 'Pricing', duration: 240 }] },
    },
    workspaces: { id: workspaceId, name: 'Sales', description: 'Calls of the sales teams' },
    call_transcripts: {
      callId,
      transcript: [
        {
          speakerId: '6432342274025957815',
          topic: 'Call Setup',
          sentences: [{ start: 0, end: 4000, text: 'Thanks for making the time today.' }],
        },
      ],
    },
    stats_activity_aggregate: seller,
    stats_activity_day_by_day: {
      ...seller,
      fromDate: '2026-05-18T00:00:00-10:00',
      toDate: '2026-05-19T00:00:00-10:00',
      callsAttended: [callId],
    },
    stats_interaction: { ...seller, personInteractionStats: [{ name: 'Longest Monologue', value: 65.6 }] },
    settings_scorecards: {
      scorecardId,
      scorecardName: 'Discovery',
      enabled: true,
      updaterUserId: manager.userId,
      created: '2022-06-14T09:30:00.000562-10:00',
      updated: '2022-06-14T21:30:00.000+02:00',
      reviewMethod: 'MANUAL',
      questionId: '5391342274025937895',
      questionRevisionId: '5392342274025937895',
      questionText: 'How good was the call over all?',
      questionType: 'RANGE',
      minRange: '1',
      maxRange: '5',
      answerOptions: [],
    },
    settings_trackers: {
      trackerId: '3098342274025937895',
      trackerName: 'Competitors',
      languageKeywords: [{ language: 'eng', keywords: ['harbourly', 'dockwise'], includeRelatedForms: true }],
      affiliation: 'Anyone',
      partOfQuestion: false,
      saidAt: 'Anytime',
      saidInTopics: [],
      filterQuery: '{}',
      created: '2022-06-14T19:30:00.000Z',
      updated: '2022-06-14T19:30:00.000Z',
    },
    library_folders: {
      id: '3721342274025937895',
      name: 'Best of',
      createdBy: manager.userId,
      updated: '2022-06-14T09:30:00.000-10:00',
    },
    library_folder_content: {
      folderId: '3721342274025937896',
      callId: '7782342274025942099',
      title: 'Quarterly review: Hallgrim Bulk',
      started: '2025-05-20T11:46:59.530-10:00',
      duration: 914,
      primaryUserId: '6843342274025937924',
      url: 'https://us-14321.app.gong.io/call?id=7782342274025942099',
    },
    coaching: {
      'workspace-id': workspaceId,
      'manager-id': manager.userId,
      from: period.fromDateTime,
      to: period.toDateTime,
      ...manager,
      userName: 'Ugo Baumann',
      isManager: true,
    },
    stats_activity_scorecards: {
      answeredScorecardId: '8230342274025942875',
      scorecardId: '6813342274025937900',
      scorecardName: 'Keelworks basics',
      callId,
      callStartTime: '2026-05-18T08:40:40.000-10:00',
      reviewedUserId: '6843342274025937971',
      reviewerUserId: '6843342274025937967',
      reviewMethod: 'MANUAL',
      answeredDateTime: '2026-05-21T07:40:40.000+02:00',
      reviewTime: '2026-05-21T07:40:40.000+02:00',
      visibilityType: 'OPT_IN_USERS',
      visibility: 'opt_in_users',
      overallScore: 3,
      questionId: '5391342274025937945',
      questionRevisionId: '5392342274025937945',
      answer: '3',
      score: 3,
    },
  },
  params: {
    'calls.list': period,
    'calls.get': { id: shortCallId },
    'calls_extensive.list': {
      filter: period,
      contentSelector: { exposedFields: { parties: true, content: { topics: true } } },
    },
    'call_audio.download': recording,
    'call_video.download': recording,
    'call_transcripts.list': { filter: period },
    'stats_activity_aggregate.list': days,
    'stats_activity_day_by_day.list': days,
    'stats_interaction.list': days,
    'settings_scorecards.list': { workspaceId },
    'settings_trackers.list': { workspaceId },
    'stats_activity_scorecards.list': { filter: period },
  },
}
