/** The simulated service of beacons. */
import {
  type Call,
  jsonReply,
  type Reply,
  type RunningSystem,
  type SimulatedSystem,
  type Surroundings,
} from 'conex/kit'

const token = 'beacon-token-1'
const beacons = [
  { id: 'B-1', battery: 80 },
  { id: 'B-2', battery: 7 },
]

function handle({ path, headers }: Call): Reply {
  if (headers.authorization !== `Bearer ${token}`) return jsonReply(401, { message: 'Wrong token.' })
  if (path === '/beacons') return jsonReply(200, { beacons })
  const found = beacons.find(({ id }) => path === `/beacons/${id}`)
  return found === undefined ? jsonReply(404, { message: 'No such beacon.' }) : jsonReply(200, found)
}

const start = ({ origin }: Surroundings): RunningSystem => ({
  baseUrl: origin,
  credentials: [{ token }],
  landmarks: {},
  examples: { beacons: { list: {}, get: { beacon_id: 'B-1' } } },
  tour: { list: { entity: 'beacons', columns: ['id', 'battery'] } },
  handle,
  refusal: (status) => jsonReply(status, { message: 'Refused.' }),
  changes: [],
  change: () => ({}),
})

export const beaconSimulator: SimulatedSystem = { kind: 'beacon', start }
