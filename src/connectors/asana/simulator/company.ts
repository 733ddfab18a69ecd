/** The simulated company: its workspaces, people, teams and tags, and how many of each a scale has. */
import { addressOf, personName, pick, seededRandom } from '../../../kit/simulator.ts'
import { gidOf } from './gids.ts'
import { anchor, day, type Tag, type Team, timeOf, type User, type Workspace } from './records.ts'
import { tagNames, teamNames, vendors } from './vocabulary.ts'

const company = gidOf('workspace', 0)
export const workspaceGids = { company, volunteers: gidOf('workspace', 1), foreign: gidOf('workspace', 2) } as const

const organization = (domain: string) => ({ email_domains: [domain], is_organization: true, paid: true })

export const workspaces: readonly Workspace[] = [
  { ...organization('northpass.example'), name: 'Northpass Outfitters' },
  { email_domains: [], is_organization: false, paid: false, name: 'Front Range Trail Volunteers' },
  { ...organization('kestrel-freight.example'), name: 'Kestrel Freight' },
].map((fields, rank) => ({ ...fields, gid: gidOf('workspace', rank), resource_type: 'workspace', rank }))

/** Indices of people with a part in tests; all others are colleagues. */
export const people = { one: 0, two: 1, volunteer: 2, deleted: 3, guest: 4, foreigner: 5 } as const

export const user = (index: number): string => gidOf('user', index)

/** A colleague without a part of their own. */
export const colleague = (drawn: number, { users }: Sizes): string => user(6 + (drawn % (users - 6)))

export type Sizes = ReturnType<typeof sizesFor>

export function sizesFor(scale: number) {
  /** Tasks in the project that is too large for an unpaged answer, if the scale allows it. */
  const bulk = scale >= 10_000 ? 5000 : scale >= 2000 ? 1050 : Math.floor(scale * 0.3)
  /** Tasks that were all created, and last changed, in one millisecond. */
  const imported = scale >= 1000 ? 350 : Math.floor(scale * 0.2)
  const oneIn = (tasks: number, least: number, most: number) =>
    Math.min(most, Math.max(least, Math.floor(scale / tasks)))
  return {
    ...{ bulk, imported, regular: Math.max(4, scale - bulk - imported) },
    ...{ users: oneIn(40, 24, 4900), teams: oneIn(250, 6, 40), tags: oneIn(100, 12, 3000) },
  }
}

export const colors = 'dark-pink,dark-green,dark-blue,light-orange,light-purple,aqua,hot-pink,none'.split(',')

/** The addresses and workspaces of people who are not in the company. */
const outsiders: Readonly<Record<number, readonly [string, string]>> = {
  [people.foreigner]: ['kestrel-freight.example', workspaceGids.foreign],
  [people.volunteer]: ['trail-volunteers.example', workspaceGids.volunteers],
}

export function generateUsers(seed: number, { users, teams }: Sizes): User[] {
  const draw = seededRandom(seed, 'user')
  return Array.from({ length: users }, (_, index) => {
    const name = personName(index)
    const [domain, workspace] = outsiders[index] ?? ['northpass.example', company]
    const isVolunteer = index === people.two || (index > 5 && index < 12)
    const teamsOf = [index, draw(index) >>> 2].map((drawn) => gidOf('team', drawn % teams))
    return {
      ...{ gid: user(index), resource_type: 'user', name },
      workspaces: isVolunteer ? [workspace, workspaceGids.volunteers] : [workspace],
      teams: workspace === company ? [...new Set(teamsOf)] : [],
      email: index === people.guest ? undefined : addressOf(name, domain),
      photo: index !== people.guest && (index < 3 || draw(index) % 4 !== 0),
      // People stand in an order of their own, which is not that of their gids.
      rank: users - index,
    }
  })
}

/** The last team is secret. */
export const generateTeams = ({ teams }: Sizes): Team[] =>
  Array.from({ length: teams }, (_, rank) => {
    const isSecret = rank === teams - 1
    const number = rank < teamNames.length ? '' : ` ${1 + Math.floor(rank / teamNames.length)}`
    const name = isSecret ? 'Board office' : pick(teamNames, rank) + number
    return {
      ...{ gid: gidOf('team', rank), resource_type: 'team', rank, name, workspace: company, endorsed: false },
      description: rank % 3 === 2 ? '' : `Everything about ${name}.`,
      visibility: isSecret ? 'secret' : 'request_to_join',
    }
  })

export function generateTags(seed: number, { tags }: Sizes): Tag[] {
  const draw = seededRandom(seed, 'tag')
  return Array.from({ length: tags }, (_, rank) => {
    const drawn = draw(rank)
    return {
      ...{ gid: gidOf('tag', rank), resource_type: 'tag', workspace: company, rank },
      name: tagNames[rank] ?? `${pick(vendors, rank)} ${1000 + rank}`,
      color: rank % 7 === 6 ? null : pick(colors, drawn),
      notes: rank % 5 === 0 ? 'Agreed in the planning round.' : '',
      created_at: timeOf(anchor - 700 * day + Math.floor((600 * day * rank) / tags) + (drawn % day)),
      followers: drawn % 3 === 0 ? [user(6 + (drawn % 12))] : [],
    }
  })
}
