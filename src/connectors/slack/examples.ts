/** Example values of Slack for the documents. The simulated Slack has these records. */
import type { Examples } from '../../kit/connector.ts'

const channel = 'C0A1B2C02'
const person = 'U0A1B2C3E'
const thread = '1780300800.000100'

export const examples: Examples = {
  values: {
    channel,
    channel_id: channel,
    user: person,
    member_id: person,
    user_id: person,
    ts: '1780297200.000300',
    message_ts: thread,
    file: 'F0A1B2C01',
    usergroup: 'S0A1B2C3J',
    usergroup_id: 'S0A1B2C3J',
    bot: 'B0A1B2C3G',
    team_id: 'T0A1B2C3D',
    email: 'ana@northwind-camping.example',
    permalink: 'https://northwind-camping.slack.com/archives/C0A1B2C02/p1780300800000100',
    type: 'message',
    presence: 'active',
    text: 'Ship date is set: 12 June',
  },
  entities: {
    users: { id: person, name: 'ana', real_name: 'Ana Ruiz', is_bot: false, deleted: false },
    user_by_email: { id: person, name: 'ana', real_name: 'Ana Ruiz' },
    user_profiles: { real_name: 'Ana Ruiz', title: 'Head of support' },
    channels: { id: channel, name: 'launch', is_private: false, is_archived: false, num_members: 8 },
    user_channels: { id: channel, name: 'launch' },
    threads: { ts: thread, thread_ts: thread, text: 'Ship the Ridgeline shell with the catalog?' },
    message_search: {
      query: 'ship',
      ts: '1780297200.000300',
      channel: { id: channel, name: 'launch' },
    },
    file_search: { query: 'shell', id: 'F0A1B2C01', name: 'Ridgeline shell, line sheet.pdf' },
    files: { id: 'F0A1B2C01', name: 'Ridgeline shell, line sheet.pdf', mimetype: 'application/pdf', size: 482_113 },
    usergroups: { id: 'S0A1B2C3J', name: 'Support', handle: 'support' },
    bookmarks: { id: 'Bk012C02', title: 'Plan', link: 'https://northwind-camping.example/0' },
    emoji: { name: 'boat', value: 'alias:canoe' },
    team: { id: 'T0A1B2C3D', name: 'Northwind Camping', team: 'T0A1B2C3D' },
    team_profile_fields: { id: 'Xf01', label: 'Region' },
    bots: { id: 'B0A1B2C3G', name: 'conex' },
    auth_identity: { user_id: person, user: 'ana', team: 'Northwind Camping' },
    reactions: { timestamp: thread },
  },
  params: {
    'threads.list': { channel, ts: thread },
    'reactions.get': { channel, timestamp: thread },
    'team.get': {},
    'bots.get': { bot: 'B0A1B2C3G' },
  },
}
