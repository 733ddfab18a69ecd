/** The company's users, generated from their index. */
import { pick, seededRandom } from '../../../kit/simulator.ts'
import { dateTime, day, hour } from './calendar.ts'
import { idOf } from './ids.ts'
import { company, firstNames, lastNames, titles } from './vocabulary.ts'

export interface People {
  readonly count: number
  /** Users who host calls: everybody but managers, deactivated users and avatars. */
  readonly hosts: readonly number[]
  readonly managers: readonly number[]
  name(index: number): { first: string; last: string }
  email(index: number): string
  managerOf(index: number): number | undefined
  active(index: number): boolean
  /** Accounts of Gong's own staff: hidden from the list of users, though other records name them. */
  isAvatar(index: number): boolean
  /** The user in Gong's form. */
  record(index: number): Record<string, unknown>
}

/** A manager and the users before the next one form a team. */
const teamSize = 9

export function createPeople(seed: number, scale: number): People {
  const count = 264 + Math.min(4000, Math.floor(scale / 100))
  const draw = seededRandom(seed, 'people')
  const isManager = (index: number) => index % teamSize === 0
  const isAvatar = (index: number) => index === count - 1 || index === count - 2
  const active = (index: number) => isManager(index) || index % 17 !== 5
  const all = Array.from({ length: count }, (_, index) => index)
  const name = (index: number) => ({
    first: pick(firstNames, draw(index)),
    last: pick(lastNames, draw(index + 1_000_000)),
  })
  const plain = (word: string) => word.toLowerCase().replace(/[^a-z]/g, '')
  const email = (index: number) => {
    const { first, last } = name(index)
    return `${plain(first)}.${plain(last)}${index}@${company.domain}`
  }
  const managerOf = (index: number) => (isManager(index) ? undefined : index - (index % teamSize))

  return {
    count,
    hosts: all.filter((index) => !isManager(index) && active(index) && !isAvatar(index)),
    managers: all.filter((index) => isManager(index) && !isAvatar(index)),
    name,
    email,
    managerOf,
    active,
    isAvatar,
    record(index) {
      const { first, last } = name(index)
      const manager = managerOf(index)
      const drawn = draw(index + 2_000_000)
      const created = Date.UTC(2019, 2, 1) + (index % 1500) * day + (drawn % 8) * hour
      return {
        id: idOf('user', index),
        emailAddress: email(index),
        created: dateTime(created, -10, index % 2 === 0 ? 3 : 0),
        active: active(index),
        emailAliases: index % 6 === 0 ? [`${plain(first)}${index}@mail.${company.domain}`] : [],
        trustedEmailAddress: index % 11 === 0 ? `${plain(last)}${index}@trusted.example` : null,
        firstName: first,
        lastName: last,
        title: isManager(index) ? 'Sales Manager' : index % 13 === 1 ? null : pick(titles, drawn),
        phoneNumber: index % 4 === 0 ? `+1 808 555 ${String(index).padStart(4, '0')}` : null,
        extension: index % 4 === 0 ? String(100 + (index % 900)) : null,
        personalMeetingUrls: index % 3 === 0 ? [`https://zoom.example/my/${plain(first)}${index}`] : [],
        settings: {
          webConferencesRecorded: true,
          preventWebConferenceRecording: false,
          telephonyCallsImported: index % 2 === 0,
          emailsImported: true,
          preventEmailImport: false,
          nonRecordedMeetingsImported: index % 5 === 0,
          gongConnectEnabled: index % 3 === 0,
        },
        managerId: manager === undefined ? null : idOf('user', manager),
        // Some answers leave the field out, others send null.
        ...(index % 9 === 4
          ? { meetingConsentPageUrl: `https://join.gong.example/${plain(first)}${index}` }
          : index % 2 === 0
            ? { meetingConsentPageUrl: null }
            : {}),
        spokenLanguages: [
          { language: 'en-US', primary: true },
          ...(index % 7 === 0 ? [{ language: 'ja-JP', primary: false }] : []),
        ],
        conferencingProviders: null,
      }
    },
  }
}
