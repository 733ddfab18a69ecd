/** What the hosted interface gives: its JSON bodies as schemas, with the names they have on the wire, and as types. */
import Type, { type Static } from 'typebox'
import {
  anyOf,
  arrayOf,
  boolean,
  dateTime,
  integer,
  nullable,
  number,
  oneOf,
  optional,
  text,
} from './catalog/fields.ts'
import { errorCodes } from './errors.ts'

const connectorStatus = oneOf(
  ['active', 'reauthorization_required', 'deleting'],
  'reauthorization_required once the third-party system has refused the credentials for good.',
)

/** A connector as callers see it. Credentials are not part of it, in any form. */
export const connectorSchema = Type.Object(
  {
    id: text('A UUIDv7.'),
    name: text('Unique per end user and kind.'),
    connector_type: text('The kind.'),
    definition_id: text('The id of the kind.'),
    external_user_id: text('Your own id of the end user.'),
    auth_method: text('Which of the auth methods of the kind the credentials are of.'),
    status: connectorStatus,
    created_at: dateTime(),
    updated_at: dateTime(),
    sync: Type.Object({
      enabled: boolean('Whether a copy is kept.'),
      interval_seconds: integer('Seconds from one sync to the next.'),
      start_date: optional(dateTime()),
    }),
  },
  { title: 'Connector' },
)
export type ConnectorRecord = Static<typeof connectorSchema>

const warningsField = optional(
  arrayOf(
    Type.Object({ path: text('A JSON Pointer into the request.'), message: text() }),
    'What of the request is not used; left out where all of it is.',
  ),
)

/** A connector as the answer to its creation has it. */
export const createdConnectorSchema = Type.Object(
  { ...connectorSchema.properties, warnings: warningsField },
  { title: 'CreatedConnector' },
)
export type CreatedConnector = Static<typeof createdConnectorSchema>

const nextCursor = nullable(text('The cursor of the next page; null on the last one.'))

export const connectorListSchema = Type.Object(
  {
    connectors: arrayOf(connectorSchema),
    next_cursor: nextCursor,
    data: arrayOf(
      Type.Object({
        id: text(),
        name: text(),
        summarized_source_template: Type.Object({ name: text('The kind.') }),
        created_at: dateTime(),
        updated_at: dateTime(),
      }),
      'The same connectors in other words, for programs that look them up by these.',
    ),
  },
  { title: 'ConnectorList' },
)
export type ConnectorList = Static<typeof connectorListSchema>

const upstreamSchema = Type.Object(
  { status: nullable(integer()), code: nullable(text()), message: nullable(text()) },
  { description: 'What the third-party system itself said.' },
)

/** What a check of credentials found: one cheap live call, and why it failed. */
export const healthSchema = Type.Object(
  {
    status: oneOf(['healthy', 'unhealthy']),
    checked: Type.Object({ entity: text(), action: text() }, { description: 'The live call that was made.' }),
    error: optional(
      Type.Object(
        {
          code: oneOf(errorCodes),
          title: text(),
          detail: text('What to do about it.'),
          upstream: optional(upstreamSchema),
        },
        { description: 'What is wrong; left out when nothing is.' },
      ),
    ),
  },
  { title: 'Health' },
)
export type Health = Static<typeof healthSchema>

/** A sync that waits or runs. */
const runSchema = Type.Object({
  id: text(),
  status: oneOf(['queued', 'running']),
  started_at: nullable(dateTime()),
})
export type RunRecord = Static<typeof runSchema>

export const startedSyncSchema = Type.Object({ run: runSchema })

const progressSchema = Type.Object({
  records: integer('Read so far.'),
  total: nullable(integer('Of how many, where that is known.')),
  parts_done: integer('Parents or stretches of time read so far.'),
  parts: nullable(integer('Of how many, where that is known.')),
})

/** How the copy of one entity is. */
const entitySyncSchema = Type.Object({
  entity: text(),
  status: oneOf(
    ['waiting', 'running', 'finished', 'failed'],
    'waiting before the first pass; failed also when a pass was given up half-way.',
  ),
  records: integer('Records in the copy.'),
  complete: boolean('Whether a full pass has been finished, nothing of it is skipped, and no later one has failed.'),
  synced_at: nullable(dateTime('The copy is at least as new as this.')),
  last_finished_at: nullable(dateTime()),
  next_due_at: nullable(dateTime()),
  progress: nullable(progressSchema),
  last_error: nullable(Type.Object({ code: text(), detail: text(), at: dateTime() })),
  skipped: arrayOf(
    Type.Object({
      parent: nullable(text('The id of the parent whose records they are; null where the list has none.')),
      from: nullable(text('The beginning of the stretch of time, as the records write it; null for all of it.')),
      to: nullable(text('Its end, which is not part of it; null where it has none.')),
      code: text(),
      detail: text(),
    }),
    'What the last finished pass could not read, though it read the rest; the copy keeps what it has of it.',
  ),
  warnings: arrayOf(text()),
})
export type EntitySync = Static<typeof entitySyncSchema>

/** What the hits of a search rest on: the copy of the entity, and the connector that keeps it. */
export const searchMetadataSchema = Type.Object(
  {
    synced_at: nullable(dateTime('The copy is at least as new as this; null before a first pass has been finished.')),
    age_seconds: nullable(integer('The same as seconds until now.')),
    complete: boolean('Whether a full pass has been finished, and no later one has failed.'),
    status: connectorStatus,
    last_error: nullable(
      Type.Object(
        { code: text(), detail: text() },
        { description: 'Why the last pass over the entity failed; null since one finished.' },
      ),
    ),
  },
  { title: 'SearchMetadata' },
)
export type SearchMetadata = Static<typeof searchMetadataSchema>

const budgetSchema = Type.Object(
  { remaining: integer(), resets_at: dateTime() },
  { description: 'Calls that the system still takes from these credentials; null where it tells no limit.' },
)

/** How the copy of a connector is. */
export const syncSchema = Type.Object(
  {
    enabled: boolean('Whether a copy is kept.'),
    interval_seconds: integer('Seconds from one sync to the next.'),
    run: nullable(runSchema),
    next_due_at: nullable(dateTime()),
    budget: nullable(budgetSchema),
    entities: arrayOf(entitySyncSchema),
  },
  { title: 'Sync' },
)
export type SyncRecord = Static<typeof syncSchema>

const auditSchema = Type.Object({
  id: text('Grows in the order of writing.'),
  event: text(),
  at: dateTime(),
  client_id: nullable(text('The client that acted; null for Conex itself and its command line.')),
  external_user_id: nullable(text()),
  connector_id: nullable(text()),
  details: Type.Record(Type.String(), anyOf([text(), number(), boolean(), Type.Null()]), {
    description: 'Short facts; never a secret.',
  }),
})
/** One entry of the audit log. */
export type AuditRecord = Static<typeof auditSchema>

export const auditListSchema = Type.Object(
  { entries: arrayOf(auditSchema, 'Newest first.'), next_cursor: nextCursor },
  { title: 'AuditList' },
)
export type AuditList = Static<typeof auditListSchema>

/** What became of the grant of a deleted connector at its third-party system. */
export type RevocationOutcome = 'revoked' | 'failed' | 'unsupported'

export const deletedEndUserSchema = Type.Object({
  external_user_id: text(),
  connectors_deleted: integer(),
  grants: Type.Object(
    { revoked: integer(), failed: integer(), unsupported: integer() },
    { description: 'What became of their grants.' },
  ),
})
export type DeletedEndUser = Static<typeof deletedEndUserSchema>

export const consentBegunSchema = Type.Object({
  consent_url: text('Send the browser of the end user there.'),
  warnings: warningsField,
})
export type ConsentBegun = Static<typeof consentBegunSchema>

export const bearerTokenSchema = Type.Object({
  access_token: text(),
  token_type: oneOf(['Bearer']),
  expires_in: integer('Seconds.'),
})

export const scopedTokenSchema = Type.Object({ token: text(), expires_in: integer('Seconds.') })

/** The body of an error answer (RFC 9457). */
export const problemSchema = Type.Object(
  {
    type: text('urn:conex:error:<code>'),
    title: text('What the code means.'),
    status: integer(),
    detail: text('One sentence that says what to do.'),
    code: oneOf(errorCodes),
    request_id: text('Names the request in the log of the server.'),
    errors: optional(
      arrayOf(
        Type.Object({ path: text('A JSON Pointer into the request.'), message: text() }),
        'Every fault of the request.',
      ),
    ),
    upstream: optional(upstreamSchema),
    retry_after: optional(integer('Seconds to wait before asking again.')),
    existing_id: optional(text('The id of the connector that has the name already.')),
  },
  { title: 'Problem', description: 'An error (RFC 9457).' },
)
export type Problem = Static<typeof problemSchema>
