/** Runs a command of the command line in a pseudo-terminal, as a person does, through the `script` program that systems ship. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { main, type Surroundings } from './command.ts'
import type { Typing } from './conex.ts'

export interface Seen {
  /** Everything that the terminal was told, with its escape codes. */
  readonly text: string
  readonly code: number | null
}

export interface Terminal {
  readonly columns?: number
  readonly typing?: readonly Typing[]
  /** A file that standard output goes to. */
  readonly into?: string
  /** A command that the same terminal runs behind it. */
  readonly afterwards?: string
}

export async function inTerminal(
  args: readonly string[],
  { cwd, env = {} }: Surroundings = {},
  { columns = 80, typing = [], into, afterwards }: Terminal = {},
): Promise<Seen> {
  const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
  const command =
    [process.execPath, main, ...args].map(quote).join(' ') + (into === undefined ? '' : ` > ${quote(into)}`)
  // A shell that goes on has to outlive Ctrl-C itself.
  const run =
    afterwards === undefined ? `exec ${command}` : `trap : INT; ${command}; code=$?; ${afterwards}; exit $code`
  const line = `stty cols ${columns} rows 24; ${run}`
  const script =
    process.platform === 'linux' ? ['-qefc', line, '/dev/null'] : ['-q', '/dev/null', '/bin/sh', '-c', line]
  const child = spawn('script', script, {
    ...(cwd !== undefined && { cwd }),
    // Without a home of somebody's, and without what a test run or a terminal of theirs says about colours.
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      ...env,
    },
  })
  let text = ''
  const waiting = [...typing]
  child.stdout.on('data', (part) => {
    text += part
    while (waiting.length > 0 && waiting[0]!.after.test(text)) child.stdin.write(waiting.shift()!.keys)
  })
  const [code] = await once(child, 'close')
  return { text, code }
}
