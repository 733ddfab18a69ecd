/** Rewrites errors in the terms of the command line: they name places in JSON, but the user wrote flags. */

/** The flags for fields of requests and options of the client library. */
const flags: Readonly<Record<string, string>> = {
  external_user_id: '--user',
  externalUserId: '--user',
  connector_type: '<kind>',
  connector_id: '--connector',
  connectorId: '--connector',
  connectorName: '--connector-name',
  server_side_oauth_secret_id: '--consent',
  replication_config: '--replication-config',
  redirect_url: '--redirect-url',
  client_id: '--client-id',
  clientId: '--client-id',
  clientSecret: '--client-secret',
  baseUrl: '--url',
  'Idempotency-Key': '--idempotency-key',
}

/** Names at the root of a path that mean nothing in a sentence. */
const roots: Readonly<Record<string, string>> = {
  ...flags,
  name: '--name',
  entities: '--entities',
  event: '--event',
  since: '--since',
  until: '--until',
}

/** The flag that set the value at a JSON Pointer of the request; the pointer itself if there is none. */
export function flagAt(pointer: string, args: readonly string[]): string {
  const [, root = '', ...steps] = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const [first] = steps
  if (root === 'params') {
    if (args[0] === 'search') return searchFlag(steps, args)
    if (args[0] === 'sql') return first === 'limit' ? '--limit' : '<statement>'
    return first === undefined ? '--params' : within(`--param ${first}`, steps.slice(1))
  }
  if (root === 'credentials')
    return first === undefined ? '--credentials' : within(`--credential ${first}`, steps.slice(1))
  if (root === 'sync') return first === 'interval_seconds' ? '--sync-interval' : '--sync'
  return Object.hasOwn(roots, root) ? within(roots[root]!, steps) : pointer
}

/** A search has an option per operator. `--filter` is combined with them, and comes first. */
function searchFlag([name = '', ...steps]: readonly string[], args: readonly string[]): string {
  if (name !== 'query') return within(`--${name}`, steps)
  const [part, ...inside] = steps
  if (part !== 'filter') return within(part === undefined ? '--filter' : `--${part}`, inside)
  const isGiven = args.some((arg) => arg === '--filter' || arg.startsWith('--filter='))
  if (!isGiven)
    return within(`--${inside[0] ?? 'filter'}${inside[1] === undefined ? '' : ` ${inside[1]}`}`, inside.slice(2))
  const isBoth =
    inside[0] === 'and' && args.some((arg) => /^--(eq|neq|[gl]te?|like|fuzzy|keyword|contains|in)\b/.test(arg))
  if (isBoth && inside[1] === '1') return within(`--${inside[2]} ${inside[3] ?? ''}`.trimEnd(), inside.slice(4))
  return within('--filter', isBoth ? inside.slice(2) : inside)
}

const within = (flag: string, steps: readonly string[]): string =>
  steps.length === 0 ? flag : `${flag} /${steps.join('/')}`

/** The sentence, with flags instead of pointers and of names that belong to requests. */
export function nameFlags(sentence: string, args: readonly string[]): string {
  return sentence.replaceAll(pointers, (pointer) => flagAt(pointer, args)).replaceAll(words, (word) => flags[word]!)
}

const pointers = new RegExp(
  `(?<![\\w/.~-])/(?:params|credentials|sync|${Object.keys(roots).join('|')})(?:/[\\w~$-]+(?:\\.[\\w~$-]+)*)*(?![\\w/])`,
  'g',
)
const words = new RegExp(`(?<![\\w/-])(?:${Object.keys(flags).join('|')})(?![\\w/-])`, 'g')
