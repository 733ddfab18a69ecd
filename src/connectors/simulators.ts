/** Every simulated system, by kind. */
import { asanaSimulator } from './asana/simulator/simulator.ts'
import { facebookMarketingSimulator } from './facebook-marketing/simulator/simulator.ts'
import { gongSimulator } from './gong/simulator/simulator.ts'
import { hubspotSimulator } from './hubspot/simulator/simulator.ts'
import { slackSimulator } from './slack/simulator/simulator.ts'

export const simulators = {
  slack: slackSimulator,
  hubspot: hubspotSimulator,
  asana: asanaSimulator,
  'facebook-marketing': facebookMarketingSimulator,
  gong: gongSimulator,
}
