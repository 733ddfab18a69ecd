/** The command line: reads the command, runs it, and ends with a code that says how it went. */
import { Command } from 'commander'
import { addCatalogCommand } from './commands/catalog.ts'
import { addClientsCommand } from './commands/clients.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addExecuteCommand } from './commands/execute.ts'
import { addKeysCommand } from './commands/keys.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addOrganizationsCommand } from './commands/organizations.ts'
import { addRedirectUrlsCommand } from './commands/redirect-urls.ts'
import { addServeCommand } from './commands/serve.ts'
import { addSimulatorsCommand } from './commands/simulators.ts'
import { exitCode } from './exit-code.ts'
import { missingServer } from './missing-server.ts'
import { report } from './report.ts'
import { version } from './version.ts'

const program = new Command('conex')
  .description('Read third-party business systems through one uniform interface.')
  .version(version)
  .showHelpAfterError('(conex --help shows what there is)')
  .configureHelp({ showGlobalOptions: true })

addServeCommand(program)
addDemoCommand(program)
addExecuteCommand(program)
addCatalogCommand(program)
addSimulatorsCommand(program)
addMigrateCommand(program)
addRedirectUrlsCommand(program)
addOrganizationsCommand(program)
addClientsCommand(program)
addKeysCommand(program)

// A reader that has seen enough, such as head, closes the pipe; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await program.parseAsync()
} catch (thrown) {
  const error = missingServer(thrown) ?? thrown
  report(error)
  process.exitCode = exitCode(error)
}
