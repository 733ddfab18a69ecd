/** Workspaces, people, teams and tags of the simulated company. */
import { type Draw, pick, seededRandom } from '../../../kit/simulator.ts'
import { gidOf } from './gids.ts'
import type { Layout } from './layout.ts'
import type { Tag, Team, User, Workspace } from './records.ts'
import { firstNames, lastNames, tagNames, teamNames, vendors } from './vocabulary.ts'

/** Everything generated happened before this moment. */
export const anchor = Date.UTC(2026, 5, 1, 7, 0, 0)
export const day = 86_400_000

export const workspaceGids = {
  company: gidOf('workspace', 0),
  volunteers: gidOf('workspace', 1),
  foreign: gidOf('workspace', 2),
} as const

export const workspaces: readonly Workspace[] = [
  {
    kind: 'workspace',
    gid: workspaceGids.company,
    name: 'Northpass Outfitters',
    emailDomains: ['northpass.example'],
    isOrganization: true,
    paid: true,
  },
  {
    kind: 'workspace',
    gid: workspaceGids.volunteers,
    name: 'Front Range Trail Volunteers',
    emailDomains: [],
    isOrganization: false,
    paid: false,
  },
  {
    kind: 'workspace',
    gid: workspaceGids.foreign,
    name: 'Kestrel Freight',
    emailDomains: ['kestrel-freight.example'],
    isOrganization: true,
    paid: true,
  },
]

/** Indices of people with a part in tests; all others are colleagues. */
export const people = { one: 0, two: 1, volunteer: 2, deleted: 3, guest: 4, foreigner: 5 } as const

const colors = [
  'dark-pink',
  'dark-green',
  'dark-blue',
  'dark-red',
  'dark-teal',
  'dark-brown',
  'dark-orange',
  'dark-purple',
  'light-pink',
  'light-green',
  'light-blue',
  'aqua',
  'hot-pink',
  'yellow-green',
  'none',
] as const

export interface Organization {
  user(index: number): User | undefined
  team(index: number): Team | undefined
  tag(index: number): Tag | undefined
  /** The index of the person at a place in the order of `/users`. */
  userAtPlace(place: number): number
  /** The two teams a person belongs to. */
  teamsOfUser(index: number): readonly number[]
  color(drawn: number): string
}

export function createOrganization(seed: number, layout: Layout): Organization {
  const draw = {
    photo: seededRandom(seed, 'photo'),
    team: seededRandom(seed, 'second team'),
    tag: seededRandom(seed, 'tag'),
  }
  const stride = [7, 11, 13, 17].find((prime) => layout.users % prime !== 0) ?? 1
  return {
    user: (index) => (index < layout.users ? makeUser(index, draw.photo) : undefined),
    team: (index) => (index < layout.teams ? makeTeam(index, layout) : undefined),
    tag: (index) => (index < layout.tags ? makeTag(index, draw.tag, layout) : undefined),
    userAtPlace: (place) => (place * stride) % layout.users,
    teamsOfUser: (index) => [index % layout.teams, draw.team(index) % layout.teams],
    color: (drawn) => pick(colors, drawn),
  }
}

const domains = new Map<number, string>([
  [people.foreigner, 'kestrel-freight.example'],
  [people.volunteer, 'trail-volunteers.example'],
])

function makeUser(index: number, photo: Draw): User {
  const column = index % firstNames.length
  const first = firstNames[column] as string
  // Each pair of names occurs once: columns meet last names at different rows.
  const last = pick(lastNames, Math.floor(index / firstNames.length) + column)
  return {
    kind: 'user',
    gid: gidOf('user', index),
    name: `${first} ${last}`,
    get email() {
      return index === people.guest ? undefined : addressOf(first, last, domains.get(index) ?? 'northpass.example')
    },
    hasPhoto: index !== people.guest && (index < 3 || photo(index) % 4 !== 0),
    workspaces: workspacesOf(index),
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

function makeTeam(index: number, layout: Layout): Team {
  const secret = index === layout.teams - 1
  const place = Math.floor(index / teamNames.length)
  const name = pick(teamNames, index) + ['', ' Europe', ' Canada'][place]
  return {
    kind: 'team',
    gid: gidOf('team', index),
    name: secret ? 'Board office' : name,
    description: index % 3 === 2 ? '' : `Everything about ${secret ? 'the board' : name.toLowerCase()} at Northpass.`,
    workspace: workspaceGids.company,
    secret,
  }
}

function makeTag(index: number, draw: Draw, layout: Layout): Tag {
  const drawn = draw(index)
  const own = tagNames[index]
  return {
    kind: 'tag',
    gid: gidOf('tag', index),
    name: own ?? `${pick(vendors, index)} ${String(1000 + index)}`,
    color: index % 7 === 6 ? null : pick(colors, drawn),
    notes: index % 5 === 0 ? 'Agreed in the planning round.' : '',
    createdAt: anchor - 700 * day + Math.floor((600 * day * index) / layout.tags) + (drawn % day),
    followers: drawn % 3 === 0 ? [gidOf('user', 6 + (drawn % 12))] : [],
    workspace: workspaceGids.company,
  }
}
