/** The simulated company: its workspaces, people, teams and tags, and how many of each a scale has. */
import { pick, seededRandom } from '../../../kit/simulator.ts'
import { gidOf } from './gids.ts'
import { anchor, day, type Tag, type Team, timeOf, type User, type Workspace } from './records.ts'
import { firstNames, lastNames, tagNames, teamNames, vendors } from './vocabulary.ts'

export const workspaceGids = {
  company: gidOf('workspace', 0),
  volunteers: gidOf('workspace', 1),
  foreign: gidOf('workspace', 2),
} as const

const organization = (domain: string) => ({ email_domains: [domain], is_organization: true, paid: true })

export const workspaces: readonly Workspace[] = [
  { ...organization('northpass.example'), name: 'Northpass Outfitters' },
  { email_domains: [], is_organization: false, paid: false, name: 'Front Range Trail Volunteers' },
  { ...organization('kestrel-freight.example'), name: 'Kestrel Freight' },
].map((fields, index) => ({ ...fields, gid: gidOf('workspace', index), resource_type: 'workspace', rank: index }))

/** Indices of people with a part in tests; all others are colleagues. */
export const people = { one: 0, two: 1, volunteer: 2, deleted: 3, guest: 4, foreigner: 5 } as const

export const user = (index: number): string => gidOf('user', index)

/** A colleague without a part of their own. */
export const colleague = (drawn: number, { users }: Sizes): string => user(6 + (drawn % (users - 6)))

export interface Sizes {
  /** Tasks in the project that is too large for an unpaged answer, if the scale allows it. */
  readonly bulk: number
  /** Tasks that were all created, and last changed, in one millisecond. */
  readonly imported: number
  readonly regular: number
  readonly users: number
  readonly teams: number
  readonly tags: number
}

export function sizesFor(scale: number): Sizes {
  const bulk = scale >= 10_000 ? 5000 : scale >= 2000 ? 1050 : Math.floor(scale * 0.3)
  const imported = scale >= 1000 ? 350 : Math.floor(scale * 0.2)
  const oneIn = (tasks: number, least: number, most: number) =>
    Math.min(most, Math.max(least, Math.floor(scale / tasks)))
  return {
    ...{ bulk, imported, regular: Math.max(4, scale - bulk - imported) },
    ...{ users: oneIn(40, 24, 5000), teams: oneIn(250, 6, 40), tags: oneIn(100, 12, 3000) },
  }
}

export const colors = (
  'dark-pink,dark-green,dark-blue,dark-red,dark-teal,dark-brown,dark-orange,dark-purple,' +
  'light-pink,light-green,light-blue,aqua,hot-pink,yellow-green,none'
).split(',')

const domains: Readonly<Record<number, string>> = {
  [people.foreigner]: 'kestrel-freight.example',
  [people.volunteer]: 'trail-volunteers.example',
}

export function* generateUsers(seed: number, { users }: Sizes): Iterable<User> {
  const photo = seededRandom(seed, 'photo')
  const stride = [7, 11, 13, 17].find((prime) => users % prime !== 0) ?? 1
  for (let index = 0; index < users; index++) {
    const column = index % firstNames.length
    const first = firstNames[column] as string
    // Each pair of names occurs once: columns meet last names at different rows.
    const last = pick(lastNames, Math.floor(index / firstNames.length) + column)
    const isGuest = index === people.guest
    yield {
      gid: user(index),
      resource_type: 'user',
      name: `${first} ${last}`,
      email: isGuest ? undefined : addressOf(first, last, domains[index] ?? 'northpass.example'),
      photo: !isGuest && (index < 3 || photo(index) % 4 !== 0),
      workspaces: workspacesOf(index),
      // People stand in an order of their own, which is not that of their gids.
      rank: (index * stride) % users,
    }
  }
}

/** An address in plain letters. */
function addressOf(first: string, last: string, domain: string): string {
  const plain = `${first}.${last}`.normalize('NFKD').toLowerCase()
  const letters = plain.replace(/ł/g, 'l').replace(/ø/g, 'o').replace(/ı/g, 'i')
  return `${letters.replace(/[^a-z.-]/g, '')}@${domain}`
}

function workspacesOf(index: number): readonly string[] {
  if (index === people.foreigner) return [workspaceGids.foreign]
  if (index === people.volunteer) return [workspaceGids.volunteers]
  if (index === people.two || (index > 5 && index < 12)) return [workspaceGids.company, workspaceGids.volunteers]
  return [workspaceGids.company]
}

/** The last team is secret. */
export function* generateTeams({ teams }: Sizes): Iterable<Team> {
  for (let index = 0; index < teams; index++) {
    const isSecret = index === teams - 1
    const region = ['', ' Europe', ' Canada'][Math.floor(index / teamNames.length)]
    const name = isSecret ? 'Board office' : `${pick(teamNames, index)}${region}`
    yield {
      gid: gidOf('team', index),
      resource_type: 'team',
      name,
      description: index % 3 === 2 ? '' : `Everything about ${name.toLowerCase()} at Northpass.`,
      workspace: workspaceGids.company,
      visibility: isSecret ? 'secret' : 'request_to_join',
      endorsed: false,
      rank: index,
    }
  }
}

/** The two teams that a person belongs to. */
export function teamsOfUser(seed: number, { teams }: Sizes): (index: number) => readonly string[] {
  const second = seededRandom(seed, 'second team')
  return (index) => [gidOf('team', index % teams), gidOf('team', second(index) % teams)]
}

export function* generateTags(seed: number, { tags }: Sizes): Iterable<Tag> {
  const draw = seededRandom(seed, 'tag')
  for (let index = 0; index < tags; index++) {
    const drawn = draw(index)
    yield {
      gid: gidOf('tag', index),
      resource_type: 'tag',
      name: tagNames[index] ?? `${pick(vendors, index)} ${1000 + index}`,
      color: index % 7 === 6 ? null : pick(colors, drawn),
      notes: index % 5 === 0 ? 'Agreed in the planning round.' : '',
      created_at: timeOf(anchor - 700 * day + Math.floor((600 * day * index) / tags) + (drawn % day)),
      followers: drawn % 3 === 0 ? [user(6 + (drawn % 12))] : [],
      workspace: workspaceGids.company,
      rank: index,
    }
  }
}
