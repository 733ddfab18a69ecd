/** The simulated systems, with no limits. */
import { simulators } from '../../src/connectors/simulators.ts'
import { startSimulators } from '../../src/simulator/simulators.ts'

const running = await startSimulators(Object.values(simulators), { callsPerMinute: null })
process.stdout.write(`${JSON.stringify({ systems: running.describe(), landmarks: running.landmarks('asana') })}\n`)
