/** The profile: a file with a hosted service and its client, readable only by its owner. */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import Type, { type Static } from 'typebox'
import { checkOf } from '../../catalog/check.ts'
import { ConexError } from '../../errors.ts'
import type { Io } from '../io.ts'

const profile = Type.Object(
  { url: Type.String(), client_id: Type.String(), client_secret: Type.String() },
  { additionalProperties: false },
)

export type Profile = Static<typeof profile>
const check = checkOf(profile, '')

/** `conex/profile.json` in the user's configuration folder. */
export function profileFile({ XDG_CONFIG_HOME: folder }: Io['env']): string {
  return join(folder?.startsWith('/') ? folder : join(homedir(), '.config'), 'conex', 'profile.json')
}

/** The content of the file; null if there is none. Refused if other users can read it. */
export async function readProfile(env: Io['env']): Promise<Profile | null> {
  const file = profileFile(env)
  let content: string
  try {
    const { mode } = await stat(file)
    // Windows has no such permission bits.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new ConexError(
        'invalid_request',
        `The profile ${file} contains a secret, and other users can read it; run "chmod 600 ${file}", and rotate the secret if it may have been seen.`,
      )
    content = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const read = parsed(content)
  if (read === null || check(read).length > 0)
    throw new ConexError(
      'invalid_request',
      `The profile ${file} cannot be used; write a new one with "conex profile set".`,
    )
  return read as Profile
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}

/** Writes a temporary file and renames it, so that the profile is never incomplete or readable by others. */
export async function writeProfile(given: Profile, env: Io['env']): Promise<void> {
  const file = profileFile(env)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, `${JSON.stringify(given, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(fresh, file)
}

/** Returns whether there was a profile. */
export async function removeProfile(env: Io['env']): Promise<boolean> {
  const file = profileFile(env)
  const there = await stat(file).catch(() => null)
  await rm(file, { force: true })
  return there !== null
}
