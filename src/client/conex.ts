/** `conex`: manages the connectors of a service, its copies, consents, tokens and audit log. */
import type { ConnectorType } from '../catalog/describe.ts'
import type {
  AgentList,
  AgentRecord,
  AuditList,
  AuditRecord,
  ConnectorList,
  ConnectorRecord,
  ConsentLink,
  CreatedConnector,
  DeletedEndUser,
  Health,
  RevocationOutcome,
  SignInCode,
} from '../wire.ts'
import { connectorClient } from './connector-client.ts'
import { type Events, eventsThrough } from './events.ts'
import { type ConnectorChoice, hostedMode } from './hosted.ts'
import { type ClientOf, type CredentialsTaken, type KindOrConnector, kindName } from './kind-or-connector.ts'
import type { KindName } from './loaded-kinds.ts'
import { type PagedList, pagedList } from './paged-list.ts'
import { type Request, type ServiceCalls, type ServiceOptions, serviceCalls } from './service-calls.ts'
import { type Syncs, syncsThrough } from './syncs.ts'
import type { ClientAccess } from './tokens.ts'
import { type Webhooks, webhooksThrough } from './webhooks.ts'
import type { CallOptions } from './with-timeout.ts'

/** A new connector: an end user, a kind, a name, and either credentials or the secret_id of a consent. */
export type NewConnector<K extends KindName = KindName> = {
  readonly [T in K]: {
    readonly external_user_id: string
    readonly connector_type: T
    /** Unique per end user and kind. */
    readonly name: string
    readonly replication_config?: object
    readonly sync?: SyncChoice
  } & GivenCredentials<T>
}[K]

type GivenCredentials<K extends KindName> =
  | { readonly credentials: CredentialsTaken<K>; readonly server_side_oauth_secret_id?: undefined }
  | { readonly server_side_oauth_secret_id: string; readonly credentials?: undefined }

/** Whether and how often to sync the copy. */
export interface SyncChoice {
  readonly enabled?: boolean
  readonly interval_seconds?: number
}

/** The possible changes to a connector; new credentials replace the old ones and make it active again. */
export interface ConnectorChanges {
  readonly name?: string
  readonly credentials?: CredentialsTaken<KindName>
  readonly server_side_oauth_secret_id?: string
  readonly sync?: SyncChoice
}

export interface ConnectorFilter {
  readonly external_user_id?: string
  readonly connector_type?: KindName
  readonly definition_id?: string
  readonly limit?: number
  readonly cursor?: string
}

export interface AuditQuery {
  readonly event?: string
  readonly external_user_id?: string
  readonly connector_id?: string
  readonly client_id?: string
  /** Entries from this time on (ISO 8601). */
  readonly since?: string
  /** Entries before this time. */
  readonly until?: string
  readonly limit?: number
  readonly cursor?: string
}

export type NewConsent = {
  /**
   * Where the browser goes after the consent, with `secret_id` in its query, and `connector_id` once there is a
   * connector.
   */
  readonly redirect_url: string
} & (
  | {
      readonly external_user_id: string
      readonly connector_type: KindName
      /** When the user consents, creates the connector with this name, or renews the one that has it. */
      readonly name?: string
      readonly replication_config?: object
      readonly connector_id?: undefined
    }
  | {
      /** The connector that the consent renews. */
      readonly connector_id: string
      readonly external_user_id?: string
      readonly connector_type?: KindName
      readonly name?: undefined
    }
)

/** A token for the connectors of a single end user, for a browser or a program of that user. */
export interface ScopedToken {
  readonly token: string
  /** Seconds. */
  readonly expires_in: number
}

export interface Connectors {
  create<K extends KindName>(
    connector: NewConnector<K>,
    options?: CallOptions & {
      /** Makes a repeated call return the first result. */
      readonly idempotencyKey?: string
      /** Tries the credentials with one cheap live call first. If the system refuses them, nothing is stored. */
      readonly check?: boolean
    },
  ): Promise<CreatedConnector>
  readonly list: PagedList<ConnectorFilter, ConnectorList, ConnectorRecord>
  get(connectorId: string, options?: CallOptions): Promise<ConnectorRecord>
  update(connectorId: string, changes: ConnectorChanges, options?: CallOptions): Promise<ConnectorRecord>
  /**
   * Deletes the connector, its credentials and its copy. `grant` says whether the third-party system revoked the grant.
   */
  delete(connectorId: string, options?: CallOptions): Promise<{ readonly grant: RevocationOutcome }>
  /** Tries the credentials with one cheap live call. */
  check(connectorId: string, options?: CallOptions): Promise<Health>
}

export interface Conex {
  readonly connectors: Connectors
  readonly sync: Syncs
  readonly consent: {
    /** Returns the address of the third-party system's consent page for an end user. */
    begin(consent: NewConsent, options?: CallOptions): Promise<string>
    /** Returns a link with which the end user of a connector signs in to its system again, on a page of Conex. */
    link(connectorId: string, options?: CallOptions): Promise<ConsentLink>
  }
  readonly tokens: {
    /** Returns a token for a single end user; with a scope only if this client's own tokens have it. */
    scoped(externalUserId: string, options?: CallOptions & Pick<ClientAccess, 'scope'>): Promise<ScopedToken>
    /** Returns a code for the page on which an end user allows an agent to use their connectors. */
    signInCode(externalUserId: string, options?: CallOptions): Promise<SignInCode>
  }
  readonly endUsers: {
    /** Deletes everything that is stored for an end user. */
    delete(externalUserId: string, options?: CallOptions): Promise<DeletedEndUser>
  }
  readonly agents: {
    /** The programs of agents that an end user let in, newest first. */
    list(externalUserId: string, options?: CallOptions): Promise<readonly AgentRecord[]>
    /** Ends what an end user allowed a program: it gets no more tokens. */
    end(externalUserId: string, agentId: string, options?: CallOptions): Promise<void>
  }
  readonly audit: {
    /** The audit log, newest first. */
    readonly list: PagedList<AuditQuery, AuditList, AuditRecord>
  }
  readonly events: Events
  readonly webhooks: Webhooks
  readonly connectorTypes: {
    list(options?: CallOptions): Promise<readonly ConnectorType[]>
    get(kind: string, options?: CallOptions): Promise<ConnectorType>
  }
  /**
   * A client for this end user alone: its tokens reach nobody else's connectors. It needs a client of the organization.
   */
  forEndUser(externalUserId: string): Conex
  /** Connects to the system of a connector; its calls share this client's token. */
  connect<const K extends KindOrConnector>(kind: K, connector: ConnectorChoice): ClientOf<K>
}

const connectors = '/v1/integrations/connectors'
const types = '/v1/integrations/connector-types'
const endUsers = '/v1/integrations/end-users'
const agentsOf = (externalUserId: string): string => `${endUsers}/${encodeURIComponent(externalUserId)}/agents`

/** A client of a Conex service. Sends nothing before the first call. */
export function conex(options: ServiceOptions): Conex {
  const calls = serviceCalls(options)
  const ask = <T>(request: Request, call?: CallOptions): Promise<T> => calls.json<T>(request, call)
  const client: Conex = {
    connectors: connectorsThrough(calls),
    sync: syncsThrough(calls),
    consent: {
      async begin(body, call) {
        const path = `${connectors}/oauth/initiate`
        return (await ask<{ consent_url: string }>({ method: 'POST', path, body }, call)).consent_url
      },
      link: (id, call) => ask({ method: 'POST', path: `${connectors}/${encodeURIComponent(id)}/consent-links` }, call),
    },
    tokens: {
      scoped: (external_user_id, { scope, ...call } = {}) =>
        ask({ method: 'POST', path: '/api/v1/embedded/scoped-token', body: { external_user_id, scope } }, call),
      signInCode: (id, call) =>
        ask({ method: 'POST', path: `${endUsers}/${encodeURIComponent(id)}/sign-in-codes` }, call),
    },
    endUsers: {
      delete: (id, call) => ask({ method: 'DELETE', path: `${endUsers}/${encodeURIComponent(id)}` }, call),
    },
    agents: {
      list: async (id, call) => (await ask<AgentList>({ method: 'GET', path: agentsOf(id) }, call)).agents,
      async end(id, agentId, call) {
        await calls.answer({ method: 'DELETE', path: `${agentsOf(id)}/${encodeURIComponent(agentId)}` }, call)
      },
    },
    audit: {
      list: pagedList(
        (query, call) => ask<AuditList>({ method: 'GET', path: '/v1/integrations/audit', query }, call),
        ({ entries }) => entries,
      ),
    },
    events: eventsThrough(calls),
    webhooks: webhooksThrough(calls),
    connectorTypes: {
      list: async (call) =>
        (await ask<{ connector_types: ConnectorType[] }>({ method: 'GET', path: types }, call)).connector_types,
      get: (kind, call) => ask({ method: 'GET', path: `${types}/${encodeURIComponent(kind)}` }, call),
    },
    forEndUser(id) {
      const { baseUrl, timeout } = options
      const token = async () => (await client.tokens.scoped(id)).token
      return conex({ baseUrl, token, ...(timeout !== undefined && { timeout }) })
    },
    connect: <const K extends KindOrConnector>(kind: K, choice: ConnectorChoice) =>
      connectorClient(hostedMode(kindName(kind), choice, calls)) as ClientOf<K>,
  }
  return client
}

function connectorsThrough(calls: ServiceCalls): Connectors {
  const at = (id: string): string => `${connectors}/${encodeURIComponent(id)}`
  return {
    create: (body, { idempotencyKey, check, ...call } = {}) =>
      calls.json(
        {
          method: 'POST',
          path: connectors,
          ...(check === true && { query: { check: 'true' } }),
          body,
          ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
        },
        call,
      ),
    list: pagedList(
      (query, call) => calls.json<ConnectorList>({ method: 'GET', path: connectors, query }, call),
      (page) => page.connectors,
    ),
    get: (id, call) => calls.json({ method: 'GET', path: at(id) }, call),
    update: (id, body, call) => calls.json({ method: 'PATCH', path: at(id), body }, call),
    async delete(id, call) {
      const { headers } = await calls.answer({ method: 'DELETE', path: at(id) }, call)
      const revoked = headers.get('conex-grant-revoked')
      return { grant: revoked === 'true' ? 'revoked' : revoked === 'false' ? 'failed' : 'unsupported' }
    },
    check: (id, call) => calls.json({ method: 'POST', path: `${at(id)}/check` }, call),
  }
}
