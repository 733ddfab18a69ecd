/** The conformance suite for `node:test`. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connectorFaults } from '../catalog/check-connector.ts'
import type { Connector } from '../catalog/connector.ts'
import { missingServer } from '../missing-server.ts'
import type { SimulatedSystem } from '../simulator/system.ts'
import { checksOf } from './checks.ts'
import { runCheck } from './run-check.ts'
import type { Subject } from './subject.ts'

/** Registers one test for each check. Each reads from the simulated system, hosted and local. */
export function conformance(connector: Connector, simulator: SimulatedSystem): void {
  describe(`a connector of the kind ${connector.kind}`, () => {
    const faults = connectorFaults(connector)
    it('is declared without a fault', () =>
      assert.deepEqual(
        faults.map(({ path, message }) => `${path} ${message}`),
        [],
      ))
    if (faults.length > 0) return
    let subject: Subject
    before(async () => {
      // Runs a server, whose libraries may be missing.
      const { startSubject } = await import('./subject.ts').catch((error: unknown) => {
        throw missingServer(error) ?? error
      })
      subject = await startSubject(connector, simulator)
    })
    after(() => subject?.close())
    for (const check of checksOf(connector))
      it(check.name, async () => {
        const failure = await runCheck(check, subject)
        if (failure === null) return
        const { reason, mend, lastRequest } = failure
        assert.fail([reason, ...(lastRequest === null ? [] : [`The last request: ${lastRequest}`]), mend].join('\n'))
      })
  })
}
