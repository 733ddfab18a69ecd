/** The commands that talk to a hosted service, with a real server and simulated systems around them. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conex } from './conex.ts'
import { type Hosted, startHosted } from './hosted.ts'
import type { Ended } from './printed.ts'

export interface HostedCommands {
  readonly hosted: Hosted
  /** The folder that settings of programs are kept in. */
  readonly folder: string
  /** What names the service, and the client that calls it. */
  readonly env: Record<string, string>
  run(...args: string[]): Promise<Ended>
  /** The records of a command that succeeds. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
  fine(...args: string[]): Promise<any[]>
  /** The words that make a connector. */
  create(user: string, name: string, credential: string): string[]
  /** Makes a connector of the end user `ben`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
  make(name: string): Promise<any>
  token(): string
  close(): Promise<void>
}

/** A credential that the system refuses. */
export const refused = 'token=2/1/none'

export async function startHostedCommands(): Promise<HostedCommands> {
  const hosted = await startHosted({ simulators: { scale: 150 } })
  const folder = mkdtempSync(join(tmpdir(), 'conex-cli-'))
  const { id, secret } = hosted.server.madeClient!
  const env = {
    XDG_CONFIG_HOME: folder,
    CONEX_URL: hosted.server.origin,
    CONEX_CLIENT_ID: id,
    CONEX_CLIENT_SECRET: secret,
  }
  const commands: HostedCommands = {
    hosted,
    folder,
    env,
    run: (...args) => conex(args, { env }),
    async fine(...args) {
      const { code, records, stderr } = await commands.run(...args)
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
      return records()
    },
    create: (user, name, credential) => [
      'connectors',
      'create',
      'asana',
      '--user',
      user,
      '--name',
      name,
      '--credential',
      credential,
    ],
    make: async (name) => (await commands.fine(...commands.create('ben', name, `token=${commands.token()}`)))[0],
    token: () => hosted.credentials('one').token!,
    async close() {
      await hosted.close()
      rmSync(folder, { recursive: true })
    },
  }
  return commands
}
