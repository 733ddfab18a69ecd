/** The text on the terminal in which the server starts. */
import { resolve } from 'node:path'
import { keyFile } from '../server/keys.ts'
import type { RunningServer } from '../server/serve.ts'
import type { Settings } from '../server/settings.ts'
import type { ClientSecret } from '../service/first-client.ts'
import { sqliteFile } from '../store/open.ts'
import type { Io } from './io.ts'
import { tellOn } from './terminal/tell.ts'
import { exportCommand, tokenCommand } from './token-command.ts'

/** `made` is the new client whose secret must be shown now. */
export function printStartup(server: RunningServer, settings: Settings, made: ClientSecret | null, io: Io): void {
  const { command, fact, heading, note, say } = tellOn(io.stdout)
  heading('Conex is running')
  fact('address', server.origin)
  if (server.publicUrl !== server.origin) fact('for others', server.publicUrl)
  fact('documents', `${server.origin}/docs`)
  fact('data', placeOf(settings.databaseUrl))
  if (settings.encryptionKeys !== null && settings.tokenKeys !== null) fact('keys', 'from the settings')
  else {
    fact('keys', resolve(keyFile(settings.databaseUrl)))
    note('Back up the keys apart from the data: without them, stored credentials are lost.')
  }
  if (made !== null) {
    heading('The first client was created. Save its secret: it is shown only this once:')
    command(exportCommand({ CLIENT_ID: made.id, CLIENT_SECRET: made.secret }))
  }
  heading('A token for 15 minutes:')
  command(tokenCommand(server.origin))
  say()
  note('Ctrl-C stops it.')
  say()
}

/** The database address without its password. */
function placeOf(address: string): string {
  const file = sqliteFile(address)
  if (file !== null) return resolve(file)
  const { host, pathname } = new URL(address)
  return `PostgreSQL, ${host}${pathname}`
}
