/** Runs one operation on a stored connector. */
import Type from 'typebox'
import { findAction, findEntity } from '../catalog/catalog.ts'
import { chooserOf, fieldChoiceSchema, type Shaper } from '../catalog/choose-fields.ts'
import { decode } from '../catalog/decode.ts'
import { boolean, optional, text } from '../catalog/fields.ts'
import { sqlActions } from '../catalog/sql-params.ts'
import type { Answer, Call, Download } from '../engine/call/call.ts'
import { shapeAll, shapeAnswer } from '../engine/call/shape-answer.ts'
import { parseBytes } from '../engine/http/parse-json.ts'
import type { Warning } from '../engine/warning.ts'
import type { StoredConnector } from '../store/connectors.ts'
import type { Tenant } from '../store/tenant.ts'
import { callConnector } from './call-connector.ts'
import { checkConnector } from './check-connector.ts'
import { fileWindowOf } from './file-window.ts'
import { connectorToCall } from './get-connector.ts'
import { kindOfConnector } from './kind-of-connector.ts'
import { withoutLimit } from './page-limit.ts'
import { searchCopy } from './search.ts'
import { selectFromCopies } from './select-from-copies.ts'
import { type Service, timestamp } from './service.ts'
import { truncateTexts } from './truncate-texts.ts'

/** Fields that any operation accepts beside its params. */
export const executionExtras = {
  ...fieldChoiceSchema.properties,
  skip_truncation: optional(
    boolean('false cuts texts of more than 200 characters in lists and searches; by default they are complete.'),
  ),
  intent: optional(
    Type.String({
      description: 'The reason for the call, for the audit log.',
      maxLength: 512,
      'x-form': 'text of up to 512 characters',
    }),
  ),
}

export const execution = Type.Object(
  {
    entity: text('What to read, for example "tasks".'),
    action: text(
      'list, get, search, download or sql (SQL over all copies of the connector; any entity, or "*"). context_store_search is a search that answers records alone, context_store_sql_query is sql.',
    ),
    params: optional(Type.Unknown({ description: 'The params of the operation; optional if it needs none.' })),
    ...executionExtras,
  },
  { additionalProperties: false },
)

export type Executed =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** An answer that is already JSON, as text or as bytes. */
  | { readonly kind: 'json'; readonly json: string | Buffer }
  | { readonly kind: 'download'; readonly download: Download }

/**
 * Answers a list, a get or a search, or starts a download. The signal ends the call when the caller is gone; `onHeld`
 * learns how much memory the answer takes.
 */
export async function execute(
  service: Service,
  tenant: Tenant,
  id: string,
  body: unknown,
  signal: AbortSignal,
  onHeld?: Call['onHeld'],
): Promise<Executed> {
  const { entity: entityName, action: actionName, params, intent, skip_truncation, ...fields } = decode(execution, body)
  const found = await connectorToCall(service, tenant, id)
  const { connector } = found
  if (entityName === '*' && actionName === 'check') {
    await noteIntent(service, tenant, connector, { entity: entityName, action: actionName, intent })
    return { kind: 'answer', answer: await checked(service, tenant, id, signal) }
  }
  const kind = kindOfConnector(service, connector)
  if (sqlActions.has(actionName)) {
    if (entityName !== '*') findEntity(kind, entityName)
    await noteIntent(service, tenant, connector, { entity: entityName, action: 'sql', intent })
    const json = await selectFromCopies(service, tenant, connector, { params, signal })
    const shapes = [chooserOf(fields), skip_truncation === false ? truncateTexts(false) : null].filter(
      (shape) => shape !== null,
    )
    if (shapes.length === 0) return { kind: 'json', json }
    return {
      kind: 'answer',
      answer: await shapedRows(json, (row) => shapes.reduce((value, shape) => shape(value), row)),
    }
  }
  const asRecords = actionName === contextStoreSearch
  const { entity, action } = findAction(kind, entityName, asRecords ? 'search' : actionName)
  await noteIntent(service, tenant, connector, { entity, action, intent })
  const operation = { entity, action, params: params ?? undefined, fields, signal, onHeld }
  const truncate = skip_truncation === false ? truncateTexts(kind.entities[entity]!.get !== undefined) : null
  switch (action) {
    case 'search': {
      const json = await searchCopy(service, tenant, connector, operation)
      const shapes = [chooserOf(fields), truncate].filter((shape) => shape !== null)
      if (shapes.length === 0 && !asRecords) return { kind: 'json', json }
      const answer = await shapedHits(json, (data) => shapes.reduce((value, shape) => shape(value), data))
      return { kind: 'answer', answer: asRecords ? recordsOf(answer) : answer }
    }
    case 'download': {
      const window = fileWindowOf(operation.params)
      const asked = window === null ? operation : { ...operation, params: window.params }
      const download = await callConnector(service, tenant, found, (target) =>
        service.engine.download({ ...target, ...asked }),
      )
      return window === null ? { kind: 'download', download } : { kind: 'answer', answer: await window.read(download) }
    }
    case 'list': {
      const { params: asked, warnings } = withoutLimit(kind.entities[entity]!.list!, operation.params)
      const answer = await callConnector(service, tenant, found, (target) =>
        service.engine.execute({ ...target, ...operation, params: asked }),
      )
      return { kind: 'answer', answer: withWarnings(await shapeAnswer(answer, truncate), warnings) }
    }
    default: {
      const answer = await callConnector(service, tenant, found, (target) =>
        service.engine.execute({ ...target, ...operation }),
      )
      return { kind: 'answer', answer }
    }
  }
}

function withWarnings(answer: Answer, more: readonly Warning[]): Answer {
  if (more.length === 0) return answer
  const { warnings = [], ...block } = answer.connector_metadata
  return { ...answer, connector_metadata: { ...block, warnings: [...warnings, ...more] } }
}

/** The name of a search for clients that expect the records alone, with the page beside them. */
const contextStoreSearch = 'context_store_search'

interface FoundHits extends Answer {
  readonly result: {
    readonly hits: readonly { readonly data: unknown }[]
    readonly next_cursor: string | null
    readonly took_ms: number
  }
}

async function shapedHits(json: string | Buffer, shape: Shaper): Promise<FoundHits> {
  const answer = (await parseBytes(Buffer.from(json))) as FoundHits
  const hits = await shapeAll(answer.result.hits, (hit) => {
    const whole = hit as { data: unknown }
    return { ...whole, data: shape(whole.data) }
  })
  return { ...answer, result: { ...answer.result, hits: hits as FoundHits['result']['hits'] } }
}

const recordsOf = ({ result: { hits, next_cursor, took_ms }, connector_metadata }: FoundHits): Answer => ({
  result: {
    data: hits.map(({ data }) => data),
    meta: { has_more: next_cursor !== null, cursor: next_cursor, took_ms },
  },
  connector_metadata,
})

async function shapedRows(json: string | Buffer, shape: Shaper): Promise<Answer> {
  const answer = (await parseBytes(Buffer.from(json))) as Answer & {
    readonly result: { readonly data: readonly unknown[] }
  }
  return { ...answer, result: { ...answer.result, data: await shapeAll(answer.result.data, shape) } }
}

/** The check, for programs that ask for it as an operation. */
async function checked(service: Service, tenant: Tenant, id: string, signal: AbortSignal): Promise<Answer> {
  const { status, checked, error } = await checkConnector(service, tenant, id, signal)
  const result = {
    status,
    checked_entity: checked.entity,
    checked_action: checked.action,
    ...(error && { error: error.detail }),
  }
  return { result, connector_metadata: {} }
}

async function noteIntent(
  service: Service,
  tenant: Tenant,
  { id, externalUserId }: StoredConnector,
  { entity, action, intent }: { entity: string; action: string; intent: string | undefined },
): Promise<void> {
  if (intent === undefined) return
  const details = { entity, action, intent: intent.toWellFormed().replaceAll('\0', ' ') }
  const entry = { event: 'operation.run', at: timestamp(service), externalUserId, connectorId: id, details } as const
  // A failed audit entry does not fail the operation.
  await service.store.audit
    .append(tenant, entry)
    .catch((error: unknown) => service.log.error({ connector_id: id, reason: String(error) }, 'no audit entry'))
}
