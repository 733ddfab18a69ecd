/** `conex tokens`: requests tokens, and codes for agents, from a hosted service. */
import type { Command } from 'commander'
import { openService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { Io } from '../io.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'

type Options = OutputOptions & ServiceOptions & { readonly user: string }

export function addTokensCommand(program: Command, io: Io): void {
  const tokens = program
    .command('tokens')
    .description('make tokens')
    .addHelpText(
      'after',
      `
Examples:
  conex tokens scoped --user ann
  conex tokens sign-in-code --user ann
  curl -H "authorization: Bearer $(conex tokens scoped --user ann --json | jq -r .token)" …`,
    )
  const command = tokens
    .command('scoped')
    .description("print a token for one end user's connectors")
    .requiredOption('--user <external_user_id>', 'whose connectors')
  withService(withOutput(command)).action(async ({ user, ...options }: Options) => {
    const service = await openService(options, io)
    const made = await service.tokens.scoped(user, { signal: io.interruption() })
    const output = createOutput(options, io)
    if (output.forPeople) output.say(made.token)
    else output.record(made)
  })
  const code = tokens
    .command('sign-in-code')
    .description('print a code with which an end user connects an agent, once, within ten minutes')
    .requiredOption('--user <external_user_id>', 'whose connectors')
  withService(withOutput(code)).action(async ({ user, ...options }: Options) => {
    const service = await openService(options, io)
    const made = await service.tokens.signInCode(user, { signal: io.interruption() })
    const output = createOutput(options, io)
    if (output.forPeople) output.say(made.sign_in_code)
    else output.record(made)
  })
}
