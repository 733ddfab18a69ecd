/** Every simulated system, by kind. */
import { asanaSimulator } from './asana/simulator/simulator.ts'

export const simulators = {
  asana: asanaSimulator,
}
