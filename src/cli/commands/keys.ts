/** `conex keys`: makes keys, and seals everything anew with the first one. */
import type { Command } from 'commander'
import { paint } from '../report.ts'
import { printJson } from '../table.ts'
import { withStore } from '../with-store.ts'

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('make keys, and move everything to a new one')

  keys
    .command('make')
    .description('print a new key, to be put into CONEX_ENCRYPTION_KEYS, CONEX_TOKEN_KEYS or the key file')
    .option('--id <id>', 'its name; from the date when left out')
    .action(async ({ id }: { id?: string }) => {
      const { makeKey } = await import('../../server/keys.ts')
      process.stdout.write(`${makeKey(id)}\n`)
    })

  keys
    .command('rotate')
    .description(
      'seal everything anew with the first encryption key, while servers run; may be stopped and started again',
    )
    .option('--json', 'the result as one JSON object')
    .action(async ({ json }: { json?: true }) => {
      const [{ rotateKeys }, { createSealer }, { keysOf }] = await Promise.all([
        import('../../service/rotate-keys.ts'),
        import('../../service/sealing.ts'),
        import('../../server/keys.ts'),
      ])
      const result = await withStore((store, settings) =>
        rotateKeys({ store, sealer: createSealer(keysOf(settings).encryption) }, ({ done, total }) =>
          process.stderr.write(`${paint('dim', `${done} of ${total}`)}\n`),
        ),
      )
      const { resealed, unreadable, left } = result
      for (const { reason } of unreadable) process.stderr.write(`${paint('red', 'left as it is')} ${reason}\n`)
      if (json) printJson([result])
      else process.stdout.write(`Sealed ${resealed} rows anew; ${left} are still under another key.\n`)
      // Whoever takes the old key away on a success must be able to trust it.
      if (left > 0) process.exitCode = 1
    })
}
