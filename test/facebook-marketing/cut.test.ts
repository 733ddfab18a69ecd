/** Answers that break off while something else about them is still being written down. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '../../src/client/connect.ts'
import { facebookMarketingSimulator } from '../../src/connectors/facebook-marketing/simulator/simulator.ts'
import { ledgersInMemory } from '../../src/engine/limits/shared-ledger.ts'
import { ConexError } from '../../src/errors.ts'
import { startSimulators } from '../../src/simulator/simulators.ts'

it('an answer that is cut while the count in its headers is kept ends like any other that is cut', async (t) => {
  const systems = await startSimulators([facebookMarketingSimulator], { scale: 10 })
  t.after(() => systems.close())
  const { base_url: baseUrl, credentials } = systems.describe()['facebook-marketing']!
  const kept = ledgersInMemory()
  const ledgers: typeof kept = {
    ...kept,
    // As long as a busy database may take, in which the connection is over.
    write: async (...change) => {
      await pause(50)
      return kept.write(...change)
    },
  }
  const facebook = connect('facebook-marketing', {
    credentials: credentials[0] as never,
    baseUrl,
    allowPrivateNetwork: true,
    engine: { ledgers, retries: 1 },
  })
  t.after(() => facebook.close())
  systems.faults.add({ effect: { type: 'cut' }, times: null })
  const failures = await Promise.all(
    Array.from({ length: 5 }, () => facebook.current_user.get().then(String, (error: unknown) => error)),
  )
  for (const error of failures) {
    assert.ok(error instanceof ConexError, String(error))
    assert.equal(error.code, 'upstream_invalid_response')
  }
  // Another try may do better, and was made.
  assert.equal(systems.requests.length, 10)
})
