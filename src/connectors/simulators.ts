/** Every simulated system, by kind. */
import { asanaSimulator } from './asana/simulator/simulator.ts'
import { facebookMarketingSimulator } from './facebook-marketing/simulator/simulator.ts'
import { gongSimulator } from './gong/simulator/simulator.ts'

export const simulators = {
  asana: asanaSimulator,
  'facebook-marketing': facebookMarketingSimulator,
  gong: gongSimulator,
}
