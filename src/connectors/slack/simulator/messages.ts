/** Everything that was said: messages, threads with their replies, and the notices of the system itself. */
import { type Draw, pick, seededRandom } from '../../../kit/simulator.ts'
import { at } from './channels.ts'
import { archive } from './files.ts'
import { idOf } from './people.ts'
import { type Channel, keyOf, type Message } from './records.ts'
import { team } from './team.ts'

/** The messages that examples and documents name, in the channel `launch`. */
export const said = {
  parent: '1780300800.000100',
  firstReply: '1780301400.000200',
  plain: '1780297200.000300',
} as const

const sentences = [
  'The mill confirmed the fabric for Monday',
  'Who can look at the returns of the Cairn 45?',
  'Posted the draft of the order form',
  'Lunch at the lake today',
  'The tents are through customs 🎉',
  'Preisliste ist aktualisiert',
  'サンプルが届きました',
  'Please review before five <https://northwind-camping.example/review>',
]

const day = 86_400

/** Around a hundredth of the messages are fixed; the others lie in the 60 days before `now` (milliseconds). */
export function* messages(
  seed: number,
  scale: number,
  now: number,
  channels: () => readonly Channel[],
): Generator<Message> {
  yield* landmarks()
  const all = channels()
  const each = Math.max(6, Math.ceil(scale / all.length))
  const draw = seededRandom(seed, 'slack messages')
  for (const [place, channel] of all.entries()) {
    const speakers = channel.members.filter((id) => id !== team.botUserId)
    if (speakers.length === 0) continue
    for (let n = 0; n < each; n++) {
      const index = place * 1_000_003 + n
      // The same moment in each channel: a ts is unique only within one.
      const seconds = Math.floor(now / 1000) - 3600 - Math.floor(((n + 0.5) * 60 * day) / each)
      yield* around(channel, seconds, index, draw, speakers)
    }
  }
}

const written = (channel: string, ts: string, rest: Omit<Message, 'key' | 'channel' | 'ts'>): Message => ({
  key: keyOf(channel, ts),
  channel,
  ts,
  ...rest,
})

const reply = (channel: string, ts: string, parent: string, rest: Pick<Message, 'user' | 'text'>): Message =>
  written(channel, ts, { thread: keyOf(channel, parent), ...rest })

function* landmarks(): Generator<Message> {
  const channel = at.launch
  const history = channel
  const [ana, other] = [team.userId, idOf('U', 0)]
  yield written(channel, said.plain, {
    history,
    user: ana,
    text: 'Ship date is set: 12 June',
    edited: { user: ana, ts: '1780297260.000000' },
    files: [archive.pdf],
  })
  yield written(channel, said.parent, {
    history,
    user: ana,
    text: 'Ship the Ridgeline shell with the catalog?',
    reactions: [{ name: 'eyes', users: [other, ana] }],
  })
  yield reply(channel, said.firstReply, said.parent, { user: other, text: 'Yes, the mill is ready' })
  const broadcast = reply(channel, '1780302000.000400', said.parent, { user: ana, text: 'Then we ship both' })
  yield { ...broadcast, history, subtype: 'thread_broadcast' }
}

type Rest = Partial<Omit<Message, 'key' | 'channel' | 'ts'>>

/** What sets some messages apart, by a number below twenty that is drawn for each. */
function particular(sort: number, index: number, seconds: number, user: string, text: string): Rest | undefined {
  const attachment = { id: 1, fallback: 'Build 812', color: '2eb886', title: 'Build 812', text: 'main', ts: seconds }
  const blocks = [{ type: 'section', block_id: 'b1', text: { type: 'plain_text', text } }]
  return (
    [
      { subtype: 'channel_join', text: `<@${user}> has joined` },
      {
        ...{ subtype: 'bot_message', bot_id: team.botId, text: 'Build passed' },
        more: { username: 'builds', attachments: [attachment] },
      },
      { subtype: 'me_message' },
      { edited: { user, ts: `${seconds + 60}.000000` } },
      { reactions: [{ name: '+1', users: [user] }] },
      { files: index % 3 === 0 ? [idOf('F', index % 5)] : [] },
      { more: { client_msg_id: `8f3b${index}`, blocks } },
    ] satisfies Rest[]
  )[sort]
}

/** A message around a moment, with its thread. */
function* around(
  { id: channel, name }: Channel,
  seconds: number,
  index: number,
  draw: Draw,
  speakers: readonly string[],
): Generator<Message> {
  const ts = `${seconds}.${String((index % 999) + 1).padStart(6, '0')}`
  const user = pick(speakers, draw(index))
  const text = pick(sentences, draw(index + 1))
  const history = channel
  const sort = draw(index + 2) % 20
  const rest = particular(sort, index, seconds, user, text) ?? { text: `${text} (${name ?? 'direct'})` }
  yield written(channel, ts, { history, text, ...('bot_id' in rest ? {} : { user }), ...rest })
  // Every fourth has a thread, whose replies come in the hours and days after it.
  if (sort === 0 || index % 4 !== 0) return
  const replies = 1 + (draw(index + 3) % 4)
  for (let n = 1; n <= replies; n++) {
    const later = `${seconds + n * 1800}.${String((index % 997) + 1).padStart(6, '0')}`
    const answer = reply(channel, later, ts, { user: pick(speakers, draw(index + n)), text: `Reply ${n}: ${text}` })
    yield n === 2 && index % 8 === 0 ? { ...answer, history, subtype: 'thread_broadcast' } : answer
  }
}
