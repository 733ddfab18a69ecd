/** How a caller says whether and how often the copy of a connector is brought up to date. */
import type { Static } from 'typebox'
import { boolean, closedObjectOf, integer, optional } from '../catalog/fields.ts'
import type { SyncChoice } from '../store/store.ts'

export const syncField = closedObjectOf(
  {
    enabled: optional(boolean('Whether a copy is kept.')),
    interval_seconds: optional(integer('Seconds from one sync to the next.', { minimum: 60, maximum: 31_536_000 })),
  },
  'How the copy is kept.',
)

/** The choice that results when what is left out stays as it was. */
export const syncChoice = (before: SyncChoice, asked: Static<typeof syncField> | undefined): SyncChoice => ({
  enabled: asked?.enabled ?? before.enabled,
  intervalSeconds: asked?.interval_seconds ?? before.intervalSeconds,
})
