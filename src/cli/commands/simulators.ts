/** `conex simulators`: serves the simulated third-party systems, for tests and experiments. */
import type { Command } from 'commander'
import type { CommandIo } from '../kinds.ts'
import { wholeNumber } from '../parse-number.ts'

export function addSimulatorsCommand(program: Command, io: CommandIo): void {
  program
    .command('simulators')
    .description('serve the simulated systems; prints one JSON line when they are ready')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <port>', 'the port for all systems; the next one serves their files', wholeNumber, 9400)
    .option('--seed <number>', 'the same seed generates the same data', wholeNumber, 1)
    .option('--scale <records>', 'how much data, 10 to 1,000,000', wholeNumber, 2000)
    .option('--calls-per-minute <count>', 'replaces all limits of calls per minute; 0 removes them', wholeNumber)
    .addHelpText(
      'after',
      `
GET /_faults and GET /_changes describe the faults and changes that a POST makes.

Examples:
  conex simulators --port 9400 --scale 500
  conex simulators | jq -r '.asana | .base_url, .credentials[0].token'`,
    )
    .action(async (options: { host: string; port: number; seed: number; scale: number; callsPerMinute?: number }) => {
      const { startSimulators } = await import('../../simulator/simulators.ts')
      const { host, port, seed, scale, callsPerMinute } = options
      const running = await startSimulators(await io.kinds.simulators(), {
        host,
        port,
        filesPort: port === 0 ? 0 : port + 1,
        seed,
        scale,
        ...(callsPerMinute === undefined ? {} : { callsPerMinute: callsPerMinute === 0 ? null : callsPerMinute }),
      })
      io.stdout.write(`${JSON.stringify(running.describe())}\n`)
      await io.untilStopped()
      await running.close()
    })
}
