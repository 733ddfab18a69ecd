/** Params for every operation with which it finds something, for any seed and scale. */
import type { SystemExamples } from '../../../kit/simulator.ts'
import { at } from './channels.ts'
import { archive } from './files.ts'
import { said } from './messages.ts'
import { supportGroup } from './people.ts'
import { team } from './team.ts'

const channel = at.launch

export const examples: SystemExamples = {
  users: { list: {}, get: { user: team.userId } },
  user_by_email: { get: { email: 'ana@northwind-camping.example' } },
  user_profiles: { get: { user: team.userId } },
  user_presence: { get: { user: team.userId } },
  user_channels: { list: { user: team.userId, types: 'public_channel,private_channel' } },
  channels: { list: {}, get: { channel } },
  channel_members: { list: { channel } },
  channel_messages: { list: { channel }, get: { channel, ts: said.plain } },
  threads: { list: { channel, ts: said.parent } },
  message_permalinks: { get: { channel, message_ts: said.parent } },
  message_search: { list: { query: 'ship' } },
  file_search: { list: { query: 'shell' } },
  files: { list: {}, get: { file: archive.pdf }, download: { file: archive.pdf } },
  usergroups: { list: {} },
  usergroup_members: { list: { usergroup: supportGroup } },
  pins: { list: { channel } },
  bookmarks: { list: { channel_id: channel } },
  reactions: { get: { channel, timestamp: said.parent }, list: { user: team.userId } },
  emoji: { list: {} },
  team: { get: {} },
  team_profile_fields: { list: {} },
  bots: { get: { bot: team.botId } },
  auth_identity: { get: {} },
}
