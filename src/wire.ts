/** The JSON bodies of the hosted interface, as schemas and types, with their names on the wire. */
import Type, { type Static } from 'typebox'
import {
  anyOf,
  arrayOf,
  boolean,
  dateTime,
  exactly,
  integer,
  nullable,
  number,
  oneOf,
  optional,
  text,
} from './catalog/fields.ts'
import { errorCodes } from './errors.ts'
import { type EventData, type EventType, eventTypeNames, eventTypes } from './event-types.ts'

const connectorStatus = oneOf(
  ['active', 'reauthorization_required', 'deleting', 'unavailable'],
  'reauthorization_required after the third-party system has rejected the credentials; unavailable while the server does not load the connector type.',
)

/** A connector for callers, without its credentials. */
export const connectorSchema = Type.Object(
  {
    id: text('A UUIDv7.'),
    name: text('Unique per end user and connector type.'),
    connector_type: text('The kind.'),
    definition_id: text('The id of the connector type.'),
    external_user_id: text('Your own id for the end user.'),
    auth_method: text('The auth method of the credentials.'),
    status: connectorStatus,
    created_at: dateTime(),
    updated_at: dateTime(),
    sync: Type.Object({
      enabled: boolean('Whether the connector keeps a copy.'),
      interval_seconds: integer('Seconds between syncs.'),
      start_date: optional(dateTime()),
    }),
  },
  { title: 'Connector' },
)
export type ConnectorRecord = Static<typeof connectorSchema>

const warningsField = optional(
  arrayOf(
    Type.Object({ path: text('A JSON Pointer into the request.'), message: text() }),
    'The parts of the request that are not used; absent if all are.',
  ),
)

/** The answer to a connector's creation. */
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
      'The same connectors under other names, for programs that expect these.',
    ),
  },
  { title: 'ConnectorList' },
)
export type ConnectorList = Static<typeof connectorListSchema>

/** A connector with what to know before it is used. */
export const inspectionSchema = Type.Object(
  {
    ...connectorSchema.properties,
    ready: boolean('Whether operations can run.'),
    docs_skill_id: text('The id of the documents on its connector type.'),
    entities: arrayOf(text(), 'The entities that it has.'),
    warnings: arrayOf(text(), 'What keeps it from being ready, and what to do about it.'),
  },
  { title: 'Inspection' },
)
export type Inspection = Static<typeof inspectionSchema>

/** Documents for a language model on a connector type, or on a section of them. */
export const skillDocsSchema = Type.Object(
  {
    id: text('The connector type.'),
    metadata: Type.Object({
      id: text('The same.'),
      title: text(),
      kind: oneOf(['connector']),
      warnings: arrayOf(text()),
    }),
    section_id: nullable(text('The section; null for the whole in brief.')),
    outline: arrayOf(Type.Object({ id: text(), title: text(), summary: text() }), 'The sections that say more.'),
    content: arrayOf(Type.Object({ type: oneOf(['paragraph']), text: text() })),
  },
  { title: 'SkillDocs' },
)
export type SkillDocs = Static<typeof skillDocsSchema>

/** End users as workspaces. */
export const workspaceListSchema = Type.Object({
  data: arrayOf(Type.Object({ id: text('Your own id for the end user.'), name: text('The same.') })),
  next_cursor: nextCursor,
})
export type WorkspaceList = Static<typeof workspaceListSchema>

const upstreamSchema = Type.Object(
  { status: nullable(integer()), code: nullable(text()), message: nullable(text()) },
  { description: 'The message of the third-party system.' },
)

/** The result of a check of credentials: one cheap live call, and why it failed. */
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
        { description: 'The fault; absent if there is none.' },
      ),
    ),
  },
  { title: 'Health' },
)
export type Health = Static<typeof healthSchema>

/** A waiting or running sync. */
const runSchema = Type.Object({
  id: text(),
  status: oneOf(['queued', 'running']),
  started_at: nullable(dateTime()),
})
export type RunRecord = Static<typeof runSchema>

export const startedSyncSchema = Type.Object({ run: runSchema })

const progressSchema = Type.Object({
  records: integer('Records read so far.'),
  total: nullable(integer('The total, if it is known.')),
  parts_done: integer('Parents or time ranges read so far.'),
  parts: nullable(integer('The total, if it is known.')),
})

/** The state of an entity's copy. */
const entitySyncSchema = Type.Object({
  entity: text(),
  status: oneOf(
    ['waiting', 'running', 'finished', 'failed'],
    'waiting before the first pass; failed also after a pass that was abandoned.',
  ),
  records: integer('Records in the copy.'),
  complete: boolean('Whether a full pass has finished and skipped nothing, and no later pass has failed.'),
  synced_at: nullable(dateTime('The copy is at least this recent.')),
  last_finished_at: nullable(dateTime()),
  next_due_at: nullable(dateTime()),
  progress: nullable(progressSchema),
  last_error: nullable(Type.Object({ code: text(), detail: text(), at: dateTime() })),
  skipped: arrayOf(
    Type.Object({
      parent: nullable(text('The id of the parent of these records; null if the list has no parents.')),
      from: nullable(text('The beginning of the time range, in the format of the records; null for all records.')),
      to: nullable(text('The end of the time range, exclusive; null if it has none.')),
      code: text(),
      detail: text(),
    }),
    'The parts that the last finished pass could not read, although it read the others; the copy keeps the records that it has of them.',
  ),
  warnings: arrayOf(text()),
})
export type EntitySync = Static<typeof entitySyncSchema>

/** The state of the copy that was searched, and of its connector. */
export const searchMetadataSchema = Type.Object(
  {
    synced_at: nullable(dateTime('The copy is at least this recent; null until the first pass has finished.')),
    age_seconds: nullable(integer('The seconds since synced_at.')),
    complete: boolean('Whether a full pass has finished, and no later one has failed.'),
    status: connectorStatus,
    last_error: nullable(
      Type.Object(
        { code: text(), detail: text() },
        { description: 'Why the last pass over the entity failed; null after one that finished.' },
      ),
    ),
  },
  { title: 'SearchMetadata' },
)
export type SearchMetadata = Static<typeof searchMetadataSchema>

const budgetSchema = Type.Object(
  { remaining: integer(), resets_at: dateTime() },
  { description: 'Calls that are left for these credentials; null if the system documents no limit.' },
)

/** The state of a connector's copy. */
export const syncSchema = Type.Object(
  {
    enabled: boolean('Whether the connector keeps a copy.'),
    interval_seconds: integer('Seconds between syncs.'),
    run: nullable(runSchema),
    next_due_at: nullable(dateTime()),
    budget: nullable(budgetSchema),
    entities: arrayOf(entitySyncSchema),
  },
  { title: 'Sync' },
)
export type SyncRecord = Static<typeof syncSchema>

const auditSchema = Type.Object({
  id: text('Increases in the order of writing.'),
  event: text(),
  at: dateTime(),
  client_id: nullable(text('The client that acted; null for Conex itself and its command line.')),
  external_user_id: nullable(text()),
  connector_id: nullable(text()),
  details: Type.Record(Type.String(), anyOf([text(), number(), boolean(), Type.Null()]), {
    description: 'Short facts; never a secret.',
  }),
})
/** An entry of the audit log. */
export type AuditRecord = Static<typeof auditSchema>

export const auditListSchema = Type.Object(
  { entries: arrayOf(auditSchema, 'Newest first.'), next_cursor: nextCursor },
  { title: 'AuditList' },
)
export type AuditList = Static<typeof auditListSchema>

/** What happened to a connector, its copy, or a consent. */
export type EventRecord<T extends EventType = EventType> = {
  readonly [Name in T]: {
    /** The same however often the event is told. */
    readonly id: string
    readonly type: Name
    readonly timestamp: string
    readonly data: Readonly<EventData<Name>>
    /** Reading goes on after this event. */
    readonly cursor: string
  }
}[T]

const eventSchema = Type.Unsafe<EventRecord>({
  title: 'Event',
  description: 'What happened to a connector, its copy, or a consent.',
  anyOf: eventTypeNames.map((type) =>
    Type.Object(
      {
        id: text('The same however often the event is told.'),
        type: exactly(type),
        timestamp: dateTime(),
        data: eventTypes[type].data,
        cursor: text('Reading goes on after this event.'),
      },
      { title: `${titleOf(type)}Event`, description: eventTypes[type].description },
    ),
  ),
})

/** `connector.created` becomes `ConnectorCreated`. */
function titleOf(type: string): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export const eventListSchema = Type.Object(
  {
    events: arrayOf(eventSchema, 'In the order in which they happened.'),
    next_cursor: text('The cursor to go on with, now or later; there is always one.'),
    more: boolean('Whether there are more events already.'),
  },
  { title: 'EventList' },
)
export type EventList = Static<typeof eventListSchema>

export const webhookSchema = Type.Object(
  {
    id: text('A UUIDv7.'),
    url: text('Where events are sent.'),
    description: text(),
    types: nullable(arrayOf(oneOf(eventTypeNames), 'The types that it gets; null for all.')),
    status: oneOf(['active', 'disabled'], 'A disabled webhook gets nothing until it is active again.'),
    failing_since: nullable(dateTime('When the first attempt failed after the last one that got through.')),
    disabled_at: nullable(dateTime()),
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { title: 'Webhook' },
)
export type WebhookRecord = Static<typeof webhookSchema>

export const createdWebhookSchema = Type.Object(
  { ...webhookSchema.properties, secret: text('Verifies the signatures; shown only now.') },
  { title: 'CreatedWebhook' },
)
export type CreatedWebhook = Static<typeof createdWebhookSchema>

export const webhookListSchema = Type.Object({ webhooks: arrayOf(webhookSchema) })

export const rotatedSecretSchema = Type.Object({ secret: text('Verifies the signatures; shown only now.') })

export const replayedSchema = Type.Object({ replayed: integer('How many deliveries wait again.') })

const deliverySchema = Type.Object(
  {
    event: eventSchema,
    status: oneOf(['waiting', 'delivered', 'parked'], 'A parked delivery is given up until it is replayed.'),
    attempts: integer(),
    next_attempt_at: nullable(dateTime('Null unless it waits.')),
    last_attempt_at: nullable(dateTime()),
    last_status: nullable(integer('The HTTP status of the last answer; null if there was none.')),
    last_fault: nullable(text('What was wrong with the last attempt.')),
  },
  { title: 'Delivery' },
)
/** An event on its way to a webhook, or what became of it. */
export type DeliveryRecord = Static<typeof deliverySchema>

export const deliveryListSchema = Type.Object(
  { deliveries: arrayOf(deliverySchema, 'Newest events first.'), next_cursor: nextCursor },
  { title: 'DeliveryList' },
)
export type DeliveryList = Static<typeof deliveryListSchema>

/** The outcome of revoking the grant of a deleted connector. */
export type RevocationOutcome = 'revoked' | 'failed' | 'unsupported'

export const deletedEndUserSchema = Type.Object({
  external_user_id: text(),
  connectors_deleted: integer(),
  grants: Type.Object(
    { revoked: integer(), failed: integer(), unsupported: integer() },
    { description: 'The outcome for each grant.' },
  ),
})
export type DeletedEndUser = Static<typeof deletedEndUserSchema>

export const consentBegunSchema = Type.Object({
  consent_url: text('The address for the end user’s browser.'),
  warnings: warningsField,
})
export type ConsentBegun = Static<typeof consentBegunSchema>

/** A link with which the end user of a connector signs in to its system again. */
export const consentLinkSchema = Type.Object(
  { url: text('A page of Conex, for the browser of the end user alone.'), expires_in: integer('Seconds.') },
  { title: 'ConsentLink' },
)
export type ConsentLink = Static<typeof consentLinkSchema>

export const bearerTokenSchema = Type.Object({
  access_token: text(),
  token_type: oneOf(['Bearer']),
  expires_in: integer('Seconds.'),
})

export const scopedTokenSchema = Type.Object({ token: text(), expires_in: integer('Seconds.') })

/** A code with which an end user signs in once. */
export const signInCodeSchema = Type.Object(
  { sign_in_code: text('For the end user to type or paste.'), expires_in: integer('Seconds.') },
  { title: 'SignInCode' },
)
export type SignInCode = Static<typeof signInCodeSchema>

/** The programs of agents that an end user let in. */
export const agentListSchema = Type.Object(
  {
    agents: arrayOf(
      Type.Object({
        id: text(),
        name: text('The name that the end user saw.'),
        client_id: text('The program: the address of a document about it, or the id of its registration.'),
        allowed_at: dateTime(),
        expires_at: dateTime('When it ends unless it is used before.'),
      }),
      'Newest first, at most 1,000.',
    ),
  },
  { title: 'AgentList' },
)
export type AgentList = Static<typeof agentListSchema>
export type AgentRecord = AgentList['agents'][number]

/** The body of an error answer (RFC 9457). */
export const problemSchema = Type.Object(
  {
    type: text('urn:conex:error:<code>'),
    title: text('The meaning of the code.'),
    status: integer(),
    detail: text('One sentence that says what to do.'),
    code: oneOf(errorCodes),
    request_id: text('Identifies the request in the log of the server.'),
    errors: optional(
      arrayOf(
        Type.Object({
          path: text('A JSON Pointer into the request.'),
          message: text(),
          userPresentableMessage: text('The same as a whole sentence; some clients show only this.'),
        }),
        'Every fault of the request.',
      ),
    ),
    upstream: optional(upstreamSchema),
    retry_after: optional(integer('Seconds to wait before repeating the request.')),
    existing_id: optional(text('The id of the connector that already has the name.')),
  },
  { title: 'Problem', description: 'An error (RFC 9457).' },
)
export type Problem = Static<typeof problemSchema>
