/** The contents of a workspace's copy. */
import { arrayOf, boolean, closedObjectOf, integer, optional, text, utcTime } from '../../kit/connector.ts'

export const replicationConfig = closedObjectOf({
  start_date: utcTime('Copies messages from this time on; it may be in the future.'),
  lookback_window: integer('Days to look back for new replies to older messages.', { minimum: 0, maximum: 365 }),
  join_channels: boolean('Whether to join public channels in order to read their messages.'),
  channel_filter: optional(
    arrayOf(
      {
        ...text('The name of a channel after #, or its id.', { pattern: '^(#[^\\s#]{1,80}|[CG][A-Z0-9]{6,40})$' }),
        'x-form': 'the name of a channel after #, or its id, as #general or C0123456789',
      } as ReturnType<typeof text>,
      'Copies messages, replies and members of these channels only; of all channels without it.',
    ),
  ),
})
