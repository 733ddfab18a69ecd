/** `conex completion`: prints the script that lets a shell complete commands, kinds, entities, actions and params. */
import { Argument, type Command } from 'commander'
import { candidates } from '../completion/candidates.ts'
import { type Shell, scripts } from '../completion/scripts.ts'
import type { CommandIo } from '../kinds.ts'

export function addCompletionCommands(program: Command, io: CommandIo): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
Examples:
  eval "$(conex completion bash)"                                     in ~/.bashrc
  eval "$(conex completion zsh)"                                      in ~/.zshrc, after compinit
  conex completion fish > ~/.config/fish/completions/conex.fish`,
    )
    .action((shell: Shell) => void io.stdout.write(scripts[shell]))

  // The scripts run this: it prints one proposal per line, with its description after a tab.
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const { text, description } of candidates(program, io.kinds.catalog, words))
        io.stdout.write(`${text}\t${description.replaceAll(/\s+/g, ' ')}\n`)
    })
}
