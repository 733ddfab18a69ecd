/** Creates a connector for an end user. */
import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { checkOf } from '../catalog/check.ts'
import type { Connector } from '../catalog/connector.ts'
import { decode, invalidRequest } from '../catalog/decode.ts'
import { boolean, object, optional } from '../catalog/fields.ts'
import { ConexError, type Issue } from '../errors.ts'
import type { Creation, StoredConnector } from '../store/connectors.ts'
import type { Tenant } from '../store/tenant.ts'
import type { CreatedConnector } from '../wire.ts'
import { endUserFields, endUserOf, kindFields, kindOf, nameText } from './aliases.ts'
import { connectorRecord } from './connector-record.ts'
import { sealCredentials } from './credential-source.ts'
import {
  consentedCredentials,
  flatCredentials,
  type GivenCredentials,
  grantUsed,
  secretIdField,
} from './given-credentials.ts'
import { isCopied } from './kind-of-connector.ts'
import { newId } from './new-id.ts'
import { type Service, timestamp } from './service.ts'
import { syncChoice, syncField } from './sync-choice.ts'
import { triedCredentials } from './tried-credentials.ts'

/** Fields that every program may send, although few kinds or none use them. */
export const notUsedFields = {
  replication_config: optional(object('Settings of the copy, for connector types that need them.')),
  source_template_id: optional(Type.Unknown({ description: 'Ignored, because there are no templates.' })),
}

export const creation = Type.Object(
  {
    ...endUserFields,
    ...kindFields,
    name: nameText('The name of the connector; unique per end user and connector type.'),
    credentials: optional(object('The fields of one of the auth methods of the connector type.')),
    server_side_oauth_secret_id: secretIdField,
    ...notUsedFields,
    sync: optional(syncField),
  },
  { additionalProperties: false },
)

export const creationQuery = Type.Object(
  {
    check: optional(
      boolean(
        'Tries the credentials first, with one cheap live call. If the system refuses them, Conex stores nothing.',
      ),
    ),
  },
  { additionalProperties: false },
)

export interface CreationOptions {
  readonly idempotencyKey?: string | undefined
  /** Tries the credentials first. */
  readonly check?: boolean | undefined
  /** Ends the trial when the caller is gone. */
  readonly signal?: AbortSignal
}

/** Creates the connector, or returns the one that the same idempotency key created before. */
export async function createConnector(
  service: Service,
  tenant: Tenant,
  body: unknown,
  { idempotencyKey, check, signal }: CreationOptions = {},
): Promise<CreatedConnector> {
  const asked = decode(creation, body)
  const externalUserId = ownEndUser(tenant, endUserOf(asked))
  const kind = kindOf(service.catalog, asked)
  if (kind === undefined) throw invalidRequest([{ path: '/connector_type', message: 'is required' }])
  const replicationConfig = checkReplicationConfig(kind, asked.replication_config)
  const { credentials: flat, server_side_oauth_secret_id: secretId } = asked
  if ((flat === undefined) === (secretId === undefined)) throw eitherOr(flat === undefined)
  const key =
    idempotencyKey === undefined
      ? undefined
      : { key: checkKey(idempotencyKey), requestHash: requestHash(body as object) }
  let given: GivenCredentials
  try {
    given =
      secretId === undefined
        ? flatCredentials(kind, flat)
        : await consentedCredentials(service, tenant, kind, externalUserId, secretId)
  } catch (error) {
    // A repeated request brings a secret_id that the first one used up.
    const before = key && secretId && (await service.store.connectors.createdBefore(tenant, key))
    if (before) return answer(before)
    throw error
  }
  const { method, grant } = given

  const now = timestamp(service)
  const connector: StoredConnector = {
    id: newId(service.now()),
    organizationId: tenant.organizationId,
    externalUserId,
    connectorType: kind.kind,
    name: asked.name,
    authMethod: method.name,
    status: 'active',
    replicationConfig,
    sync: syncChoice(kind, service.settings.sync, asked.sync),
    createdAt: now,
    updatedAt: now,
  }
  let { credentials } = given
  if (check === true) {
    const before = key && (await service.store.connectors.createdBefore(tenant, key))
    if (before) return answer(before)
    // The trial may use up a refresh token, so the name must be free first.
    const taken = await service.store.connectors.nameTaken(tenant, connector)
    if (taken !== null) throw nameTaken(taken)
    credentials = await triedCredentials(service, tenant, kind, given, signal)
  }
  const sealed = sealCredentials(service, connector, credentials)
  const created = await service.store.connectors.create(tenant, connector, sealed, key, grant)
  if (created.outcome === 'created') await startFirstSync(service, created.connector)
  return answer(created)

  function answer(creation: Creation): CreatedConnector {
    const warnings = unusedOf(kind!, asked)
    const record = connectorRecord(service.catalog, madeBy(creation))
    return warnings.length === 0 ? record : { ...record, warnings }
  }
}

function madeBy(created: Creation): StoredConnector {
  switch (created.outcome) {
    case 'created':
    case 'repeated':
      return created.connector
    case 'name taken':
      throw nameTaken(created.existingId)
    case 'key taken':
      throw new ConexError(
        'conflict',
        'This Idempotency-Key was used for another creation; send a new key with a new request.',
      )
    case 'grant used':
      throw grantUsed()
  }
}

/** Warns about fields without effect. Conex does not refuse them, because some programs send them everywhere. */
export function unusedOf(
  kind: Connector,
  asked: Partial<Pick<Static<typeof creation>, keyof typeof notUsedFields>>,
  makesNone = false,
): Issue[] {
  const told: Issue[] = []
  if (asked.source_template_id !== undefined)
    told.push({ path: '/source_template_id', message: 'is ignored: there are no templates' })
  if (asked.replication_config !== undefined && makesNone)
    told.push({
      path: '/replication_config',
      message: 'is ignored without a name; send it when you create the connector',
    })
  else if (asked.replication_config !== undefined && kind.replicationConfig === null)
    told.push({
      path: '/replication_config',
      message: `is ignored by ${kind.kind}; "sync" has the settings of its copy`,
    })
  return told
}

/** Starts the first sync, so that search works soon. A failure does not undo the connector; the schedule finds it. */
async function startFirstSync(service: Service, connector: StoredConnector): Promise<void> {
  if (!service.settings.syncsByItself || !isCopied(service, connector)) return
  await service.syncs
    .start(connector)
    .catch((error: unknown) =>
      service.log.error({ connector_id: connector.id, reason: String(error) }, 'a first sync could not be started'),
    )
}

/** The 409 for a name that is taken. */
export const nameTaken = (existingId: string): ConexError =>
  new ConexError(
    'conflict',
    'The end user already has a connector of this type and name; use it, or choose another name.',
    { existingId },
  )

/** A scoped token creates connectors only for its own end user, and need not name that user. */
function ownEndUser(tenant: Tenant, asked: string | undefined): string {
  const externalUserId = asked ?? tenant.externalUserId
  if (externalUserId === null) throw invalidRequest([{ path: '/external_user_id', message: 'is required' }])
  if (tenant.externalUserId !== null && externalUserId !== tenant.externalUserId)
    throw new ConexError(
      'forbidden',
      'A scoped token creates connectors only for its own end user; use a bearer token to create them for others.',
    )
  return externalUserId
}

const eitherOr = (missing: boolean): ConexError =>
  invalidRequest([
    {
      path: '/credentials',
      message: `${missing ? 'are missing' : 'are sent twice'}: send either credentials or server_side_oauth_secret_id`,
    },
  ])

export function checkReplicationConfig(kind: Connector, given: unknown): StoredConnector['replicationConfig'] {
  if (kind.replicationConfig === null) return null
  if (given === undefined)
    throw invalidRequest([{ path: '/replication_config', message: `is required by ${kind.kind}` }])
  const issues = checkOf(kind.replicationConfig, '/replication_config')(given)
  if (issues.length > 0) throw invalidRequest(issues)
  return given as Record<string, unknown>
}

export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$'

function checkKey(key: string): string {
  if (new RegExp(idempotencyKeyPattern).test(key)) return key
  throw invalidRequest([{ path: '/Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }])
}

/** A hash of the request that ignores the order of its keys. It does not reveal the secrets in the request. */
function requestHash(body: object): string {
  return createHash('sha256').update(canonical(body)).digest('base64url')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null)
    return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(',')}}`
}
