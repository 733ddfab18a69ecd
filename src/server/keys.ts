/** The keys that seal credentials and sign tokens, from the settings or from a file that the first start creates. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Key } from '../service/sealing.ts'
import { sqliteFile } from '../store/open.ts'

export interface Keys {
  readonly encryption: readonly Key[]
  readonly token: readonly Key[]
}

/**
 * Reads a list of keys, `<id>:<base64 of 32 bytes>` separated by commas. The error it throws shows none of the text.
 */
export function parseKeys(text: string): Key[] {
  const keys = text.split(',').map((part): Key => {
    const [, id, encoded] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)\s*$/.exec(part) ?? []
    if (id === undefined || encoded === undefined)
      throw new Error(
        'must be a comma-separated list of <id>:<base64 of 32 random bytes>; `openssl rand -base64 32` makes one',
      )
    return { id, secret: new Uint8Array(Buffer.from(encoded, 'base64')) }
  })
  if (new Set(keys.map(({ id }) => id)).size < keys.length)
    throw new Error('uses one id for two keys; give each key its own id')
  return keys
}

/** A new key, as settings and key files contain it. */
export function makeKey(id: string = freshId()): string {
  const key = `${id}:${randomBytes(32).toString('base64')}`
  parseKeys(key)
  return key
}

/** The id is the date of the key; the random part distinguishes two keys of one day. */
const freshId = (): string =>
  `k${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(2).toString('hex')}`

interface KeySettings {
  readonly encryptionKeys: readonly Key[] | null
  readonly tokenKeys: readonly Key[] | null
  readonly databaseUrl: string
}

/** The keys for these settings: those that the settings list, and the others from the key file. */
export const keysOf = ({ encryptionKeys, tokenKeys, databaseUrl }: KeySettings): Keys =>
  loadKeys({ encryption: encryptionKeys, token: tokenKeys }, keyFile(databaseUrl))

/** The file for keys that the settings do not list. */
export const keyFile = (databaseUrl: string): string => join(dataFolder(databaseUrl), 'keys.json')

/** The folder for the server's files: beside the database if it is a file. */
export const dataFolder = (databaseUrl: string): string => dirname(sqliteFile(databaseUrl) ?? './data/.')

/** The given keys. Missing ones come from the file, which is created if it does not exist. */
export function loadKeys(given: { [name in keyof Keys]: Keys[name] | null }, file: string): Keys {
  if (given.encryption !== null && given.token !== null) return { encryption: given.encryption, token: given.token }
  const kept = readKeyFile(file) ?? makeKeyFile(file)
  return { encryption: given.encryption ?? kept.encryption, token: given.token ?? kept.token }
}

function readKeyFile(file: string): Keys | null {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    if (process.platform !== 'win32' && (fstatSync(descriptor).mode & 0o077) !== 0)
      throw new Error(`The key file ${file} can be read by others than its owner; run: chmod 600 ${file}`)
    const { encryption_keys, token_keys } = JSON.parse(readFileSync(descriptor, 'utf8')) as Record<string, unknown>
    return { encryption: parseKeys(String(encryption_keys)), token: parseKeys(String(token_keys)) }
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('The key file')) throw error
    throw new Error(
      `The key file ${file} is damaged; restore it from a backup. Without it stored credentials cannot be opened.`,
    )
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Writes a temporary file and links it into place: if several servers start at once, one wins, and none reads half a
 * file.
 */
function makeKeyFile(file: string): Keys {
  const fresh = () => `k1:${randomBytes(32).toString('base64')}`
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, `${JSON.stringify({ encryption_keys: fresh(), token_keys: fresh() }, null, 2)}\n`)
    fsyncSync(descriptor)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(descriptor)
    unlinkSync(draft)
  }
  return readKeyFile(file)!
}
