/** The workspace itself: its tokens, its profile fields, its emoji and its bots. */
import { param } from '../../../kit/simulator.ts'
import { route, teamId } from './declare.ts'
import { fine, refuse } from './replies.ts'
import { team } from './team.ts'

const { boolean, text, word } = param

export const teamRoutes = [
  route({
    path: 'auth.test',
    answer: ({ world, caller }) => {
      const left = world.access.left(caller)
      return {
        url: team.url,
        team: team.name,
        team_id: team.id,
        ...(caller.kind === 'bot'
          ? { user: team.botName, user_id: team.botUserId, bot_id: team.botId }
          : { user: team.userName, user_id: team.userId }),
        is_enterprise_install: false,
        ...(left !== null && { expires_in: left }),
      }
    },
  }),
  route({
    path: 'auth.revoke',
    answer: ({ world, caller }) => {
      world.access.tokens.revoke(caller.sent)
      return fine({ revoked: true })
    },
  }),
  route({
    ...{
      path: 'team.info',
      scopes: ['team:read'],
      limit: 'tier3',
      params: { team: text(), domain: text() },
    },
    answer: ({ args }) => {
      if (args.team !== undefined && args.team !== team.id) refuse('team_not_found')
      return {
        team: {
          id: team.id,
          name: team.name,
          url: team.url,
          domain: 'northwind-camping',
          email_domain: '',
          icon: { image_default: true, image_34: 'https://a.slack-edge.example/avatar-34.png' },
          avatar_base_url: 'https://ca.slack-edge.example/',
          is_verified: false,
          lob_sales_home_enabled: false,
        },
      }
    },
  }),
  route({
    path: 'team.profile.get',
    scopes: ['users.profile:read'],
    limit: 'tier3',
    params: { visibility: word(['all', 'visible', 'hidden']) },
    answer: ({ args }) => ({
      profile: {
        fields: fields.filter(
          ({ is_hidden }) => (args.visibility ?? 'all') === 'all' || is_hidden === (args.visibility === 'hidden'),
        ),
        sections: [{ id: 'S01', team_id: team.id, section_type: 'contact', label: 'Contact', order: 1 }],
      },
    }),
  }),
  route({
    path: 'emoji.list',
    scopes: ['emoji:read'],
    limit: 'tier2',
    params: { include_categories: boolean() },
    answer: ({ args, now }) => ({
      emoji: {
        tent: 'https://emoji.slack-edge.example/T0A1B2C3D/tent/1f2e3d.png',
        canoe: 'https://emoji.slack-edge.example/T0A1B2C3D/canoe/4c5b6a.gif',
        boat: 'alias:canoe',
      },
      cache_ts: `${Math.floor(now / 1000)}.000000`,
      ...(args.include_categories === true && {
        categories: [{ name: 'Smileys & People', emoji_names: ['grinning', 'wave'] }],
      }),
    }),
  }),
  route({
    path: 'bots.info',
    scopes: ['users:read'],
    limit: 'tier3',
    params: { bot: text(), ...teamId },
    answer: ({ args }) => {
      if (args.bot !== team.botId) refuse('bot_not_found')
      const icons = { image_36: 'https://a.slack-edge.example/36.png', image_48: 'https://a.slack-edge.example/48.png' }
      const { botId: id, botName: name, appId: app_id, botUserId: user_id } = team
      return { bot: { id, deleted: false, name, updated: 1_704_067_200, app_id, user_id, icons } }
    },
  }),
]

const field = (id: string, ordering: number, label: string, is_hidden: boolean) => ({
  id,
  ordering,
  label,
  hint: '',
  type: 'text',
  possible_values: null,
  options: null,
  is_hidden,
  section_id: 'S01',
})

const fields = [field('Xf01', 0, 'Region', false), field('Xf02', 1, 'Cost centre', true)]
