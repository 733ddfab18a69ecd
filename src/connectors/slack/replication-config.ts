/** What the copy of a workspace holds. */
import Type from 'typebox'
import { boolean, closedObjectOf, integer } from '../../catalog/fields.ts'

export const replicationConfig = closedObjectOf({
  start_date: Type.String({
    description: 'Messages from this moment on are copied; it may lie in the future.',
    format: 'date-time',
    // One form alone: no fractions, no offset, and no hour or second that clocks do not show.
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$',
    'x-form': 'a time that exists, in UTC, as YYYY-MM-DDTHH:mm:ssZ',
  }),
  lookback_window: integer('Days to look back for new replies to older messages.', { minimum: 0, maximum: 365 }),
  join_channels: boolean('Whether to join public channels so that their messages can be read.'),
})
