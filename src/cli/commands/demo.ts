/** `conex demo`: a guided tour of the whole product, on simulated systems. */
import type { Command } from 'commander'
import { catalog } from '../../connectors/index.ts'
import type { Io } from '../io.ts'

export function addDemoCommand(program: Command, io: Io): void {
  program
    .command('demo')
    .description('run the server with simulated systems, and show a tour')
    .addHelpText(
      'after',
      `
The demo keeps its data in ./data; a second run continues with it. The settings of conex serve apply,
for example CONEX_PORT=8090 conex demo. It shows ${Object.keys(catalog).join(', ')}.`,
    )
    // Only this command loads the server and the simulated systems, so that other commands start fast.
    .action(async () => (await import('../demo/demo.ts')).runDemo(io))
}
