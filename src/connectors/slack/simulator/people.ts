/** The people of the workspace: members, guests, bots, and those who have left. */
import { addressOf, personName, pick, seededRandom } from '../../../kit/simulator.ts'
import type { User, UserGroup } from './records.ts'
import { team } from './team.ts'

const titles = ['Support', 'Buyer', 'Field sales', 'Engineer', 'Designer', 'Operations', '']
const zones = ['Europe/Lisbon', 'America/Los_Angeles', 'Asia/Tokyo', 'Europe/Berlin']

/** When the workspace was founded, in seconds. */
export const founded = 1_672_531_200

/** The nth generated id with this letter. */
export const idOf = (letter: string, n: number): string =>
  `${letter}07${((n + 1) * 7919 + 60_466_176).toString(36).toUpperCase()}`

/** How many people there are besides the named ones. */
export const crowdAt = (scale: number): number => Math.min(3000, 8 + Math.floor(scale / 40))

export function* people(seed: number, scale: number): Generator<User> {
  const named = { deleted: false, updated: founded + 86_400, tz: zones[0]! }
  yield {
    ...{ ...named, id: team.userId, name: team.userName, real_name: 'Ana Ruiz', title: 'Head of support' },
    email: 'ana@northwind-camping.example',
    role: 'owner',
  }
  yield { ...named, id: team.botUserId, name: team.botName, real_name: 'Conex', title: '', role: 'bot' }
  yield { ...named, id: 'USLACKBOT', name: 'slackbot', real_name: 'Slackbot', title: '', role: 'bot' }
  const draw = seededRandom(seed, 'slack people')
  const count = crowdAt(scale)
  for (let n = 0; n < count; n++) {
    const real_name = personName(n)
    const email = addressOf(real_name, 'northwind-camping.example')
    yield {
      id: idOf('U', n),
      name: email.split('@')[0]!,
      ...{ real_name, email, title: pick(titles, draw(4 * n + 2)) },
      role: n === 2 ? 'guest' : n === 3 ? 'single-channel guest' : n === 4 ? 'bot' : n % 11 === 0 ? 'admin' : 'member',
      deleted: n === 1 || n % 13 === 12,
      updated: founded + (draw(4 * n + 3) % 100_000_000),
      tz: pick(zones, draw(n)),
    }
  }
}

/** The user group that tests look for. */
export const supportGroup = 'S0A1B2C3J'

export function* userGroups(scale: number): Generator<UserGroup> {
  const common = { channels: [], created: founded + 86_400, updated: founded + 172_800 }
  const some = Array.from({ length: Math.min(5, crowdAt(scale)) }, (_, n) => idOf('U', n))
  const words = { name: 'Support', handle: 'support', description: 'Answers customers' }
  yield { ...common, ...words, id: supportGroup, users: [team.userId, ...some], deleted: 0 }
  yield { ...common, id: idOf('S', 1), name: 'Buyers', handle: 'buyers', description: '', users: some, deleted: 0 }
  const left = { name: 'Trade fair 2023', handle: 'fair-2023', description: 'Over' }
  yield { ...common, ...left, id: idOf('S', 2), users: [], deleted: founded + 20_000_000 }
}
