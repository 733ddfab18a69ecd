/** `conex serve`: the server for production. All settings come from the environment. */
import type { Command } from 'commander'
import type { Catalog } from '../../catalog/catalog.ts'
import { settingsTable } from '../../server/settings.ts'
import type { CommandIo } from '../kinds.ts'
import { printJson } from '../output.ts'
import { plainLog } from '../terminal/plain-log.ts'

export function addServeCommand(program: Command, io: CommandIo): void {
  program
    .command('serve')
    .description('run the server; its settings come from the environment')
    .addHelpText(
      'after',
      () => `
Examples:
  conex serve
  CONEX_DATABASE_URL=postgres://conex@db/conex CONEX_HOST=0.0.0.0 conex serve

Settings:
${settingsHelp(io.kinds.catalog)}`,
    )
    .action(async () => {
      const [{ startServer }, { parseSettings }] = await Promise.all([
        import('../../server/start.ts'),
        import('../../server/settings.ts'),
      ])
      const { dieQuietly } = await import('../crash.ts')
      dieQuietly()
      const { catalog } = io.kinds
      const settings = parseSettings(Object.keys(catalog), io.env)
      const isPerson = io.stdout.isTTY === true
      const server = await startServer(settings, isPerson ? { logTo: plainLog(io.stdout) } : {}, catalog)
      // Handle signals before printing that the server runs: a reader may stop it from then on.
      const stopped = io.untilStopped()
      // Do not show a secret that came from the settings.
      const made = settings.clientSecret === null ? server.madeClient : null
      if (isPerson) (await import('../startup-message.ts')).printStartup(server, settings, made, io)
      else if (made !== null)
        printJson(io.stderr, [
          {
            msg: 'The first client was created. Save its secret: it is shown only this once.',
            client_id: made.id,
            client_secret: made.secret,
          },
        ])
      await stopped
      await server.close()
    })
}

function settingsHelp(catalog: Catalog): string {
  return settingsTable(Object.keys(catalog))
    .map(
      ({ name, type, default: value, meaning }) =>
        `  ${name}\n      ${meaning} ${type}${value === null ? '' : `; ${value} by default`}.\n`,
    )
    .join('')
}
