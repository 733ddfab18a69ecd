/** The events that programs are told of: every type, with what it says. */
import Type, { type Static, type TSchema } from 'typebox'
import { arrayOf, boolean, dateTime, integer, nullable, oneOf, text } from './catalog/fields.ts'
import { errorCodes } from './errors.ts'

type Fields = Readonly<Record<string, TSchema>>

/** A type of event: when it is written, and the fields of its `data`. */
const event = <const F extends Fields>(description: string, fields: F) => ({ description, data: Type.Object(fields) })

const consent = {
  external_user_id: text('Your own id for the end user.'),
  connector_type: text('The kind.'),
}

const connector = { connector_id: text('The connector.'), ...consent }

const run = { ...connector, run_id: text('The id of the sync.') }

const failure = Type.Object({ entity: text(), code: oneOf(errorCodes) })

export const eventTypes = {
  'connector.created': event('A connector was created.', {
    ...connector,
    name: text('Its name.'),
    auth_method: text('The auth method of its credentials.'),
  }),
  'connector.updated': event('A connector got another name, other credentials, or another choice for its copy.', {
    ...connector,
    changed: arrayOf(oneOf(['name', 'credentials', 'sync']), 'What the request changed.'),
  }),
  'connector.deleted': event('A connector was deleted, alone or with its end user.', connector),
  'connector.reauthorization_required': event(
    'The third-party system rejected the credentials; the connector needs new ones, or a new consent.',
    connector,
  ),
  'connector.recovered': event('A connector that needed new credentials works again.', connector),
  'sync.started': event('A sync of the copy started.', {
    ...run,
    entities: nullable(arrayOf(text(), 'What it reads; null for everything.')),
    full: boolean('Whether it reads everything, even if reading changes would be enough.'),
  }),
  'sync.finished': event('A sync read everything that it was to read.', run),
  'sync.failed': event('A sync ended early, or could not read every entity.', {
    ...run,
    code: oneOf(errorCodes, 'Why it ended early, or why it could not read the first of the entities in `failed`.'),
    failed: arrayOf(failure, 'The entities that could not be read to their end, each with the reason.'),
  }),
  'records.changed': event(
    'A pass over an entity ended, well or not, and had changed the copy. Changes of a pass that was interrupted count in the next one.',
    {
      ...connector,
      entity: text(),
      inserted: integer('Records that are new in the copy.'),
      updated: integer('Records that are other than before.'),
      deleted: integer('Records that are gone.'),
    },
  ),
  'consent.finished': event('An end user gave a consent, and its grant is ready for a connector.', consent),
  'consent.failed': event(
    'A consent was denied or could not be redeemed, or no connector could be made or renewed with it.',
    { ...consent, reason: text('`denied`, or an error code.') },
  ),
  'webhook.disabled': event('A webhook was disabled, because nothing got through to it for three days.', {
    webhook_id: text('The webhook.'),
    failing_since: dateTime('When the first of the attempts failed.'),
  }),
} as const

export type EventType = keyof typeof eventTypes

export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]]

/** What an event of this type says. */
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]['data']>
