/** The contents of a workspace's copy. */
import { boolean, closedObjectOf, integer, utcTime } from '../../kit/connector.ts'

export const replicationConfig = closedObjectOf({
  start_date: utcTime('Copies messages from this time on; it may be in the future.'),
  lookback_window: integer('Days to look back for new replies to older messages.', { minimum: 0, maximum: 365 }),
  join_channels: boolean('Whether to join public channels in order to read their messages.'),
})
