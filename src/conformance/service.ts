/** A service of its own for one kind, on a fresh database, beside the kind's simulated system. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Connector } from '../catalog/connector.ts'
import { createEngine } from '../engine/engine.ts'
import { type RunningServer, serve } from '../server/serve.ts'
import { defaultSettings } from '../server/settings.ts'
import { type RunningSimulators, startSimulators } from '../simulator/simulators.ts'
import type { SimulatedSystem } from '../simulator/system.ts'
import { type SkippingClock, skippingClock } from './skipping-clock.ts'

export interface ServiceUnderTest {
  readonly systems: RunningSimulators
  readonly server: RunningServer
  readonly clock: SkippingClock
  /** The lines of the log since it was emptied. */
  readonly log: string[]
  close(): Promise<void>
}

/** A Monday, on which the simulated system stands still, so that what it signs is the same at each reading. */
export const monday = Date.UTC(2026, 5, 15, 20)

export async function startService(connector: Connector, simulator: SimulatedSystem): Promise<ServiceUnderTest> {
  const { kind } = connector
  const clock = skippingClock(() => monday)
  const systems = await startSimulators([simulator], { callsPerMinute: null, now: () => monday, scale: 150 })
  const { base_url, application } = systems.describe()[kind]!
  const folder = mkdtempSync(join(tmpdir(), 'conex-conformance-'))
  const log: string[] = []
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    },
  })
  const settings = {
    ...defaultSettings,
    port: 0,
    databaseUrl: `sqlite:${join(folder, 'conex.db')}`,
    allowPrivateNetwork: true,
    logLevel: 'debug' as const,
    baseUrls: { [kind]: base_url },
    applications: application
      ? { [kind]: { clientId: application.client_id, clientSecret: application.client_secret } }
      : {},
    // A kind with many operations is called more often than any one caller should be.
    rateLimitPerMinute: 0,
    endUserRateLimitPerMinute: 0,
    tokenRateLimitPerMinute: 0,
  }
  const options = { logTo, clock, random: () => 0.1, syncs: false }
  let server: RunningServer
  try {
    server = await serve(settings, { [kind]: connector }, createEngine, options)
  } catch (error) {
    await systems.close()
    rmSync(folder, { recursive: true })
    throw error
  }
  return {
    systems,
    server,
    clock,
    log,
    async close() {
      // What a failed check has left running ends at once where the system is gone.
      await systems.close()
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}
