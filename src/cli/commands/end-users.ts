/** `conex end-users`: deletes everything that a hosted service stores for an end user. */
import type { Command } from 'commander'
import { ConexError } from '../../errors.ts'
import { Ended } from '../exit-code.ts'
import { openService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { Io } from '../io.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'
import { canPrompt, promptYes } from '../terminal/prompt.ts'
import { oneLine } from '../terminal/safe-text.ts'

type Options = OutputOptions & ServiceOptions & { readonly yes?: true }

export function addEndUsersCommand(program: Command, io: Io): void {
  const endUsers = program
    .command('end-users')
    .description('delete end users')
    .addHelpText(
      'after',
      `
Examples:
  conex end-users delete ann`,
    )
  const command = endUsers
    .command('delete')
    .description('delete all connectors of an end user, with their credentials and copies')
    .argument('<external_user_id>')
    .option('--yes', 'do not ask')
  withService(withOutput(command)).action((id: string, options: Options) => remove(id, options, io))
}

async function remove(id: string, { yes, ...options }: Options, io: Io): Promise<void> {
  const service = await openService(options, io)
  const signal = io.interruption()
  if (yes !== true) {
    if (!canPrompt(io))
      throw new ConexError(
        'invalid_request',
        'This is not a terminal, so nobody can confirm; add --yes to delete the end user.',
      )
    const connectors = await Array.fromAsync(service.connectors.list.all({ external_user_id: id }, { signal }))
    const what = connectors.length === 1 ? '1 connector' : `${connectors.length} connectors`
    if (!(await promptYes(`Delete all of "${oneLine(id)}": ${what}, with credentials and copies?`, io)))
      throw new Ended(1)
  }
  createOutput(options, io).record(await service.endUsers.delete(id, { signal }))
}
