/** The files of a new connector: small, and working from the start against its own simulated system. */

export interface NewConnector {
  readonly kind: string
  readonly definitionId: string
  readonly baseUrl: string
  readonly auth: 'bearer' | 'basic'
  readonly entity: string
}

/** The files by their path in the connector's folder. */
export const connectorFiles = (wanted: NewConnector): Readonly<Record<string, string>> => ({
  'connector.ts': connectorFile(wanted),
  'simulator/simulator.ts': simulatorFile(wanted),
  'connector.test.ts': testFile,
})

/** The file that makes commands in a folder load the connector. */
export const configFile = (path: string): string => `import { defineConfig } from 'conex/kit'

export default defineConfig({ connectors: ['${path}'] })
`

const connectorFile = ({ kind, definitionId, baseUrl, auth, entity }: NewConnector): string => `/** ${titleOf(kind)}. */
import { authMethod, connector, entity, get, id, identifiedBy, list, nullable, refusalText, secret, text } from 'conex/kit'

/** Name every field that the system documents; others are passed on as they come. */
const record = { id: id(), name: nullable(text()) }

const listAll = list({
  description: 'List the ${wordsOf(entity)}.',
  path: '/${entity}',
  // The place of the records in the answer: {"${entity}": [...]}.
  recordsAt: ['${entity}'],
  record,
  // If the system has pages, declare them: paging: cursorPaging({ ... }), or another style of the kit.
})

const ${camel(entity)} = entity({
  description: '${capital(wordsOf(entity))}.',
  list: listAll,
  get: get({
    description: 'Get one of the ${wordsOf(entity)}.',
    path: '/${entity}/{record_id}',
    params: { record_id: id('The id of the record.') },
    recordsAt: [],
    record,
  }),
  searchable: { id: 'string', name: 'string' },
  sync: { listings: [{ list: listAll }], identity: identifiedBy('id') },
})

export default connector({
  kind: '${kind}',
  definitionId: '${definitionId}',
  title: '${titleOf(kind)}',
  baseUrl: '${baseUrl}',
  authMethods: [
    authMethod({
${
  auth === 'bearer'
    ? `      name: 'token',
      title: 'Token',
      credentials: { token: secret('A token of the system.') },
      authorization: { style: 'bearer', token: 'token' },`
    : `      name: 'password',
      title: 'User and password',
      credentials: { user: text('The user.', { minLength: 1 }), password: secret('The password.') },
      authorization: { style: 'basic', user: 'user', password: 'password' },`
}
    }),
  ],
  replicationConfig: null,
  check: { entity: '${entity}', action: 'list', params: {} },
  readRefusal(answer) {
    const { status } = answer
    if (status < 400) return null
    const message = refusalText(answer)
    if (status === 401) return { code: 'reauthorization_required', message }
    if (status === 403) return { code: 'upstream_forbidden', message }
    if (status === 404) return { code: 'record_not_found', message }
    if (status === 429) return { code: 'upstream_rate_limited', message, transient: true }
    return status < 500 ? { code: 'upstream_refused', message } : { code: 'upstream_error', message, transient: true }
  },
  entities: { ${entity}: ${camel(entity)} },
})
`

const simulatorFile = ({
  kind,
  auth,
  entity,
}: NewConnector): string => `/** The simulated ${titleOf(kind)}. Make it as strict as the system is. */
import { type Call, jsonReply, type Reply, type RunningSystem, type SimulatedSystem, type Surroundings } from 'conex/kit'

const credentials = ${auth === 'bearer' ? "{ token: 'simulated-token' }" : "{ user: 'ann', password: 'simulated-password' }"}
const authorization = '${auth === 'bearer' ? 'Bearer simulated-token' : `Basic ${btoa('ann:simulated-password')}`}'
const records = ['First', 'Second', 'Third'].map((name, index) => ({ id: String(index + 1), name }))

function handle({ path, headers }: Call): Reply {
  if (headers.authorization !== authorization) return jsonReply(401, { message: 'Wrong credentials.' })
  if (path === '/${entity}') return jsonReply(200, { ${entity}: records })
  const found = records.find(({ id }) => path === \`/${entity}/\${id}\`)
  return found === undefined ? jsonReply(404, { message: 'There is no such record.' }) : jsonReply(200, found)
}

const start = ({ origin }: Surroundings): RunningSystem => ({
  baseUrl: origin,
  credentials: [credentials],
  landmarks: {},
  examples: { ${entity}: { list: {}, get: { record_id: '1' }, search: { query: {} } } },
  tour: { list: { entity: '${entity}', columns: ['id', 'name'] } },
  handle,
  refusal: (status) => jsonReply(status, { message: 'Refused.' }),
  changes: [],
  change: () => ({}),
})

export default { kind: '${kind}', start } satisfies SimulatedSystem
`

const testFile = `/** Everything that must hold for a connector. Add what only this system has to hold below. */
import { conformance } from 'conex/kit/conformance'
import connector from './connector.ts'
import simulator from './simulator/simulator.ts'

conformance(connector, simulator)
`

const wordsOf = (name: string): string => name.replaceAll(/[_-]/g, ' ')
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const titleOf = (kind: string): string => wordsOf(kind).split(' ').map(capital).join(' ')

/** A name for a constant, which no word of the language and no import of the file has. */
const camel = (entity: string): string =>
  `${entity.replaceAll(/_+(\w)/g, (_, letter: string) => letter.toUpperCase())}Entity`
