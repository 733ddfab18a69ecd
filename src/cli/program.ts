/** The command line: reads the command, runs it, and ends with a code that says how it went. */
import { Command, CommanderError } from 'commander'
import { version } from '../version.ts'
import { addAuditCommand } from './commands/audit.ts'
import { addCatalogCommand } from './commands/catalog.ts'
import { addClientsCommand } from './commands/clients.ts'
import { addCompletionCommands } from './commands/completion.ts'
import { addConnectorsCommand } from './commands/connectors.ts'
import { addConsentCommand } from './commands/consent.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addEndUsersCommand } from './commands/end-users.ts'
import { addExecuteCommand } from './commands/execute.ts'
import { addKeysCommand } from './commands/keys.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addOrganizationsCommand } from './commands/organizations.ts'
import { addProfileCommand } from './commands/profile.ts'
import { addRedirectUrlsCommand } from './commands/redirect-urls.ts'
import { addSearchCommand } from './commands/search.ts'
import { addServeCommand } from './commands/serve.ts'
import { addSimulatorsCommand } from './commands/simulators.ts'
import { addSyncCommand } from './commands/sync.ts'
import { addTokensCommand } from './commands/tokens.ts'
import { exitCode, exitCodes } from './exit-code.ts'
import { interruptedCode } from './interruption.ts'
import { missingServer } from './missing-server.ts'
import { report } from './report.ts'

const program = new Command('conex')
  .description('Read third-party business systems through one uniform interface.')
  .version(version)
  .showHelpAfterError('(add --help to see what there is)')
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  conex demo                                                  a first look: a server and simulated systems
  conex catalog asana                                         what can be read
  conex execute asana tasks list --param project=1208 --all --credentials asana.json
  conex profile set --url https://conex.example.com --client-id 9f2c
  conex execute asana tasks list --param project=1208 --user ann --json | jq .name
  conex search asana tasks --keyword name=launch --user ann

Standard output is a table on a terminal and JSON lines anywhere else; --json and --table choose.
Exit codes:
${Object.entries(exitCodes)
  .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
  .join('\n')}`,
  )

program.commandsGroup('Read:')
addExecuteCommand(program)
addSearchCommand(program)
addCatalogCommand(program)

program.commandsGroup('Manage a hosted service:')
addConnectorsCommand(program)
addSyncCommand(program)
addConsentCommand(program)
addTokensCommand(program)
addEndUsersCommand(program)
addAuditCommand(program)
addProfileCommand(program)

program.commandsGroup('Run a service:')
addServeCommand(program)
addMigrateCommand(program)
addOrganizationsCommand(program)
addClientsCommand(program)
addKeysCommand(program)
addRedirectUrlsCommand(program)

program.commandsGroup('Try it out:')
addDemoCommand(program)
addSimulatorsCommand(program)

program.commandsGroup('Set up this command:')
addCompletionCommands(program)
program.helpCommand('help [command]', 'show the help of a command')

// A reader that has seen enough, such as head, closes the pipe; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  report(new Error(`What was found cannot be written to standard output: ${error.message}.`))
  process.exit(1)
})
// Where nobody can read what went wrong, the code still says that something did.
process.stderr.on('error', () => {})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = interruptedCode() ?? codeFor(error)
}

/** Whoever pressed Ctrl-C knows why it ended; what is wrong with the command itself has been said already. */
function codeFor(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2
  const error = missingServer(thrown) ?? thrown
  report(error)
  return exitCode(error)
}
