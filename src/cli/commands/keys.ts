/** `conex keys`: creates keys, and seals all credentials again with the first key. */
import type { Command } from 'commander'
import { Ended } from '../exit-code.ts'
import type { CommandIo } from '../kinds.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'
import { createProgress } from '../terminal/progress.ts'
import { paintFor } from '../terminal/screen.ts'
import { withStore } from '../with-store.ts'

export function addKeysCommand(program: Command, io: CommandIo): void {
  const keys = program
    .command('keys')
    .description('make keys, and seal everything with a new one')
    .addHelpText(
      'after',
      `
Examples:
  conex keys make
  CONEX_ENCRYPTION_KEYS="$new,$old" conex keys rotate`,
    )

  keys
    .command('make')
    .description('print a new key for CONEX_ENCRYPTION_KEYS, CONEX_TOKEN_KEYS or the key file')
    .option('--id <id>', 'its name; by default from the date')
    .action(async ({ id }: { id?: string }) => {
      const { makeKey } = await import('../../server/keys.ts')
      io.stdout.write(`${makeKey(id)}\n`)
    })

  withOutput(
    keys
      .command('rotate')
      .description(
        'seal all credentials again with the first encryption key, while servers run; you can interrupt and repeat it',
      ),
  ).action(async (options: OutputOptions) => {
    const [{ rotateKeys }, { createSealer }, { keysOf }] = await Promise.all([
      import('../../service/rotate-keys.ts'),
      import('../../service/sealing.ts'),
      import('../../server/keys.ts'),
    ])
    const progress = createProgress(io)
    const result = await withStore(io, (store, settings) =>
      rotateKeys({ store, sealer: createSealer(keysOf(settings).encryption) }, ({ done, total }) =>
        progress.show(done, total, `${done} of ${total} rows`),
      ),
    ).finally(() => progress.end())
    const { resealed, unreadable, left } = result
    for (const { reason } of unreadable) io.stderr.write(`${paintFor(io.stderr)('red', 'left as it is')} ${reason}\n`)
    const output = createOutput(options, io)
    if (output.forPeople) output.say(`Sealed ${resealed} rows again; ${left} are still under another key.`)
    else output.record(result)
    // Exit with success only if it is safe to remove the old key.
    if (left > 0) throw new Ended(1)
  })
}
