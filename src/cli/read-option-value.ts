/** Reads option values from a file or standard input, where other users of the machine cannot see them. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { checkedSecret } from '../client/check-access.ts'
import { ConexError } from '../errors.ts'
import { parseJson } from '../json.ts'
import type { Io } from './io.ts'

/** The value itself, standard input for `-`, or the content of a file for `@file`. */
export async function readOptionText(option: string, value: string, { stdin }: Io): Promise<string> {
  if (value === '-') return text(stdin)
  return value.startsWith('@') ? readOptionFile(option, value.slice(1)) : value
}

/** A secret, without the trailing line break that editors add. */
export const readSecretOption = async (option: string, value: string, io: Io): Promise<string> =>
  checkedSecret(option, await readOptionText(option, value, io))

/** A JSON object, given directly, as `-` or as `@file`. */
export async function readObjectOption(option: string, value: string, io: Io): Promise<Record<string, unknown>> {
  return jsonObject(option, await readOptionText(option, value, io))
}

/** The JSON object in a file; `-` is standard input. */
export async function readObjectFile(option: string, file: string, { stdin }: Io): Promise<Record<string, unknown>> {
  return jsonObject(option, file === '-' ? await text(stdin) : await readOptionFile(option, file))
}

async function readOptionFile(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ConexError('invalid_request', `The file of ${option} cannot be read: ${(error as Error).message}.`)
  }
}

/** Errors repeat nothing of the text: it may be credentials. */
function jsonObject(option: string, given: string): Record<string, unknown> {
  let read: unknown
  try {
    read = parseJson(given, 'as doubles')
  } catch {
    throw new ConexError('invalid_request', `The value of ${option} is not JSON.`)
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new ConexError('invalid_request', `${option} must be a JSON object, for example {"name": "value"}.`)
  return read as Record<string, unknown>
}
