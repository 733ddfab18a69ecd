/** `conex migrate`: migrates the database to this version, without starting the server. */
import type { Command } from 'commander'
import type { CommandIo } from '../kinds.ts'

export function addMigrateCommand(program: Command, io: CommandIo): void {
  program
    .command('migrate')
    .description('migrate the database to this version; starting the server does so too')
    .action(async () => {
      const [{ openStore }, { parseSettings }] = await Promise.all([
        import('../../store/open.ts'),
        import('../../server/settings.ts'),
      ])
      const { catalog } = io.kinds
      const store = await openStore(parseSettings(Object.keys(catalog), io.env).databaseUrl, catalog)
      await store.close()
      io.stdout.write('The database is migrated to this version.\n')
    })
}
