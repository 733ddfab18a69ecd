/** What the copy of a workspace holds. */
import { boolean, closedObjectOf, integer, utcTime } from '../../catalog/fields.ts'

export const replicationConfig = closedObjectOf({
  start_date: utcTime('Messages from this moment on are copied; it may lie in the future.'),
  lookback_window: integer('Days to look back for new replies to older messages.', { minimum: 0, maximum: 365 }),
  join_channels: boolean('Whether to join public channels so that their messages can be read.'),
})
