/** The simulated tracker. */
import {
  type Call,
  jsonReply,
  type Reply,
  type RunningSystem,
  readQuery,
  type SimulatedSystem,
  type Surroundings,
  valuesOf,
} from 'conex/kit'

const token = 'tracker-token-1'
const issues = Array.from({ length: 120 }, (_, index) => ({
  id: `T-${index + 1}`,
  title: index % 10 === 0 ? `Launch ${index + 1}` : `Repair ${index + 1}`,
  points: index % 8,
}))

function answer({ path, query, headers }: Call): Reply {
  if (headers.authorization !== `Bearer ${token}`) return jsonReply(401, { message: 'Wrong token.' })
  const [, collection, wanted] = path.split('/')
  if (collection !== 'issues') return jsonReply(404, { message: 'No such address.' })
  if (wanted !== undefined) {
    const found = issues.find(({ id }) => id === wanted)
    return found === undefined ? jsonReply(404, { message: 'No such issue.' }) : jsonReply(200, found)
  }
  const params = valuesOf(readQuery(query))
  const from = Number(params.get('cursor') ?? 0)
  const to = from + Number(params.get('limit') ?? 50)
  return jsonReply(200, { issues: issues.slice(from, to), next: to < issues.length ? String(to) : null })
}

function start({ origin }: Surroundings): RunningSystem {
  return {
    baseUrl: origin,
    credentials: [{ token }],
    landmarks: {},
    examples: { issues: { list: {}, get: { issue_id: 'T-1' }, search: {} } },
    tour: { list: { entity: 'issues', columns: ['id', 'title', 'points'] } },
    handle: answer,
    refusal: (status) => jsonReply(status, { message: 'Refused.' }),
    changes: [],
    change: () => ({}),
  }
}

export const trackerSimulator: SimulatedSystem = { kind: 'tracker', start }
