/** The workspace: its records, and the settings that changes on demand turn. */
import { type Collection, createCollection, type Surroundings } from '../../../kit/simulator.ts'
import { channels } from './channels.ts'
import { files } from './files.ts'
import { messages } from './messages.ts'
import { people, userGroups } from './people.ts'
import { type Channel, type Message, type SlackFile, sortable, type User, type UserGroup } from './records.ts'

export interface World {
  readonly users: Collection<User>
  readonly channels: Collection<Channel>
  readonly messages: Collection<Message>
  readonly files: Collection<SlackFile>
  readonly usergroups: Collection<UserGroup>
  readonly settings: {
    /** History and replies at one call a minute and fifteen messages, as for applications outside the Marketplace. */
    restricted: boolean
    /** Every other page of a list is shorter than asked for, with more to come. */
    shortPages: boolean
    /** The file host shows a sign-in page under status 200. */
    signInPage: boolean
  }
  readonly filesOrigin: string
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

/** In each channel, from the first message to the last. */
const byMoment = (a: Message, b: Message): number => {
  const [one, other] = [a, b].map(({ channel, ts }) => `${channel}:${sortable(ts)}`) as [string, string]
  return one < other ? -1 : one > other ? 1 : 0
}

export function createWorld({ seed, scale, clock, filesOrigin }: Surroundings): World {
  const began = clock.now()
  const conversations = createCollection<Channel>({
    name: 'channels',
    records: channels(seed, scale),
    key: ({ id }) => id,
    order: byId,
  })
  return {
    users: createCollection<User>({
      name: 'users',
      records: people(seed, scale),
      key: ({ id }) => id,
      order: byId,
    }),
    channels: conversations,
    messages: createCollection<Message>({
      name: 'messages',
      records: messages(seed, scale, began, () => conversations.rows),
      key: ({ key }) => key,
      order: byMoment,
    }),
    files: createCollection<SlackFile>({
      name: 'files',
      records: files(scale),
      key: ({ id }) => id,
      order: byId,
    }),
    usergroups: createCollection<UserGroup>({
      name: 'usergroups',
      records: userGroups(scale),
      key: ({ id }) => id,
      order: byId,
    }),
    settings: { restricted: false, shortPages: false, signInPage: false },
    filesOrigin,
  }
}
