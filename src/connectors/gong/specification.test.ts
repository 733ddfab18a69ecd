/** The call-analytics tables of the specification, written down by hand, against what the catalog says of itself. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeConnector, findEntity, type Operation } from '../../kit/connector.ts'
import { gong } from './connector.ts'

/** `T?` may be null, `T*` is required; `arr<obj>` has items that are objects. Fields are split by commas. */
const operations: Readonly<Record<string, string>> = {
  'users list': 'cursor string',
  'users get': 'id string*',
  'calls list': 'fromDateTime string, toDateTime string, cursor string',
  'calls get': 'id string*',
  'calls_extensive list': 'filter obj*, contentSelector obj, cursor string',
  'call_audio download': 'filter obj, contentSelector obj, range_header string',
  'call_video download': 'filter obj, contentSelector obj, range_header string',
  'workspaces list': '',
  'call_transcripts list': 'filter obj, cursor string',
  'stats_activity_aggregate list': 'filter obj',
  'stats_activity_day_by_day list': 'filter obj',
  'stats_interaction list': 'filter obj',
  'settings_scorecards list': 'workspaceId string',
  'settings_trackers list': 'workspaceId string',
  'library_folders list': 'workspaceId string*',
  'library_folder_content list': 'folderId string*, cursor string',
  'coaching list': 'workspace-id string*, manager-id string*, from string*, to string*',
  'stats_activity_scorecards list': 'filter obj, cursor string',
}

const searched = ['users', 'calls', 'calls_extensive', 'settings_scorecards', 'stats_activity_scorecards']

/** What stands inside of object params. */
const insideParams: Readonly<Record<string, string>> = {
  'calls_extensive list filter': 'fromDateTime string, toDateTime string, callIds arr<string>, workspaceId string',
  'calls_extensive list contentSelector': 'context "Extended", contextTiming arr<Now|TimeOfCall>, exposedFields obj',
  'calls_extensive list contentSelector exposedFields':
    'collaboration obj, content obj, interaction obj, media boolean, parties boolean',
  'calls_extensive list contentSelector exposedFields collaboration': 'publicComments boolean',
  'calls_extensive list contentSelector exposedFields content':
    'pointsOfInterest boolean, structure boolean, topics boolean, trackers boolean, trackerOccurrences boolean, brief boolean, outline boolean, highlights boolean, callOutcome boolean, keyPoints boolean',
  'calls_extensive list contentSelector exposedFields interaction':
    'personInteractionStats boolean, questions boolean, speakers boolean, video boolean',
  'call_audio download filter': 'callIds arr<string>',
  'call_audio download contentSelector exposedFields': 'media boolean',
  'call_video download filter': 'callIds arr<string>',
  'call_video download contentSelector exposedFields': 'media boolean',
  'call_transcripts list filter': 'fromDateTime string, toDateTime string, callIds arr<string>',
  'stats_activity_aggregate list filter': 'fromDate string, toDate string, userIds arr<string>',
  'stats_activity_day_by_day list filter': 'fromDate string, toDate string, userIds arr<string>',
  'stats_interaction list filter': 'fromDate string, toDate string, userIds arr<string>',
  'stats_activity_scorecards list filter':
    'fromDateTime string, toDateTime string, scorecardIds arr<string>, reviewedUserIds arr<string>, reviewerUserIds arr<string>, callIds arr<string>',
}

const user =
  'id string, emailAddress string, created string, active boolean, emailAliases arr<string>, trustedEmailAddress string?, firstName string, lastName string, title string?, phoneNumber string?, extension string?, personalMeetingUrls arr<string>, settings obj, managerId string?, meetingConsentPageUrl string?, spokenLanguages arr<obj>'

const call =
  'id string, url string, title string, scheduled string, started string, duration integer, primaryUserId string, direction string, system string, scope string, media string, language string, workspaceId string, sdrDisposition string?, clientUniqueId string?, customData string?, purpose string?, meetingUrl string, isPrivate boolean, calendarEventId string?'

const records: Readonly<Record<string, string>> = {
  'users list': user,
  'users get': user,
  'calls list': call,
  'calls get': call,
  'calls_extensive list': 'metaData obj, parties arr<obj>, interaction obj, collaboration obj, content obj, media obj',
  'workspaces list': 'id string, workspaceId string, name string, description string',
  'call_transcripts list': 'callId string, transcript arr<obj>',
  'stats_activity_aggregate list': 'userId string, userEmailAddress string, userAggregateActivityStats obj',
  'stats_activity_day_by_day list': 'userId string, userEmailAddress string, userDailyActivityStats arr<obj>',
  'stats_interaction list': 'userId string, userEmailAddress string, personInteractionStats arr<obj>',
  'settings_scorecards list':
    'scorecardId string, scorecardName string, workspaceId string?, enabled boolean, updaterUserId string, created string, updated string, reviewMethod string, questions arr<obj>',
  'settings_trackers list':
    'trackerId string, trackerName string, workspaceId string?, languageKeywords arr<obj>, affiliation string, partOfQuestion boolean, saidAt string, saidAtInterval string?, saidAtUnit string?, saidInTopics arr<string>, filterQuery string, created string, creatorUserId string?, updated string, updaterUserId string?',
  'library_folders list': 'id string, name string, parentFolderId string?, createdBy string?, updated string',
  'library_folder_content list':
    'callId string, title string, started string, duration integer, primaryUserId string, url string',
  'coaching list': 'userId string, userEmailAddress string, userName string, isManager boolean, coachingMetrics obj',
  'stats_activity_scorecards list':
    'answeredScorecardId string, scorecardId string, scorecardName string, callId string, callStartTime string, reviewedUserId string, reviewerUserId string, reviewMethod string, editorUserId string?, answeredDateTime string, reviewTime string, visibilityType string, visibility string, overallScore number, answers arr<obj>',
}

/** What stands inside of record fields, as far as the specification says. */
const insideRecords: Readonly<Record<string, string>> = {
  'stats_activity_aggregate list userAggregateActivityStats':
    'callsAsHost integer, callsGaveFeedback integer, callsRequestedFeedback integer, callsReceivedFeedback integer, ownCallsListenedTo integer, othersCallsListenedTo integer, callsSharedInternally integer, callsSharedExternally integer, callsScorecardsFilled integer, callsScorecardsReceived integer, callsAttended integer, callsCommentsGiven integer, callsCommentsReceived integer, callsMarkedAsFeedbackGiven integer, callsMarkedAsFeedbackReceived integer',
  'stats_activity_day_by_day list userDailyActivityStats':
    'fromDate string, toDate string, callsAsHost arr<string>, callsGaveFeedback arr<string>, callsRequestedFeedback arr<string>, callsReceivedFeedback arr<string>, ownCallsListenedTo arr<string>, othersCallsListenedTo arr<string>, callsSharedInternally arr<string>, callsSharedExternally arr<string>, callsScorecardsFilled arr<string>, callsScorecardsReceived arr<string>, callsAttended arr<string>, callsCommentsGiven arr<string>, callsCommentsReceived arr<string>, callsMarkedAsFeedbackGiven arr<string>, callsMarkedAsFeedbackReceived arr<string>',
  'stats_interaction list personInteractionStats': 'name string, value number',
  'settings_scorecards list questions':
    'questionId string, questionRevisionId string, questionText string, questionType string, updaterUserId string, created string, updated string, isRequired boolean, isOverall boolean, answerGuide string?, minRange string?, maxRange string?, answerOptions arr<obj>',
  'coaching list coachingMetrics':
    'callsListened integer, callsAttended integer, callsWithFeedback integer, callsWithComments integer, scorecardsFilled integer',
  'stats_activity_scorecards list answers':
    'questionId string, questionRevisionId string, answer string, isOverall boolean, notApplicable boolean, answerText string?, score number, selectedOptions arr?',
}

const searchable: Readonly<Record<string, string>> = {
  users:
    'id string, emailAddress string, created string, active boolean, emailAliases array, trustedEmailAddress string, firstName string, lastName string, title string, phoneNumber string, extension string, personalMeetingUrls array, settings object, managerId string, meetingConsentPageUrl string, spokenLanguages array',
  calls:
    'id string, url string, title string, scheduled string, started string, duration integer, primaryUserId string, direction string, system string, scope string, media string, language string, workspaceId string, sdrDisposition string, clientUniqueId string, customData string, purpose string, meetingUrl string, isPrivate boolean, calendarEventId string',
  calls_extensive:
    'id integer, startdatetime string, collaboration object, content object, context object, interaction object, media object, metaData object, parties array',
  settings_scorecards:
    'created string, scorecardId string, scorecardName string, updated string, updaterUserId string, workspaceId string, enabled boolean, questions array',
  stats_activity_scorecards:
    'answeredScorecardId string, callId string, callStartTime string, reviewTime string, reviewedUserId string, reviewerUserId string, scorecardId string, scorecardName string, visibilityType string, answers array',
}

/** Fields that the specification does not let be null although the system has no value for some records. */
const nullToo: Readonly<Record<string, string>> = {
  'calls list scheduled': 'calls by telephone are not scheduled',
  'calls list meetingUrl': 'calls by telephone have no address',
  'calls get scheduled': 'as in the list',
  'calls get meetingUrl': 'as in the list',
  'calls_extensive list metaData scheduled': 'as in calls',
  'calls_extensive list metaData meetingUrl': 'as in calls',
  'calls_extensive list parties': 'not asked for, or an imported call',
  'calls_extensive list interaction': 'not asked for',
  'calls_extensive list collaboration': 'not asked for',
  'calls_extensive list content': 'not asked for',
  'calls_extensive list media': 'not asked for, or no recording',
  'settings_scorecards list questions isRequired': 'the system does not tell it',
  'library_folder_content list started': 'the call itself cannot be read',
  'library_folder_content list duration': 'the call itself cannot be read',
  'library_folder_content list primaryUserId': 'the call itself cannot be read',
  'stats_activity_scorecards list overallScore': 'there is no overall question, or it does not apply',
  'stats_activity_scorecards list answers answer': 'the question does not apply',
  'stats_activity_scorecards list answers score': 'the question does not apply, or has options instead',
}

/** A table of fields at a place, with the exceptions that are known there. */
const tableAt = (place: string, line: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(table(line)).map(([name, type]) => [
      name,
      Object.hasOwn(nullToo, `${place} ${name}`) ? `${type}?` : type,
    ]),
  )

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const short: Readonly<Record<string, string>> = { object: 'obj', array: 'arr' }

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) {
    const types = schema.anyOf.map(typeOf)
    return types[1] === 'null' && types.length === 2 ? `${types[0]}?` : types.join(' or ')
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.join('|')
  const name = short[schema.type ?? ''] ?? String(schema.type)
  return schema.items === undefined ? name : `${name}<${typeOf(schema.items)}>`
}

const typesIn = ({ properties = {}, required = [] }: Schema, marked: boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      typeOf(field) + (marked && required.includes(name) ? '*' : ''),
    ]),
  )

/** The fields of the specification; those that the system documents besides are optional. */
const usualIn = (record: Schema): Record<string, string> =>
  Object.fromEntries((record.required ?? []).map((name) => [name, typeOf(record.properties![name]!)]))

/** The schema under a field, through the items of an array. */
function inside(schema: Schema | null, path: readonly string[]): Schema {
  let found = schema ?? {}
  for (const name of path) {
    const field = found.properties?.[name] ?? {}
    found = field.items ?? field
  }
  return found
}

const table = (line: string): Record<string, string> =>
  Object.fromEntries(
    line
      .split(', ')
      .filter((part) => part !== '')
      .map((part) => {
        const space = part.indexOf(' ')
        return [part.slice(0, space), part.slice(space + 1)]
      }),
  )

const described = describeConnector(gong)

function action(key: string): { params: Schema; record: Schema | null; path: readonly string[] } {
  const [entity = '', name = '', ...path] = key.split(' ')
  const found = findEntity(gong, entity)[name as Operation['action']]
  assert.ok(found, `${key} is missing`)
  return { params: found.params as Schema, record: found.action === 'download' ? null : (found.record as Schema), path }
}

describe('the call-analytics catalog is that of the specification', () => {
  it('has its names and no others', () => {
    assert.equal(described.connector_type, 'gong')
    assert.equal(described.definition_id, '32382e40-3b49-4b99-9c5c-4076501914e7')
    assert.equal(described.replication_config, null)
    const all = described.entities.flatMap(({ name, actions }) => actions.map((one) => `${name} ${one.name}`))
    assert.deepEqual(all.sort(), [...Object.keys(operations), ...searched.map((name) => `${name} search`)].sort())
  })

  it('takes the credentials of the contract', () => {
    const methods = described.auth_methods.map(({ name, credentials }) => [name, typesIn(credentials as Schema, true)])
    assert.deepEqual(Object.fromEntries(methods), {
      oauth: table('refresh_token string*, access_token string, client_id string, client_secret string'),
      access_key: table('access_key string*, access_key_secret string*'),
    })
  })

  for (const [key, params] of Object.entries(operations))
    it(`takes the params of ${key}`, () => assert.deepEqual(typesIn(action(key).params, true), table(params)))

  for (const [key, fields] of Object.entries(insideParams))
    it(`takes the keys of ${key}`, () => {
      const { params, path } = action(key)
      assert.deepEqual(typesIn(inside(params, path), true), table(fields))
    })

  it('lets no param hold more than is named', () => {
    const open = (schema: Schema): boolean =>
      schema.type === 'object' &&
      ((schema as { additionalProperties?: unknown }).additionalProperties !== false ||
        Object.values(schema.properties ?? {}).some(open))
    assert.deepEqual(
      Object.keys(operations).filter((key) => open(action(key).params)),
      [],
    )
  })

  for (const key of Object.keys(operations)) {
    if (key.endsWith('download')) it(`gives no record for ${key}`, () => assert.equal(action(key).record, null))
    else
      it(`gives the record of ${key}`, () =>
        assert.deepEqual(usualIn(action(key).record!), tableAt(key, records[key] ?? 'missing')))
  }

  for (const [key, fields] of Object.entries(insideRecords))
    it(`gives what stands inside ${key}`, () => {
      const { record, path } = action(key)
      assert.deepEqual(usualIn(inside(record, path)), tableAt(key, fields))
    })

  it('gives the metadata of extensive calls the types of calls', () => {
    const key = 'calls_extensive list metaData'
    assert.deepEqual(usualIn(inside(action(key).record, ['metaData'])), tableAt(key, call))
  })

  it('searches the fields of the specification', () => {
    const all = described.entities
      .filter(({ searchable_fields: fields }) => Object.keys(fields).length > 0)
      .map(({ name, searchable_fields: fields }) => [name, fields])
    const wanted = Object.entries(searchable).map(([name, fields]) => [name, table(fields)])
    assert.deepEqual(Object.fromEntries(all), Object.fromEntries(wanted))
  })
})
