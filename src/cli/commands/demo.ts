/** `conex demo`: a guided tour of the whole product, on simulated systems. */
import type { Command } from 'commander'
import type { CommandIo } from '../kinds.ts'

export function addDemoCommand(program: Command, io: CommandIo): void {
  program
    .command('demo')
    .description('run the server with simulated systems, and show a tour')
    .addHelpText(
      'after',
      () => `
The demo keeps its data in ./data; a second run continues with it. The settings of conex serve apply,
for example CONEX_PORT=8090 conex demo. It shows ${Object.keys(io.kinds.catalog).join(', ')}.`,
    )
    // Only this command loads the server and the simulated systems, so that other commands start fast.
    .action(async () => (await import('../demo/demo.ts')).runDemo(io))
}
