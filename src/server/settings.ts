/** The server's settings: one table of everything that an operator can set, and how each value is read. */

import { nearest } from '../catalog/did-you-mean.ts'
import type { CallLimit } from '../catalog/limit.ts'
import { type Proxies, proxiesOf } from '../engine/http/proxies.ts'
import { environment } from '../environment.ts'
import { logLevels } from '../log.ts'
import {
  address,
  callLimits,
  clientSecret,
  database,
  type Form,
  issuer,
  keys,
  origins,
  orNull,
  proxies,
  seconds,
  text,
  wholeNumber,
  word,
  yesOrNo,
} from './setting-forms.ts'

interface Row<T> {
  /** Without the common prefix. */
  readonly name: string
  /** The format of the value, in words. */
  readonly type: string
  readonly read: (given: string) => T
  readonly default: T
  readonly secret: boolean
  readonly meaning: string
}

const prefix = 'CONEX_'

/**
 * Variables that callers of a service may have in the same shell: one is read by commands, the other appears in the
 * documents.
 */
const ofCallers = new Set(['CONEX_URL', 'CONEX_TOKEN'])

function row<T>(name: string, [type, read]: Form<T>, fallback: T, meaning: string, secret?: 'secret'): Row<T> {
  return { name, type, read, default: fallback, secret: secret !== undefined, meaning }
}

const rows = {
  host: row('HOST', text(), '127.0.0.1', 'Address to listen on.'),
  port: row('PORT', wholeNumber(0, 65_535), 8080, 'Port to listen on; 0 chooses a free one.'),
  databaseUrl: row(
    'DATABASE_URL',
    database(),
    'sqlite:./data/conex.db',
    'The database that stores everything.',
    'secret',
  ),
  publicUrl: row(
    'PUBLIC_URL',
    orNull(address()),
    null,
    'Public address of the server; by default the address that it listens on.',
  ),
  clientId: row('CLIENT_ID', orNull(text()), null, 'Id of the first client; created at the first start by default.'),
  clientSecret: row(
    'CLIENT_SECRET',
    orNull(clientSecret()),
    null,
    'Secret of the first client; created and shown once by default.',
    'secret',
  ),
  encryptionKeys: row(
    'ENCRYPTION_KEYS',
    orNull(keys()),
    null,
    'Keys that seal credentials: the first seals, all open. From keys.json beside the database by default.',
    'secret',
  ),
  tokenKeys: row(
    'TOKEN_KEYS',
    orNull(keys()),
    null,
    'Keys that sign tokens: the first signs, all verify. From keys.json beside the database by default.',
    'secret',
  ),
  connectors: row(
    'CONNECTORS',
    orNull(text()),
    null,
    'Connectors from outside of Conex: folders, files and packages, with commas; connectors of conex.config.ts by default.',
  ),
  allowPrivateNetwork: row(
    'ALLOW_PRIVATE_NETWORK',
    yesOrNo(),
    false,
    'Allow private addresses and plain http for third-party systems; for simulators and systems in your own network.',
  ),
  upstreamProxy: row(
    'UPSTREAM_PROXY',
    orNull(text()),
    null,
    'Proxy for third-party systems, or none; HTTPS_PROXY and HTTP_PROXY by default. NO_PROXY lists hosts to reach directly.',
    'secret',
  ),
  privateRecords: row(
    'PRIVATE_RECORDS',
    yesOrNo(),
    true,
    'Return records that a third-party system marks as private, for example private calls.',
  ),
  rawRequests: row(
    'RAW_REQUESTS',
    yesOrNo(),
    false,
    'Allow requests that no operation describes, for tokens with the scope raw_requests.',
  ),
  syncEnabled: row(
    'SYNC_ENABLED',
    yesOrNo(),
    true,
    'Keep a copy for new connectors, unless the request that creates them says otherwise.',
  ),
  syncIntervalSeconds: row(
    'SYNC_INTERVAL_SECONDS',
    wholeNumber(60, 31_536_000),
    3600,
    'Seconds between syncs of new connectors, unless the request that creates them says otherwise.',
  ),
  syncsAtOnce: row('SYNCS_AT_ONCE', wholeNumber(1, 1000), 4, 'How many connectors this node syncs at the same time.'),
  syncLeaseSeconds: row(
    'SYNC_LEASE_SECONDS',
    wholeNumber(1, 3600),
    60,
    'How long a node may be silent before other nodes take over its syncs.',
  ),
  eventDays: row('EVENT_DAYS', wholeNumber(4, 3650), 30, 'How many days events and their deliveries are kept.'),
  webhookTimeoutSeconds: row(
    'WEBHOOK_TIMEOUT_SECONDS',
    seconds(1, 60),
    15,
    'How long the receiver of a webhook may take to answer.',
  ),
  logLevel: row('LOG_LEVEL', word(logLevels), 'info', 'Level of the log.'),
  upstreamTimeoutSeconds: row(
    'UPSTREAM_TIMEOUT_SECONDS',
    seconds(1, 3600),
    60,
    'Time limit for an operation on a third-party system, including retries; for a download, up to its first byte.',
  ),
  downloadIdleSeconds: row(
    'DOWNLOAD_IDLE_SECONDS',
    seconds(1, 3600),
    30,
    'How long a running download may be silent, and how long its caller may read nothing.',
  ),
  connectorDownloadsAtOnce: row(
    'CONNECTOR_DOWNLOADS_AT_ONCE',
    wholeNumber(1, 10_000),
    16,
    'How many downloads of one connector this node runs at the same time; others wait.',
  ),
  endUserDownloadsAtOnce: row(
    'END_USER_DOWNLOADS_AT_ONCE',
    wholeNumber(1, 10_000),
    32,
    'How many downloads of one end user this node runs at the same time; others wait.',
  ),
  retryCeilingSeconds: row('RETRY_CEILING_SECONDS', seconds(0, 3600), 30, 'The longest Retry-After to wait for.'),
  answerMemoryMib: row(
    'ANSWER_MEMORY_MIB',
    orNull(wholeNumber(16, 1_000_000)),
    null,
    'Approximate memory for all answers of third-party systems while they are read and passed on, in MiB; a quarter of the heap by default.',
  ),
  rateLimitPerMinute: row(
    'RATE_LIMIT_PER_MINUTE',
    wholeNumber(0, 1e9),
    60_000,
    'Requests per minute for one client; 0 means no limit.',
  ),
  endUserRateLimitPerMinute: row(
    'END_USER_RATE_LIMIT_PER_MINUTE',
    wholeNumber(0, 1e9),
    6_000,
    'Requests per minute for one end user with scoped tokens; 0 means no limit.',
  ),
  tokenRateLimitPerMinute: row(
    'TOKEN_RATE_LIMIT_PER_MINUTE',
    wholeNumber(0, 1e9),
    120,
    'Token requests per minute from one address; 0 means no limit.',
  ),
  trustedProxies: row(
    'TRUST_PROXY',
    proxies(),
    0,
    'How many proxies in front add to X-Forwarded-For (true: one); earlier entries of the header are ignored.',
  ),
  allowedOrigins: row(
    'ALLOWED_ORIGINS',
    orNull(origins()),
    null,
    'Web pages whose scripts may call the server from a browser, with scoped tokens; none by default.',
  ),
  mcpSignIn: row(
    'MCP_SIGN_IN',
    orNull(yesOrNo()),
    null,
    'Let end users sign in at Conex for their agents; by default if the public address is https or a loopback one, and there is no CONEX_MCP_ISSUER.',
  ),
  mcpIssuer: row(
    'MCP_ISSUER',
    orNull(issuer()),
    null,
    'Identity provider whose tokens /mcp accepts besides those of Conex; none by default.',
  ),
  mcpAudience: row(
    'MCP_AUDIENCE',
    orNull(text()),
    null,
    'The audience that these tokens name; by default the public address of /mcp.',
  ),
  mcpUserClaim: row('MCP_USER_CLAIM', text(), 'sub', 'The claim of these tokens that names the end user.'),
  mcpOrganizationClaim: row(
    'MCP_ORGANIZATION_CLAIM',
    orNull(text()),
    null,
    'The claim of these tokens that holds the id of the organization; needed if there are several.',
  ),
  mcpScopes: row('MCP_SCOPES', orNull(text()), null, 'Scopes that these tokens need, separated by spaces.'),
  stopDelaySeconds: row(
    'STOP_DELAY_SECONDS',
    seconds(0, 3600),
    0,
    'How long a stopping server still takes requests, but reports that it is not ready, so that load balancers can react.',
  ),
  stopSeconds: row(
    'STOP_SECONDS',
    seconds(0, 3600),
    30,
    'How long running requests may take to finish when the server stops.',
  ),
}

type RowSettings = { readonly [name in keyof typeof rows]: (typeof rows)[name] extends Row<infer T> ? T : never }

export interface Application {
  readonly clientId: string
  readonly clientSecret: string
}

export interface Settings extends RowSettings {
  /** The operator's addresses of systems, by connector kind. */
  readonly baseUrls: Readonly<Record<string, string>>
  /** The applications that are registered with systems, by connector kind. */
  readonly applications: Readonly<Record<string, Application>>
  /** From the setting above, or from the usual proxy variables. */
  readonly proxies: Proxies | null
  /** The operator's call limits of systems, by connector kind; an empty list lifts them. */
  readonly callLimits: Readonly<Record<string, readonly CallLimit[]>>
}

export const defaultSettings: Settings = {
  ...(Object.fromEntries(
    Object.entries(rows).map(([name, { default: value }]) => [name, value]),
  ) as unknown as RowSettings),
  baseUrls: {},
  applications: {},
  proxies: null,
  callLimits: {},
}

/** One row of the table that `--help` and the documents print. */
export interface SettingRow {
  readonly name: string
  readonly type: string
  readonly default: string | null
  readonly secret: boolean
  readonly meaning: string
}

/** All settings for these connector kinds. */
export function settingsTable(kinds: readonly string[]): SettingRow[] {
  return [...Object.values<Row<unknown>>(rows), ...kinds.flatMap((kind) => Object.values(kindRows(kind)))].map(
    ({ name, type, default: value, secret, meaning }) => ({
      name: prefix + name,
      type,
      default: value === null ? null : String(value),
      secret,
      meaning,
    }),
  )
}

/** Reads the settings from the environment. Throws one error that lists every fault and how to correct it. */
export function parseSettings(
  kinds: readonly string[],
  env: Readonly<Record<string, string | undefined>> = environment,
): Settings {
  const faults: string[] = []
  const known = new Set<string>()

  const settings = Object.fromEntries(
    Object.entries<Row<unknown>>(rows).map(([name, setting]) => [name, valueFor(setting)]),
  ) as unknown as RowSettings
  pair(settings.clientId, settings.clientSecret, 'CLIENT_ID', 'CLIENT_SECRET')

  if (settings.mcpIssuer !== null && settings.mcpSignIn)
    faults.push(
      `${prefix}${rows.mcpSignIn.name} cannot be true with ${prefix}${rows.mcpIssuer.name}; remove one of them`,
    )
  if (settings.mcpIssuer === null)
    for (const { name } of [rows.mcpAudience, rows.mcpUserClaim, rows.mcpOrganizationClaim, rows.mcpScopes])
      if (env[prefix + name]?.trim())
        faults.push(`${prefix}${rows.mcpIssuer.name} is missing; ${prefix}${name} has no effect without it`)

  const baseUrls: Record<string, string> = {}
  const applications: Record<string, Application> = {}
  const limits: Record<string, readonly CallLimit[]> = {}
  for (const kind of kinds) {
    const { baseUrl, clientId, clientSecret, callLimits } = kindRows(kind)
    const [url, id, secret] = [valueFor(baseUrl), valueFor(clientId), valueFor(clientSecret)]
    pair(id, secret, clientId.name, clientSecret.name)
    if (url !== null) baseUrls[kind] = url
    const given = valueFor(callLimits)
    if (given !== null) limits[kind] = given
    if (id !== null && secret !== null) applications[kind] = { clientId: id, clientSecret: secret }
  }

  let proxies: Proxies | null = null
  try {
    proxies = proxiesOf(env)
  } catch (error) {
    faults.push((error as Error).message)
  }

  for (const name of Object.keys(env)) {
    if (!name.startsWith(prefix) || known.has(name) || ofCallers.has(name)) continue
    const meant = nearest(
      name.slice(prefix.length),
      [...known].map((other) => other.slice(prefix.length)),
    )
    faults.push(`${name} is not a setting${meant === null ? '; remove it' : `; did you mean ${prefix}${meant}?`}`)
  }
  if (faults.length > 0) throw new SettingsError(faults)
  return { ...settings, baseUrls, applications, proxies, callLimits: limits }

  function valueFor<T>({ name, read, default: fallback }: Row<T>): T {
    const full = prefix + name
    known.add(full)
    const given = env[full]?.trim()
    if (given === undefined || given === '') return fallback
    try {
      return read(given)
    } catch (error) {
      faults.push(`${full} ${(error as Error).message}`)
      return fallback
    }
  }

  function pair(one: unknown, other: unknown, oneName: string, otherName: string): void {
    if ((one === null) === (other === null)) return
    const [given, missing] = one === null ? [otherName, oneName] : [oneName, otherName]
    // A value that could not be read has already been reported.
    if (!env[prefix + missing])
      faults.push(`${prefix}${missing} is missing; ${prefix}${given} has no effect without it`)
  }
}

/** Every fault in the settings, each with its correction. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

function kindRows(kind: string) {
  const name = kind.toUpperCase().replaceAll('-', '_')
  return {
    baseUrl: row(`${name}_BASE_URL`, orNull(address()), null, `Address of ${kind}; by default its own.`),
    clientId: row(
      `${name}_OAUTH_CLIENT_ID`,
      orNull(text()),
      null,
      `The id of the application that is registered with ${kind}.`,
    ),
    clientSecret: row(`${name}_OAUTH_CLIENT_SECRET`, orNull(text()), null, 'Its secret.', 'secret'),
    callLimits: row(
      `${name}_CALL_LIMITS`,
      orNull(callLimits()),
      null,
      `Call limits of ${kind} for one set of credentials; by default the documented ones.`,
    ),
  }
}
