/** The company's users, made from their place in the list. */
import { addressOf, personName, pick, seededRandom } from '../../../kit/simulator.ts'
import { dateTime, day, hour } from './calendar.ts'
import { idOf } from './ids.ts'
import { company, titles } from './vocabulary.ts'

export type People = ReturnType<typeof createPeople>

export type User = People['all'][number]

/** A manager and the users before the next one form a team. */
const teamSize = 9

export function createPeople(seed: number, scale: number) {
  const count = 264 + Math.min(4000, Math.floor(scale / 100))
  const draw = seededRandom(seed, 'people')

  /** A user in Gong's form. */
  function record(index: number, manager: number | null) {
    const name = personName(index)
    const [firstName = '', ...lastName] = name.split(' ')
    const handle = `${firstName.toLowerCase()}${index}`
    const drawn = draw(index)
    const title = manager === null ? 'Sales Manager' : index % 13 === 1 ? null : pick(titles, drawn)
    const consentPage = `https://join.gong.example/${handle}`
    return {
      id: idOf('user', index),
      emailAddress: addressOf(name, company.domain),
      created: dateTime(Date.UTC(2019, 2, 1) + (index % 1500) * day + (drawn % 8) * hour, -10, index % 2 === 0 ? 3 : 0),
      active: manager === null || index % 17 !== 5,
      emailAliases: index % 6 === 0 ? [`${handle}@mail.${company.domain}`] : [],
      trustedEmailAddress: index % 11 === 0 ? `${handle}@trusted.example` : null,
      ...{ firstName, lastName: lastName.join(' '), title },
      phoneNumber: index % 4 === 0 ? `+1 808 555 ${String(index).padStart(4, '0')}` : null,
      extension: index % 4 === 0 ? String(100 + (index % 900)) : null,
      personalMeetingUrls: index % 3 === 0 ? [`https://zoom.example/my/${handle}`] : [],
      settings: {
        ...{ webConferencesRecorded: true, preventWebConferenceRecording: false },
        ...{ emailsImported: true, preventEmailImport: false, telephonyCallsImported: index % 2 === 0 },
        ...{ nonRecordedMeetingsImported: index % 5 === 0, gongConnectEnabled: index % 3 === 0 },
      },
      managerId: manager === null ? null : idOf('user', manager),
      // Some answers leave the field out, others send null.
      ...((index % 9 === 4 || index % 2 === 0) && { meetingConsentPageUrl: index % 9 === 4 ? consentPage : null }),
      spokenLanguages: [
        { language: 'en-US', primary: true },
        ...(index % 7 === 0 ? [{ language: 'ja-JP', primary: false }] : []),
      ],
      conferencingProviders: null,
    }
  }

  const all = Array.from({ length: count }, (_, index) => {
    const manager = index % teamSize === 0 ? null : index - (index % teamSize)
    // Avatars are accounts of Gong's own staff: hidden from the list of users, though other records name them.
    return { index, manager, isAvatar: index >= count - 2, record: record(index, manager) }
  })
  const own = all.filter(({ isAvatar }) => !isAvatar)
  return {
    all,
    find: (id: string) => all.find(({ record }) => record.id === id),
    managers: own.filter(({ manager }) => manager === null),
    /** Those who hold calls. */
    hosts: own.filter(({ manager, record }) => manager !== null && record.active),
  }
}
