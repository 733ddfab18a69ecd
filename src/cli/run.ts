/** The command line: parses the command, runs it, and returns its exit code. */
import { Command, CommanderError } from 'commander'
import { missingServer } from '../missing-server.ts'
import { version } from '../version.ts'
import { addAgentsCommand } from './commands/agents.ts'
import { addAuditCommand } from './commands/audit.ts'
import { addCatalogCommand } from './commands/catalog.ts'
import { addClientsCommand } from './commands/clients.ts'
import { addCompletionCommands } from './commands/completion.ts'
import { addConnectorCommand } from './commands/connector.ts'
import { addConnectorsCommand } from './commands/connectors.ts'
import { addConsentCommand } from './commands/consent.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addEndUsersCommand } from './commands/end-users.ts'
import { addEventsCommand } from './commands/events.ts'
import { addExecuteCommand } from './commands/execute.ts'
import { addKeysCommand } from './commands/keys.ts'
import { addMcpCommand } from './commands/mcp.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addOrganizationsCommand } from './commands/organizations.ts'
import { addProfileCommand } from './commands/profile.ts'
import { addRedirectUrlsCommand } from './commands/redirect-urls.ts'
import { addSearchCommand } from './commands/search.ts'
import { addServeCommand } from './commands/serve.ts'
import { addSimulatorsCommand } from './commands/simulators.ts'
import { addSqlCommand } from './commands/sql.ts'
import { addSyncCommand } from './commands/sync.ts'
import { addTokensCommand } from './commands/tokens.ts'
import { addWebhooksCommand } from './commands/webhooks.ts'
import { Ended, exitCode, exitCodes } from './exit-code.ts'
import { Interrupted, type Io } from './io.ts'
import { type CommandIo, withKinds } from './kinds.ts'
import { reportError } from './report-error.ts'

/** Runs the command with these words, and returns its exit code. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(await withKinds(io)).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    const { reason } = io.interruption()
    if (reason instanceof Interrupted) return reason.exitCode
    return codeFor(error, args, io)
  }
}

/** After Ctrl-C, no message is needed; commander has already printed its own errors. */
function codeFor(thrown: unknown, args: readonly string[], io: Io): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2
  if (thrown instanceof Ended) return thrown.code
  const error = missingServer(thrown) ?? thrown
  reportError(error, args, io)
  return exitCode(error)
}

function createProgram(io: CommandIo): Command {
  const program = new Command('conex')
    .description('Read third-party business systems through one uniform interface.')
    .version(version)
    // Ids and cursors may begin with a dash; after a command's name, only that command reads its options.
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for the available commands and options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    })
    .addHelpText(
      'after',
      `
Examples:
  conex demo                                                  a first look: a server and simulated systems
  conex catalog asana                                         all entities, actions and params
  conex execute asana tasks list --param project=1208 --all --credentials asana.json
  conex profile set --url https://conex.example.com --client-id 9f2c
  conex execute asana tasks list --param project=1208 --user ann --json | jq .name
  conex search asana tasks --keyword name=launch --user ann
  conex sql asana 'select count(*) as open from tasks where not completed' --user ann

Standard output is a table on a terminal and JSON lines anywhere else; --json and --table override this.
Exit codes:
${Object.entries(exitCodes)
  .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
  .join('\n')}`,
    )

  program.commandsGroup('Read:')
  addExecuteCommand(program, io)
  addSearchCommand(program, io)
  addSqlCommand(program, io)
  addCatalogCommand(program, io)
  addMcpCommand(program, io)

  program.commandsGroup('Manage a hosted service:')
  addConnectorsCommand(program, io)
  addSyncCommand(program, io)
  addConsentCommand(program, io)
  addTokensCommand(program, io)
  addAgentsCommand(program, io)
  addEndUsersCommand(program, io)
  addAuditCommand(program, io)
  addEventsCommand(program, io)
  addWebhooksCommand(program, io)
  addProfileCommand(program, io)

  program.commandsGroup('Run a service:')
  addServeCommand(program, io)
  addMigrateCommand(program, io)
  addOrganizationsCommand(program, io)
  addClientsCommand(program, io)
  addKeysCommand(program, io)
  addRedirectUrlsCommand(program, io)

  program.commandsGroup('Extend Conex:')
  addConnectorCommand(program, io)

  program.commandsGroup('Try it out:')
  addDemoCommand(program, io)
  addSimulatorsCommand(program, io)

  program.commandsGroup('Set up this command:')
  addCompletionCommands(program, io)
  program.helpCommand('help [command]', 'show the help of a command')
  return program
}
