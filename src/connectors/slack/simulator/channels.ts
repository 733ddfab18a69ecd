/** The conversations of the workspace: public, private, archived and shared channels, group and direct messages. */
import { pick, seededRandom } from '../../../kit/simulator.ts'
import { crowdAt, founded, idOf } from './people.ts'
import type { Channel } from './records.ts'
import { team } from './team.ts'

/** The conversations that tests look for. */
export const at = {
  general: 'C0A1B2C01',
  /** With the messages and threads that examples name. */
  launch: 'C0A1B2C02',
  /** Public, without the bot. */
  quiet: 'C0A1B2C03',
  /** Private, with the bot. */
  leads: 'C0A1B2C04',
  /** Private, without the bot. */
  board: 'C0A1B2C05',
  /** Archived, and the bot is still a member. */
  archived: 'C0A1B2C06',
  /** Archived, and the bot was never a member. */
  closed: 'C0A1B2C07',
  shared: 'C0A1B2C08',
  /** Between the owner of the user token and the bot, and between that owner and another person. */
  directWithBot: 'D0A1B2C09',
  direct: 'D0A1B2C10',
  group: 'G0A1B2C11',
} as const

const subjects = ['tents', 'stoves', 'returns', 'suppliers', 'website', 'hiring', 'boots', 'ideas', 'büro', '日本']

export function* channels(seed: number, scale: number): Generator<Channel> {
  const crowd = Array.from({ length: crowdAt(scale) }, (_, n) => idOf('U', n))
  const { userId: ana, botUserId: bot } = team
  const usual: Omit<Channel, 'id' | 'members'> = {
    type: 'public_channel',
    created: founded,
    creator: ana,
    archived: false,
    shared: false,
    general: false,
    topic: '',
    purpose: '',
    previous_names: [],
  }
  const few = crowd.slice(0, 6)
  yield {
    ...{ ...usual, id: at.general, name: 'general', general: true, members: [ana, bot, ...crowd] },
    topic: 'Company news',
    purpose: 'For everyone',
  }
  yield {
    ...{ ...usual, id: at.launch, name: 'launch', members: [ana, bot, ...few], previous_names: ['launch-2025'] },
    created: founded + 4_000_000,
    topic: 'Ship date: 12 June',
    purpose: 'The summer launch',
  }
  yield { ...usual, id: at.quiet, name: 'quiet', members: [ana, ...few], purpose: 'Without the bot' }
  yield { ...usual, type: 'private_channel', id: at.leads, name: 'leads', members: [ana, bot, ...few.slice(0, 3)] }
  yield { ...usual, type: 'private_channel', id: at.board, name: 'board', members: [ana, ...few.slice(0, 2)] }
  yield { ...usual, id: at.archived, name: 'fair-2024', members: [ana, bot, ...few], archived: true }
  yield { ...usual, id: at.closed, name: 'fair-2023', members: [ana], archived: true }
  yield { ...usual, id: at.shared, name: 'ext-mill', members: [ana, bot, ...few], shared: true }
  yield { ...usual, type: 'im', id: at.directWithBot, members: [ana, bot] }
  yield { ...usual, type: 'im', id: at.direct, members: [ana, crowd[0]!] }
  yield {
    ...{ ...usual, type: 'mpim', id: at.group, members: [ana, bot, crowd[0]!] },
    name: `mpdm-ana--conex--bram-1`,
  }
  const draw = seededRandom(seed, 'slack channels')
  const count = Math.min(300, Math.floor(scale / 50))
  for (let n = 0; n < count; n++) {
    const members = crowd.filter((_, i) => draw(i * 307 + n) % 3 === 0)
    yield {
      ...{ ...usual, id: idOf('C', n), name: `${pick(subjects, draw(n))}-${n}`, created: founded + n * 86_400 },
      members: [...(n % 2 === 0 ? [bot] : []), ...(n % 3 === 0 ? [ana] : []), ...members],
      archived: n % 9 === 8,
    }
  }
}
