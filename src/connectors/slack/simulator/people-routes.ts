/** People, their profiles and presence, and the groups that they are in. */
import { param } from '../../../kit/simulator.ts'
import { byCursor, following, includeLocale, list, route, shortened, teamId } from './declare.ts'
import type { User } from './records.ts'
import { refuse } from './replies.ts'
import { ownerOf } from './sight.ts'
import { showProfile, showUser, showUserGroup } from './views.ts'
import type { World } from './world.ts'

const { boolean, integer, required, text } = param

/** Without a limit, Slack lists no more people than this at once. */
const mostAtOnce = 1000

const personOf = ({ users }: World, id: string): User => users.find(id) ?? refuse('user_not_found')

export const peopleRoutes = [
  list({
    path: 'users.list',
    scopes: ['users:read'],
    limit: 'tier2',
    params: { limit: integer(), ...includeLocale, ...teamId },
    rows: ({ world, args }) => {
      if (args.limit === undefined && world.users.rows.length > mostAtOnce) refuse('limit_required')
      return world.users.rows
    },
    size: shortened,
    pages: byCursor<User>('user', ({ id }) => id, mostAtOnce),
    show: (user, { caller, args }) => showUser(user, caller, args.include_locale),
    body: (members, page, { now }) => ({ members, cache_ts: Math.floor(now / 1000), ...following(page) }),
  }),
  route({
    path: 'users.info',
    scopes: ['users:read'],
    limit: 'tier4',
    params: { user: required(text()), ...includeLocale },
    answer: ({ world, args, caller }) => ({
      user: showUser(personOf(world, args.user), caller, args.include_locale),
    }),
  }),
  route({
    path: 'users.lookupByEmail',
    scopes: ['users:read.email'],
    limit: 'tier3',
    params: { email: required(text()) },
    answer: ({ world, args, caller }) => {
      const email = args.email.toLowerCase()
      const user = world.users.rows.find((one) => one.email === email && !one.deleted)
      return { user: showUser(user ?? refuse('users_not_found'), caller) }
    },
  }),
  route({
    path: 'users.profile.get',
    scopes: ['users.profile:read'],
    limit: 'tier4',
    params: { user: text(), include_labels: boolean() },
    answer: ({ world, args, caller }) => {
      const label = args.include_labels === true ? { label: 'Region' } : {}
      return {
        profile: {
          ...showProfile(personOf(world, args.user ?? ownerOf(caller)), caller.scopes),
          fields: { Xf01: { value: 'EMEA', alt: '', ...label } },
        },
      }
    },
  }),
  route({
    path: 'users.getPresence',
    scopes: ['users:read'],
    limit: 'tier3',
    params: { user: text() },
    answer: ({ world, args, caller, now }) => {
      const { id, deleted } = personOf(world, args.user ?? ownerOf(caller))
      if (id !== ownerOf(caller)) return { presence: deleted ? 'away' : 'active' }
      const own = { online: true, auto_away: false, manual_away: false, connection_count: 1 }
      return { presence: 'active', ...own, last_activity: Math.floor(now / 1000) - 60 }
    },
  }),
  route({
    path: 'usergroups.list',
    scopes: ['usergroups:read'],
    limit: 'tier2',
    params: { include_users: boolean(), include_count: boolean(), include_disabled: boolean(), ...teamId },
    answer: ({ world, args }) => ({
      usergroups: world.usergroups.rows
        .filter(({ deleted }) => deleted === 0 || args.include_disabled === true)
        .map((group) =>
          showUserGroup(group, { users: args.include_users === true, count: args.include_count === true }),
        ),
    }),
  }),
  route({
    path: 'usergroups.users.list',
    scopes: ['usergroups:read'],
    limit: 'tier2',
    params: { usergroup: required(text()), include_disabled: boolean(), ...teamId },
    answer: ({ world, args }) => {
      const group = world.usergroups.find(args.usergroup)
      const isShown = group !== undefined && (group.deleted === 0 || args.include_disabled === true)
      return { users: isShown ? group.users : refuse('no_such_subteam') }
    },
  }),
]
