/** `conex agents`: lists and ends the programs of agents that an end user let in at a hosted service. */
import type { Command } from 'commander'
import { openService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { Io } from '../io.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'

type Options = OutputOptions & ServiceOptions & { readonly user: string }

const columns = ['id', 'name', 'client_id', 'allowed_at', 'expires_at']

export function addAgentsCommand(program: Command, io: Io): void {
  const agents = program
    .command('agents')
    .description('list and end the agents that an end user let in')
    .addHelpText(
      'after',
      `
Examples:
  conex agents list --user ann
  conex agents end --user ann 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`,
    )
  const ofUser = (command: Command): Command =>
    withService(withOutput(command.requiredOption('--user <external_user_id>', 'who let them in')))

  ofUser(agents.command('list').description('list the agents, newest first')).action(
    async ({ user, ...options }: Options) => {
      const service = await openService(options, io)
      const output = createOutput(options, io)
      output.rows(await service.agents.list(user, { signal: io.interruption() }), columns)
      output.end()
    },
  )

  ofUser(
    agents
      .command('end')
      .description('end an agent: it gets no more tokens, and its last one ends within 20 minutes')
      .argument('<agent_id>'),
  ).action(async (id: string, { user, ...options }: Options) => {
    const service = await openService(options, io)
    await service.agents.end(user, id, { signal: io.interruption() })
    const output = createOutput(options, io)
    if (output.forPeople) output.say('The agent has ended.')
    else output.record({ ended: id })
  })
}
