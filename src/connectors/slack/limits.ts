/**
 * Calls a minute of each method: Slack counts methods apart, for each workspace and application (docs.slack.dev, "Rate
 * limits").
 */
import type { CallLimit } from '../../kit/connector.ts'

/** The methods of each tier, with the calls a minute that it allows. */
const tiers: readonly (readonly [calls: number, methods: readonly string[]])[] = [
  [
    20,
    [
      ...['users.list', 'conversations.list', 'usergroups.list', 'usergroups.users.list', 'pins.list'],
      ...['reactions.list', 'emoji.list', 'search.messages', 'search.files'],
    ],
  ],
  [
    50,
    [
      ...['conversations.info', 'conversations.history', 'conversations.replies', 'conversations.join'],
      ...['users.conversations', 'users.lookupByEmail', 'users.getPresence', 'files.list', 'bookmarks.list'],
      ...['reactions.get', 'team.info', 'team.profile.get', 'bots.info'],
    ],
  ],
  [100, ['users.info', 'users.profile.get', 'conversations.members', 'files.info']],
]

/**
 * Since 29 May 2025, applications that are sold outside of Slack's Marketplace read messages once a minute, fifteen at a
 * time. Only a refusal tells them apart.
 */
const restricted: readonly string[] = ['conversations.history', 'conversations.replies']

export const limits: readonly CallLimit[] = tiers.flatMap(([calls, methods]) =>
  methods.map((name) => ({
    calls,
    seconds: 60,
    reserve: 0.2,
    ...(restricted.includes(name) && { smallestPlan: 1 }),
    only: { name, path: new RegExp(`^/${name.replaceAll('.', '\\.')}$`) },
  })),
)
