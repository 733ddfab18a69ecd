/** Opens the store, assembles the parts, listens, and stops everything in order. */
import type { FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import type { Catalog } from '../catalog/catalog.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineSettings } from '../engine/settings.ts'
import { systemClock } from '../engine/settings.ts'
import { createEvents } from '../service/create-events.ts'
import { createSyncs } from '../service/create-syncs.ts'
import { DeniedAccesses } from '../service/denied-access.ts'
import { type ClientSecret, ensureFirstClient } from '../service/first-client.ts'
import { Renewals } from '../service/renewals.ts'
import { createSealer } from '../service/sealing.ts'
import type { Service } from '../service/service.ts'
import { shareOverview } from '../service/shared-overview.ts'
import { Unsaved } from '../service/unsaved.ts'
import { openSecrets } from '../service/webhooks.ts'
import { openStore } from '../store/open.ts'
import { agentScope } from './agent-clients.ts'
import { createApp } from './app.ts'
import { Connections } from './connections.ts'
import { createDocuments } from './documents.ts'
import { createFileLinks } from './file-links.ts'
import type { ServerContext } from './handler.ts'
import { issuerTokens } from './issuer-tokens.ts'
import { keysOf } from './keys.ts'
import { createLogger, errorFields } from './logger.ts'
import { createMetrics } from './metrics.ts'
import { isLoopback } from './own-origin.ts'
import { protectedResource, resourceAt } from './protected-resource.ts'
import { routes } from './routes.ts'
import type { Settings } from './settings.ts'
import { createSignedMessages } from './signed-messages.ts'
import { createTokens, type IssuedToken } from './tokens.ts'

/** Options only for programs that embed the server. */
export interface ServeOptions {
  /** The destination of the log; standard output by default. */
  readonly logTo?: DestinationStream
  /** Time and randomness, for tests. */
  readonly clock?: EngineSettings['clock']
  readonly random?: EngineSettings['random']
  /** If false, syncs start and webhooks are sent to only on request. */
  readonly syncs?: boolean
  /** Replaces the function that opens the store. */
  readonly openStore?: typeof openStore
  /** Replaces the network. */
  readonly network?: EngineSettings['network']
}

export interface RunningServer {
  /** The listening address, for example `http://127.0.0.1:8080`. */
  readonly origin: string
  /** The public address. */
  readonly publicUrl: string
  readonly organizationId: string
  /** Whether end users can sign in at this server for their agents. */
  readonly agentsSignIn: boolean
  /** The client that this start created, with its secret, which is shown only now; null if there already was one. */
  readonly madeClient: ClientSecret | null
  /** Issues a token for the first organization, or for one of its end users, to the program that started the server. */
  issueToken(externalUserId?: string): Promise<IssuedToken>
  readonly service: Service
  /** Stops the server: takes no more requests, lets running ones finish, and cuts those that take too long. */
  close(): Promise<void>
}

export async function serve(
  settings: Settings,
  catalog: Catalog,
  createEngine: (settings: Partial<EngineSettings>) => Engine,
  {
    logTo,
    openStore: open = openStore,
    clock = systemClock,
    random = Math.random,
    network,
    syncs = true,
  }: ServeOptions = {},
): Promise<RunningServer> {
  const now = () => clock.now()
  const log = createLogger(settings.logLevel, logTo)
  const keys = keysOf(settings)
  const store = await open(settings.databaseUrl, catalog)
  const engine = createEngine({
    deadline: settings.upstreamTimeoutSeconds * 1000,
    idleLimit: settings.downloadIdleSeconds * 1000,
    retryCeiling: settings.retryCeilingSeconds * 1000,
    allowPrivateNetwork: settings.allowPrivateNetwork,
    privateRecords: settings.privateRecords,
    proxies: settings.proxies,
    limits: settings.callLimits,
    ...(settings.answerMemoryMib !== null && { answerMemory: settings.answerMemoryMib * 1024 * 1024 }),
    ledgers: store.ledgers,
    platformApplications: settings.applications,
    clock,
    random,
    log,
    ...(network && { network }),
  })
  // Without the setting, it is known once the server listens.
  let publicUrl = settings.publicUrl ?? ''
  const sealer = createSealer(keys.encryption)
  const metrics = createMetrics(catalog)
  const parts: Omit<Service, 'syncs'> = {
    catalog,
    engine,
    store,
    sealer,
    renewals: new Renewals(),
    unsaved: new Unsaved(log),
    settings: {
      baseUrls: settings.baseUrls,
      applications: settings.applications,
      publicUrl: () => publicUrl,
      sync: { enabled: settings.syncEnabled, intervalSeconds: settings.syncIntervalSeconds },
      syncsByItself: syncs,
      allowPrivateNetwork: settings.allowPrivateNetwork,
      // Nobody looks for private records in the answers of raw requests.
      rawRequests: settings.rawRequests && settings.privateRecords,
      downloadsAtOnce: {
        connector: settings.connectorDownloadsAtOnce,
        endUser: settings.endUserDownloadsAtOnce,
      },
    },
    events: createEvents({
      store,
      engine,
      secretsOf: (webhook) => openSecrets({ sealer }, webhook),
      attemptMs: settings.webhookTimeoutSeconds * 1000,
      leaseMs: settings.syncLeaseSeconds * 1000,
      keptDays: settings.eventDays,
      scheduled: syncs,
      random,
      now,
      log,
    }),
    now,
    log,
    measures: metrics,
  }
  const service: Service = {
    ...parts,
    syncs: createSyncs(parts, {
      atOnce: settings.syncsAtOnce,
      leaseMs: settings.syncLeaseSeconds * 1000,
      clock,
      scheduled: syncs,
    }),
  }
  let stopping = false
  const connections = new Connections()
  const tokens = createTokens(keys.token, now)
  const signedMessages = createSignedMessages(keys.token, now)
  const agentsSignIn = doAgentsSignIn(settings)
  const context: ServerContext = {
    service,
    tokens,
    signedMessages,
    agentsSignIn,
    resource: protectedResource({
      publicUrl: () => publicUrl,
      tokens,
      authorizationServer: () => settings.mcpIssuer ?? (agentsSignIn ? publicUrl : null),
      scope: agentsSignIn ? agentScope : settings.mcpScopes,
      issuerTokens:
        settings.mcpIssuer === null
          ? null
          : issuerTokens(service, {
              issuer: settings.mcpIssuer,
              audience: () => settings.mcpAudience ?? resourceAt(publicUrl),
              userClaim: settings.mcpUserClaim,
              organizationClaim: settings.mcpOrganizationClaim,
              scopes: settings.mcpScopes,
            }),
    }),
    fileLinks: createFileLinks(signedMessages),
    metrics,
    overview: shareOverview(service),
    denials: new DeniedAccesses(),
    documents: createDocuments(routes, catalog, () => publicUrl),
    downloadIdleMs: settings.downloadIdleSeconds * 1000,
    stopping: () => stopping,
    origins: { host: settings.host, allowed: settings.allowedOrigins ?? [] },
  }

  async function closeParts(): Promise<void> {
    await service.syncs.close(settings.stopSeconds * 1000)
    await service.events.close()
    await service.renewals.settled()
    await service.unsaved.close(settings.stopSeconds * 1000)
    await engine.close()
    await store.close()
  }

  try {
    const { clientId: id, clientSecret: secret } = settings
    const { organization, made } = await ensureFirstClient(
      service,
      id === null || secret === null ? null : { id, secret },
    )
    const app = await createApp(context, connections, settings)
    const origin = await listen(app, settings)
    publicUrl ||= origin
    log.info({ origin }, 'listening')
    // Continue at once what an earlier run left unfinished.
    service.syncs.look().catch((error: unknown) => log.error(errorFields(error), 'the schedule could not be read'))

    service.events.prune().catch((error: unknown) => log.error(errorFields(error), 'old events could not be deleted'))

    async function stop(): Promise<void> {
      stopping = true
      log.info({}, 'stopping')
      if (settings.stopDelaySeconds > 0) await new Promise((done) => setTimeout(done, settings.stopDelaySeconds * 1000))
      service.events.readers.close()
      const closed = app.close()
      connections.stop()
      const cut = setTimeout(() => connections.cut(), settings.stopSeconds * 1000)
      await closed
      clearTimeout(cut)
      await closeParts()
      log.info({}, 'stopped')
    }
    let stopped: Promise<void> | undefined

    return {
      origin,
      publicUrl,
      organizationId: organization.id,
      agentsSignIn,
      madeClient: made,
      issueToken: (externalUserId) =>
        context.tokens.issue({
          clientId: 'operator',
          organizationId: organization.id,
          externalUserId: externalUserId ?? null,
          rawRequests: true,
        }),
      service,
      close: () => (stopped ??= stop()),
    }
  } catch (error) {
    await closeParts()
    throw error
  }
}

/** Whether Conex is the authorization server of agents: its address must be one to which browsers may send secrets. */
function doAgentsSignIn({ mcpIssuer, mcpSignIn, publicUrl, host }: Settings): boolean {
  if (mcpIssuer !== null) return false
  if (mcpSignIn !== null) return mcpSignIn
  return publicUrl === null ? isLoopback(host) : /^https:/.test(publicUrl) || isLoopback(new URL(publicUrl).hostname)
}

async function listen(app: FastifyInstance, { host, port }: Settings): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    throw new Error(
      `The server cannot listen on ${host}, port ${port}: ${(error as Error).message}. Stop what runs there, or choose another place with CONEX_HOST and CONEX_PORT.`,
      { cause: error },
    )
  }
}
